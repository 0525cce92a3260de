/*
 * Records what an instrumented seed does, in a file that it shares with Mestra.
 *
 * The file is mapped into memory when the first point is reached, and every
 * record goes straight there. So nothing needs to be written at the end, and
 * whatever ends the program (a return, exit, _exit, abort, a signal, our own
 * SIGKILL after a time-out) leaves everything recorded up to then.
 *
 * The seed must not notice: no heap, no stdio, no signal handlers, no open file
 * descriptor, no floating-point operation, and errno is left alone, since nothing here
 * fails where Mestra has prepared the file.
 *
 * The file is a sequence of 64-bit words. Mestra lays it out and fills in the
 * header, whose words the enum below names; src/profile/layout.rs says the same
 * in Rust. C89, but for 64-bit integers.
 */
#define _POSIX_C_SOURCE 200112L
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

__extension__ typedef unsigned long long mestra__word;
__extension__ typedef long long mestra__signed;

enum {
    HEADER_MAGIC,
    HEADER_WORDS,   /* size of the whole file */
    HEADER_STARTED, /* set to 1 by us */
    HEADER_COUNTS,  /* where the counters of visits are */
    HEADER_SAMPLES, /* where the descriptors of sampled points are */
    HEADER_NEXT,    /* the first free word of the arena */
    HEADER_END,     /* the end of the arena */
    HEADER_ROWS,    /* how many distinct rows a point may keep */
    HEADER_SLOTS,   /* slots of a hash table: a power of two, more than rows */
    HEADER_VALUES,  /* how many distinct values a range may keep */
    HEADER_LOST     /* set to 1 by us where a statement was left out */
};

enum {
    SAMPLE_LOCALS,   /* columns that the point itself fills in */
    SAMPLE_COLUMNS,  /* those and the globals */
    SAMPLE_VISITS,
    SAMPLE_KEPT,     /* distinct rows */
    SAMPLE_OVERFLOW, /* 1 when ranges are kept instead of rows */
    SAMPLE_TABLE,    /* where its hash table is; 0 before the first visit */
    SAMPLE_RANGES,   /* where its ranges are */
    SAMPLE_CHECKSUM, /* the sum of the hashes of all visits' rows */
    SAMPLE_SIZE
};

enum {
    RANGE_UNSIGNED_MIN,
    RANGE_UNSIGNED_MAX,
    RANGE_SIGNED_MIN,
    RANGE_SIGNED_MAX,
    RANGE_AND, /* bits that were one in every value */
    RANGE_OR,  /* bits that were one in some value */
    RANGE_KEPT, /* distinct values kept; one more than allowed means there were more */
    RANGE_FIRST
};

/* What the instrumented seed provides. */
extern const char mestra__path[];
extern mestra__word mestra__v[];
extern void mestra__globals(mestra__word *);
struct mestra__object {
    const volatile char *start;
    mestra__word size;
    mestra__word number;
};
extern struct mestra__object mestra__objects[];
extern const unsigned mestra__object_count;

/* What it calls. */
void mestra__hit(unsigned point);
void mestra__row(unsigned point, unsigned sample);
void mestra__row_at(unsigned point, unsigned sample, const char *types, ...);
void mestra__lost(void);
mestra__word mestra__where(const volatile void *pointer);
mestra__word mestra__single(float number);
mestra__word mestra__double(double number);

static mestra__word *base;
static int broken;

/* Objects are sorted by address once, to be found quickly. */
static void sort_objects(void)
{
    unsigned i, j;
    for (i = 1; i < mestra__object_count; i++) {
        struct mestra__object moved = mestra__objects[i];
        for (j = i; j > 0 && mestra__objects[j - 1].start > moved.start; j--)
            mestra__objects[j] = mestra__objects[j - 1];
        mestra__objects[j] = moved;
    }
}

static void start(void)
{
    mestra__word words[2];
    void *map;
    int file = open(mestra__path, O_RDWR);
    broken = 1;
    if (file < 0)
        return;
    if (read(file, words, sizeof words) == (int)sizeof words) {
        map = mmap(0, (unsigned long)words[HEADER_WORDS] * 8, PROT_READ | PROT_WRITE, MAP_SHARED,
                   file, 0);
        if (map != MAP_FAILED) {
            base = (mestra__word *)map;
            base[HEADER_STARTED] = 1;
            broken = 0;
        }
    }
    close(file);
    sort_objects();
}

