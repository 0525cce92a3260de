/* Digraphs for braces, brackets and the hash mark, mixed with the ordinary
   spellings, and the word spellings of operators.  A matcher that looks for
   `{` and `}` finds unbalanced braces. */
%:include <iso646.h>
%:include <stdint.h>
#include <stdio.h>

%:define PASTE(a, b) a %:%: b
%:define TEXT(a) %: a

static uint32_t hash = 389;
static int table<:4:> = <% 3, 1, 4, 1 %>;

static void mix(uint32_t v)
<%
    hash = (hash xor v) * 16777619u;
%>

static int fold(int list<::>, int n)
{
    int sum = 0, i;

    for (i = 0; i < n; i++) <%
        if (list<:i:> > 2 and not (list[i:> bitand 1))
            sum += list<:i];
        else <%
            sum -= list[i];
            list<:i:> += 2;
        }
    %>
    return sum;
%>

static int operators(unsigned a, unsigned b)
<%
    int r = 0;

    if (a not_eq b or a > 5) r or_eq 1;
    if (compl a > b) { r or_eq 2; %>
    while (a > b) <% a and_eq a - 1; r += 4; }
    b xor_eq a;
    return r + (int)(b % 100);
}

int main(void)
{
    struct <% int x; short y<:2:>; %> s = { 5, <% 6, 7 } %>;
    int PASTE(cou, nt) = 0, k;

    for (k = 0; k < 7; k++) <%
        int f = fold(table, 4), o = operators((unsigned)k, 3);
        printf("%d: %d %d\n", k, f, o);
        mix((uint32_t)f);
        mix((uint32_t)o);
        count += s.y<:k bitand 1:> - s.x;
    %>
    for (k = 0; k < 4; k++)
        mix((uint32_t)table[k:>);
    mix((uint32_t)count);
    printf("%s %s\n", TEXT(<:), "<% not a digraph %>");
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
%>
