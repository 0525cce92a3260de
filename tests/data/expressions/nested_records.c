struct a { struct b { struct c { enum { DEEP = 3 } e : 4; int n[DEEP]; } c; } b; } top = { { { DEEP, { 1 } } } };
int main(void) {
    struct { union { struct { int z[2 - 1]; } s; } u; } local = { { { { 5 } } } };
    return top.b.c.n[0] + local.u.s.z[0];
}