void mestra__hit(unsigned point)
{
    if (!base && !broken)
        start();
    if (base)
        base[base[HEADER_COUNTS] + point]++;
}

/* Stands where a statement was left out that is never reached; if it is after all,
 * nothing that follows would mean anything. */
void mestra__lost(void)
{
    if (!base && !broken)
        start();
    if (base)
        base[HEADER_LOST] = 1;
    _exit(1);
}

/* A pointer as a word: 0 for null, object number plus one and offset in bytes,
 * or all ones if it points to no object we know. */
mestra__word mestra__where(const volatile void *pointer)
{
    const volatile char *p = (const volatile char *)pointer;
    unsigned low = 0, high = mestra__object_count;
    if (!p)
        return 0;
    if (!base && !broken)
        start();
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (mestra__objects[middle].start <= p)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) {
        const struct mestra__object *object = &mestra__objects[low - 1];
        mestra__word offset = (mestra__word)(p - object->start);
        if (offset < object->size)
            return ((object->number + 1) << 32) | offset;
    }
    return ~(mestra__word)0;
}

static mestra__word hash(const mestra__word *row, unsigned columns)
{
    /* Two odd constants without meaning, put together from 32-bit halves. */
    const mestra__word factor = ((mestra__word)0x9e3779b9UL << 32) | 0x7f4a7c15UL;
    mestra__word h = ((mestra__word)0xcbf29ce4UL << 32) | 0x84222325UL;
    unsigned i;
    for (i = 0; i < columns; i++) {
        h = (h ^ row[i]) * factor;
        h ^= h >> 29;
    }
    return h;
}

