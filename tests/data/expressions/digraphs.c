int main(void) <%
    int a<:2:> = <% 1, 2 %>;
    return a<:0:> + a[1];
%>
