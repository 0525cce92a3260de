volatile int v;
struct s { volatile int f; int g; } s;
volatile struct s t;
_Atomic int atom;
int main(void) {
    int x = v;
    v = x;
    v++;
    &v;
    s.f = s.g;
    t.g += 1;
    atom = atom + 1;
    return sizeof v;
}