static int same(const mestra__word *a, const mestra__word *b, unsigned columns)
{
    unsigned i;
    for (i = 0; i < columns; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

/* Words from the arena, or 0 when it is used up. */
static mestra__word take(mestra__word count)
{
    mestra__word at = base[HEADER_NEXT];
    if (base[HEADER_END] - at < count)
        return 0;
    base[HEADER_NEXT] = at + count;
    return at;
}

static void widen(mestra__word *range, mestra__word value)
{
    mestra__word kept = range[RANGE_KEPT], limit = base[HEADER_VALUES], i;
    if (kept == 0) {
        range[RANGE_UNSIGNED_MIN] = range[RANGE_UNSIGNED_MAX] = value;
        range[RANGE_SIGNED_MIN] = range[RANGE_SIGNED_MAX] = value;
        range[RANGE_AND] = range[RANGE_OR] = value;
        range[RANGE_FIRST] = value;
        range[RANGE_KEPT] = 1;
        return;
    }
    if (value < range[RANGE_UNSIGNED_MIN])
        range[RANGE_UNSIGNED_MIN] = value;
    if (value > range[RANGE_UNSIGNED_MAX])
        range[RANGE_UNSIGNED_MAX] = value;
    if ((mestra__signed)value < (mestra__signed)range[RANGE_SIGNED_MIN])
        range[RANGE_SIGNED_MIN] = value;
    if ((mestra__signed)value > (mestra__signed)range[RANGE_SIGNED_MAX])
        range[RANGE_SIGNED_MAX] = value;
    range[RANGE_AND] &= value;
    range[RANGE_OR] |= value;
    if (kept > limit)
        return;
    for (i = 0; i < kept; i++)
        if (range[RANGE_FIRST + i] == value)
            return;
    if (kept < limit)
        range[RANGE_FIRST + kept] = value;
    range[RANGE_KEPT] = kept + 1;
}

static void widen_all(mestra__word *sample, const mestra__word *row)
{
    mestra__word *range = base + sample[SAMPLE_RANGES];
    mestra__word i;
    for (i = 0; i < sample[SAMPLE_COLUMNS]; i++) {
        widen(range, row[i]);
        range += RANGE_FIRST + base[HEADER_VALUES];
    }
}

/* From rows to ranges: those of all rows so far, then of each new one. */
static void overflow(mestra__word *sample, const mestra__word *row)
{
    mestra__word slot, *table = base + sample[SAMPLE_TABLE];
    if (sample[SAMPLE_TABLE])
        for (slot = 0; slot < base[HEADER_SLOTS]; slot++)
            if (table[slot])
                widen_all(sample, base + table[slot]);
    widen_all(sample, row);
    sample[SAMPLE_OVERFLOW] = 1;
}

void mestra__row(unsigned point, unsigned number)
{
    mestra__word *sample, *table, *row = mestra__v, h, slot, at, i;
    unsigned columns;
    mestra__hit(point);
    if (!base)
        return;
    sample = base + base[HEADER_SAMPLES] + (mestra__word)number * SAMPLE_SIZE;
    columns = (unsigned)sample[SAMPLE_COLUMNS];
    mestra__globals(row + sample[SAMPLE_LOCALS]);
    h = hash(row, columns);
    sample[SAMPLE_VISITS]++;
    sample[SAMPLE_CHECKSUM] += h;
    if (sample[SAMPLE_OVERFLOW]) {
        widen_all(sample, row);
        return;
    }
    if (!sample[SAMPLE_TABLE]) {
        /* Untouched words of the file are zero: every slot is empty. */
        sample[SAMPLE_TABLE] = take(base[HEADER_SLOTS]);
        if (!sample[SAMPLE_TABLE]) {
            overflow(sample, row);
            return;
        }
    }
    table = base + sample[SAMPLE_TABLE];
    slot = h & (base[HEADER_SLOTS] - 1);
    while (table[slot]) {
        if (same(base + table[slot], row, columns))
            return;
        slot = (slot + 1) & (base[HEADER_SLOTS] - 1);
    }
    at = sample[SAMPLE_KEPT] < base[HEADER_ROWS] ? take(columns) : 0;
    if (!at) {
        overflow(sample, row);
        return;
    }
    for (i = 0; i < columns; i++)
        base[at + i] = row[i];
    sample[SAMPLE_KEPT]++;
    /* Last, so that a table never points to half a row. */
    table[slot] = at;
}

/* The bits of a number as they lie in memory, whatever the byte order of its words. */
static mestra__word bits(const void *at, unsigned size)
{
    const unsigned char *from = (const unsigned char *)at;
    if (size == sizeof(unsigned)) {
        unsigned word;
        unsigned char *to = (unsigned char *)&word;
        unsigned i;
        for (i = 0; i < sizeof word; i++)
            to[i] = from[i];
        return word;
    } else {
        mestra__word word;
        unsigned char *to = (unsigned char *)&word;
        unsigned i;
        for (i = 0; i < sizeof word; i++)
            to[i] = from[i];
        return word;
    }
}

mestra__word mestra__single(float number)
{
    return bits(&number, sizeof number);
}

mestra__word mestra__double(double number)
{
    return bits(&number, sizeof number);
}

/* The value of a variable whose address and type are known. Signed ones are extended. */
static mestra__word load(char type, const void *at)
{
    switch (type) {
    case 'b': case 'C': return *(const unsigned char *)at;
    case 'k': return (mestra__word)*(const char *)at;
    case 'c': return (mestra__word)*(const signed char *)at;
    case 's': return (mestra__word)*(const short *)at;
    case 'S': return *(const unsigned short *)at;
    case 'i': return (mestra__word)*(const int *)at;
    case 'I': return *(const unsigned *)at;
    case 'l': return (mestra__word)*(const long *)at;
    case 'L': return *(const unsigned long *)at;
    case 'f': return bits(at, sizeof(float));
    case 'd': return bits(at, sizeof(double));
    case 'q': case 'Q': return *(const mestra__word *)at;
    default: return mestra__where(*(const volatile void *const *)at);
    }
}

/* Records a row of variables whose addresses follow, one for each letter that is not a
 * dot: those are in their places already. */
void mestra__row_at(unsigned point, unsigned number, const char *types, ...)
{
    va_list addresses;
    unsigned i;
    va_start(addresses, types);
    for (i = 0; types[i]; i++)
        if (types[i] != '.')
            mestra__v[i] = load(types[i], va_arg(addresses, const void *));
    va_end(addresses);
    mestra__row(point, number);
}
