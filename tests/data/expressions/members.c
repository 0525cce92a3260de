struct inner { int a[2]; unsigned bits : 3; };
struct outer { struct inner in; struct { int hidden; }; union { int i; float f; } u; struct outer *next; };
int main(void) {
    struct outer o = { 0 }, *p = &o;
    p->in.a[1] = o.in.bits;
    o.hidden = (*p).u.i;
    p->next->next = p;
    return (&o)->in.bits++;
}
