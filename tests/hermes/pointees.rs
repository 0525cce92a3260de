//! What pointers of the seed point to, and unions, in live code.

use super::floats::{is_the_same_everywhere, live_code, names};
use super::{careful, everywhere, text_source, variants};

const POINTERS: &str = r#"
#include <stdio.h>
static int first = 3, table[4] = { 1, 2, 3, 4 };
static unsigned sum = 17;
static const int fixed = 6;
static struct { char tag; int *where; int own; } node = { 'n', &first, 9 };
static int *p = &first, **pp = &p;
static const int *reader = &fixed;
static void add(unsigned value) { sum = (sum ^ value) * 16777619u; }
static void visit(int i)
{
    int *local = i % 2 ? &table[2] : &node.own;
    const int *none = i ? &first : 0;
    int near[3] = { 4, i, 6 }, *const inner = &near[1];
    *local += i;
    *inner -= near[2];
    near[0] += *inner;
    add((unsigned)near[0]);
    node.where = *pp;
    if (none)
        add((unsigned)*none);
    *p ^= 5;
    add((unsigned)*local + (unsigned)*reader);
}
int main(void)
{
    int i;
    for (i = 0; i < 4; i++) {
        visit(i);
        *pp = i ? &table[1] : &first;
        add((unsigned)*node.where);
    }
    printf("%u %d %d %d %d\n", sum, first, table[1], table[2], node.own);
    return 0;
}
"#;

const UNIONS: &str = r#"
#include <stdio.h>
static union { float f; unsigned u; } number = { 1.5f };
static union { int i; unsigned char bytes[4]; } whole = { 70000 };
static struct { int tag; union { long l; struct { int a, b; } pair; }; } tagged = { 1, { 5 } };
static union { double d; int low; char text[12]; } wide = { 2.5 };
static unsigned sum = 17;
static void add(unsigned value) { sum = (sum ^ value) * 16777619u; }
static void visit(int i)
{
    union { short s; unsigned short u; } local = { 9 };
    if (i & 1)
        number.f = number.f * 2 - 3;
    else
        number.u += 1u << 20;
    whole.bytes[i % 4] += 77;
    if (tagged.tag)
        tagged.pair.b = i;
    else
        tagged.l += whole.i;
    tagged.tag = !tagged.tag;
    if (i == 2)
        wide.low = 7;
    local.u += i;
    add((unsigned)local.s + number.u);
}
int main(void)
{
    int i;
    for (i = 0; i < 5; i++) {
        visit(i);
        add((unsigned)whole.i);
        add((unsigned)tagged.pair.a + (unsigned)tagged.pair.b);
    }
    printf("%u %g %d %ld\n", sum, number.f, whole.i, tagged.l);
    return 0;
}
"#;

fn follows(code: &str, name: &str) -> bool {
    code.contains(&format!("{{\"deref\":{{\"var\":{{\"name\":\"{name}\""))
}

#[test]
fn live_code_follows_pointers_to_variables_that_it_knows() {
    let mutator = careful(1.0, everywhere());
    let (_directory, source) = text_source(&mutator, POINTERS);
    let variants = variants(&mutator, &source, 20);
    let code: Vec<String> = variants.iter().flat_map(live_code).collect();
    let uses = |name: &str| code.iter().filter(|one| follows(one, name)).count();
    for name in ["p", "local", "reader", "inner"] {
        assert!(uses(name) >= 5, "{name}: {}", uses(name));
    }
    let writes = |name: &str| {
        let target = format!("\"target\":{{\"deref\":{{\"var\":{{\"name\":\"{name}\"");
        code.iter().filter(|one| one.contains(&target)).count()
    };
    assert!(writes("p") + writes("local") >= 3);
    assert_eq!(writes("reader"), 0, "it points to what is const");
    is_the_same_everywhere(&source, &variants);
}

#[test]
fn where_addresses_are_computed_no_pointer_is_followed() {
    let mutator = careful(1.0, everywhere());
    let text = POINTERS.replace("*p ^= 5;", "p = p + 1; p = p - 1; *p ^= 5;");
    let (_directory, source) = text_source(&mutator, &text);
    let variants = variants(&mutator, &source, 5);
    // Code that never runs may follow anything.
    let blocks = variants.iter().flat_map(live_code);
    let blocks = blocks.filter(|one| one.starts_with("{\"true_block\""));
    let blocks: Vec<String> = blocks.collect();
    assert!(!blocks.is_empty());
    for name in ["p", "local", "reader"] {
        assert!(!blocks.iter().any(|one| follows(one, name)), "{name}");
    }
}

#[test]
fn live_code_reads_what_all_members_of_a_union_have_in_common() {
    let mutator = careful(1.0, everywhere());
    let (_directory, source) = text_source(&mutator, UNIONS);
    let variants = variants(&mutator, &source, 20);
    let code: Vec<String> = variants.iter().flat_map(live_code).collect();
    let uses = |name: &str| code.iter().filter(|one| names(one, name)).count();
    for name in ["number", "whole", "tagged", "wide"] {
        assert!(uses(name) >= 5, "{name}: {}", uses(name));
    }
    is_the_same_everywhere(&source, &variants);
}
