struct Limits { int low; unsigned high : 4; };

static long total;
const struct Limits limits = { 1, 9 };

static int add(int from, int to)
{
    int sum = 0, i;
    for (i = from; i < to; i++)
        if (i & 1)
            sum += i;
        else
            goto next;
next:
    total += sum;
    return sum;
}

int main(int argc, char **argv)
{
    double late;
    switch (argc) {
    case 1:
        return add(limits.low, (int)limits.high) & 1;
    default:
        late = 1.5;
    }
    return late > 1;
}
