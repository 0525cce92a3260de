/*
 * Records how a program accesses its volatile variables, and prints that to standard error
 * when it ends: for each variable how often it was read and written, how many bytes that
 * were, and a hash of the order.
 *
 * The variables are in a section of their own, which a page of ours ends, so they share no
 * page with anything else. The pages are not accessible. Each access is a fault: what the
 * instruction does is read off its bytes, the pages are opened for this one instruction by
 * the processor's trap flag, and closed again. Names come from the symbol table of the
 * program's own file.
 *
 * What cannot be recorded as a whole is not recorded at all: an instruction that is not
 * known here, more variables or accesses than there is room for. On other machines than
 * x86-64 nothing is recorded.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined __x86_64__ && !defined __ILP32__

enum { PAGE = 4096, MOST_PLACES = 1024, MOST_ACCESSES = 10000, SHOWN = 16, TRAP_FLAG = 0x100 };

/* The end of the section, on a page of its own. */
__attribute__((section("mestra_volatile"), aligned(4096))) char mestra__end[PAGE] = {1};
extern char __start_mestra_volatile[];

/* An address that was accessed. */
struct place {
    char *address;
    unsigned reads, writes, bytes_read, bytes_written, hash, shown;
    char first[SHOWN][2]; /* what was done first: 'r' or 'w', and how many bytes */
};

static struct place places[MOST_PLACES];
static unsigned used, accesses;
static const char *trouble;

static void protect(int protection)
{
    mprotect(__start_mestra_volatile, mestra__end - __start_mestra_volatile, protection);
}

static void give_up(const char *why)
{
    trouble = why;
    protect(PROT_READ | PROT_WRITE);
}

static void add(char *address, char what, unsigned bytes)
{
    struct place *place = places, *end = places + used;
    while (place < end && place->address != address)
        place++;
    if (place == end) {
        if (used == MOST_PLACES) {
            give_up("too many variables");
            return;
        }
        used++;
        place->address = address;
        place->hash = 2166136261u;
    }
    if (what == 'r') {
        place->reads++;
        place->bytes_read += bytes;
    } else {
        place->writes++;
        place->bytes_written += bytes;
    }
    place->hash = (place->hash ^ (what << 8 | bytes)) * 16777619u;
    if (place->shown < SHOWN) {
        place->first[place->shown][0] = what;
        place->first[place->shown++][1] = bytes;
    }
}

/* What an instruction does to its operand in memory. */
struct effect {
    int reads, writes;
    unsigned bytes; /* 0 if the instruction is not known */
};

/* The prefixes of an instruction. */
struct prefixes {
    int is_short, is_wide, repeats, repeats_not;
};

static struct effect effect(int reads, int writes, unsigned bytes)
{
    struct effect it = {reads, writes, bytes};
    return it;
}

/* Scalars in vector registers, and integers that are moved there; whole vectors are no
   accesses that a compiler should make to a scalar, but their size is known. */
static struct effect of_vector(unsigned char opcode, struct prefixes with)
{
    unsigned scalar = with.repeats ? 4 : with.repeats_not ? 8 : 16, word = with.is_wide ? 8 : 4;
    switch (opcode) {
    case 0x10: case 0x28: case 0x51: case 0x58: case 0x59: case 0x5c: case 0x5d: case 0x5e:
    case 0x5f: case 0x54: case 0x55: case 0x56: case 0x57: case 0x6f: case 0xd4: case 0xef:
    case 0xeb: case 0xdb: case 0xfe: case 0xfa:
        return effect(1, 0, opcode == 0x6f ? 16 : scalar);
    case 0x11: case 0x29: case 0x7f: case 0x2b: case 0xe7:
        return effect(0, 1, opcode == 0x11 ? scalar : 16);
    case 0x12: case 0x16:
        return effect(1, 0, 8);
    case 0x13: case 0x17: case 0xd6:
        return effect(0, 1, 8);
    case 0x2a: case 0x6e:
        return effect(1, 0, word);
    case 0x5a:
        return effect(1, 0, with.repeats ? 4 : 8);
    case 0x2e: case 0x2f:
        return effect(1, 0, with.is_short ? 8 : 4);
    case 0x7e:
        return with.repeats ? effect(1, 0, 8) : effect(0, 1, word);
    case 0xc4:
        return effect(1, 0, 2);
    default:
        return effect(0, 0, 0);
    }
}

/* Instructions of two bytes, the first of which is 0f. */
static struct effect of_two_bytes(unsigned char opcode, struct prefixes with, unsigned size)
{
    if (opcode >= 0x40 && opcode <= 0x4f)
        return effect(1, 0, size); /* cmov */
    if (opcode >= 0x90 && opcode <= 0x9f)
        return effect(0, 1, 1); /* setcc */
    switch (opcode) {
    case 0xa3: case 0xaf: case 0xb8: case 0xbc: case 0xbd: /* bt, imul, popcnt, bsf, bsr */
        return effect(1, 0, size);
    case 0xa4: case 0xa5: case 0xab: case 0xac: case 0xad: case 0xb3: case 0xbb:
    case 0xb1: case 0xc1: /* shld, bts, shrd, btr, btc, cmpxchg, xadd */
        return effect(1, 1, size);
    case 0xb0: case 0xc0:
        return effect(1, 1, 1);
    case 0xb6: case 0xbe:
        return effect(1, 0, 1);
    case 0xb7: case 0xbf:
        return effect(1, 0, 2);
    default:
        return of_vector(opcode, with);
    }
}

static struct effect of_one_byte(unsigned char opcode, unsigned form, unsigned size)
{
    unsigned bytes = opcode & 1 ? size : 1;
    if (opcode < 0x40) {
        if ((opcode & 7) > 3)
            return effect(0, 0, 0);
        /* Only `cmp` does not write what it computes. */
        return effect(1, !(opcode & 2) && opcode < 0x38, bytes);
    }
    switch (opcode) {
    case 0x63: /* movslq */
        return effect(1, 0, 4);
    case 0x69: case 0x6b:
        return effect(1, 0, size);
    case 0x80: case 0x81:
        return effect(1, form != 7, bytes);
    case 0x83:
        return effect(1, form != 7, size);
    case 0x84: case 0x85: case 0x8a: case 0x8b: case 0xa0: case 0xa1:
        return effect(1, 0, bytes);
    case 0x86: case 0x87: case 0xc0: case 0xc1: case 0xd0: case 0xd1: case 0xd2: case 0xd3:
        return effect(1, 1, bytes);
    case 0x88: case 0x89: case 0xa2: case 0xa3: case 0xaa: case 0xab: case 0xc6: case 0xc7:
        return effect(0, 1, bytes);
    case 0x8f:
        return effect(0, 1, 8);
    case 0xf6: case 0xf7:
        return effect(1, form == 2 || form == 3, bytes);
    case 0xfe:
        return effect(1, 1, 1);
    case 0xff:
        return form < 2 ? effect(1, 1, size) : effect(1, 0, 8);
    default:
        return effect(0, 0, 0);
    }
}

static struct effect of_instruction(const unsigned char *code)
{
    struct prefixes with = {0, 0, 0, 0};
    unsigned size;
    for (;; code++) {
        if (*code == 0x66)
            with.is_short = 1;
        else if (*code == 0xf3)
            with.repeats = 1;
        else if (*code == 0xf2)
            with.repeats_not = 1;
        else if (*code != 0xf0 && *code != 0x2e && *code != 0x3e && *code != 0x64 && *code != 0x65
                 && *code != 0x67)
            break;
    }
    if ((*code & 0xf0) == 0x40)
        with.is_wide = (*code++ & 8) != 0;
    size = with.is_wide ? 8 : with.is_short ? 2 : 4;
    if (*code == 0x0f)
        return of_two_bytes(code[1], with, size);
    return of_one_byte(*code, code[1] >> 3 & 7, size);
}

static void on_access(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    char *address = info->si_addr;
    struct effect it;
    if (trouble || address < __start_mestra_volatile || address >= mestra__end) {
        /* The program's own fault, which it meets again. */
        signal(number, SIG_DFL);
        return;
    }
    it = of_instruction((const unsigned char *)registers[REG_RIP]);
    if (!it.bytes) {
        give_up("an unknown instruction");
        return;
    }
    if (++accesses > MOST_ACCESSES) {
        give_up("too many accesses");
        return;
    }
    if (it.reads)
        add(address, 'r', it.bytes);
    if (it.writes && !trouble)
        add(address, 'w', it.bytes);
    if (trouble)
        return;
    protect(PROT_READ | PROT_WRITE);
    registers[REG_EFL] |= TRAP_FLAG;
}

static void on_step(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    if (!trouble)
        protect(PROT_NONE);
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {0};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(number, &action, 0);
}

__attribute__((constructor(101))) static void mestra__begin(void)
{
    handle(SIGSEGV, on_access);
    handle(SIGTRAP, on_step);
    protect(PROT_NONE);
}

/* What is to be printed, in one piece. */
static char text[MOST_PLACES * 128];
static unsigned length;

static void put(const char *words)
{
    while (*words && length < sizeof text)
        text[length++] = *words++;
}

static void put_number(unsigned long number, unsigned base)
{
    char digits[24], *first = digits + sizeof digits;
    *--first = 0;
    do
        *--first = "0123456789abcdef"[number % base];
    while (number /= base);
    put(first);
}

static void put_access(const char *access)
{
    char what[2] = {access[0], 0};
    put(" ");
    put(what);
    put_number((unsigned char)access[1], 10);
}

static void put_place(const struct place *place, const char *name, unsigned long offset)
{
    unsigned i;
    put("[volatile] ");
    put(name);
    if (offset) {
        put("+");
        put_number(offset, 10);
    }
    put(": ");
    put_number(place->reads, 10);
    put(" reads of ");
    put_number(place->bytes_read, 10);
    put(" bytes, ");
    put_number(place->writes, 10);
    put(" writes of ");
    put_number(place->bytes_written, 10);
    put(" bytes, order ");
    put_number(place->hash, 16);
    put(":");
    for (i = 0; i < place->shown; i++)
        put_access(place->first[i]);
    put(place->reads + place->writes > SHOWN ? " ...\n" : "\n");
}

static int compare(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

/* The program's file, in memory; null if it cannot be read. */
static const char *own_file(void)
{
    int file = open("/proc/self/exe", O_RDONLY);
    off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
    void *mapped = size < 0 ? MAP_FAILED : mmap(0, size, PROT_READ, MAP_PRIVATE, file, 0);
    return mapped == MAP_FAILED ? 0 : mapped;
}

/* Prints the places that were accessed, in the order of their variables' names: where
   variables lie is up to the compiler. */
static void put_places(const char *file)
{
    const Elf64_Ehdr *header = (const void *)file;
    const Elf64_Shdr *sections = (const void *)(file + header->e_shoff), *table = sections;
    const Elf64_Sym *symbols, *symbol, *end;
    const char *names, *last = "";
    long slide = 0;
    while (table < sections + header->e_shnum && table->sh_type != SHT_SYMTAB)
        table++;
    if (table == sections + header->e_shnum) {
        put("[volatile] not recorded: there are no symbols\n");
        return;
    }
    put("[volatile] recorded\n");
    symbols = (const void *)(file + table->sh_offset);
    end = symbols + table->sh_size / sizeof *symbols;
    names = file + sections[table->sh_link].sh_offset;
    for (symbol = symbols; symbol < end; symbol++)
        if (!compare(names + symbol->st_name, "mestra__end"))
            slide = (long)mestra__end - (long)symbol->st_value;
    for (;;) {
        const Elf64_Sym *next = 0;
        unsigned long offset;
        unsigned i;
        for (symbol = symbols; symbol < end; symbol++) {
            const char *name = names + symbol->st_name;
            char *address = (char *)symbol->st_value + slide;
            if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && address >= __start_mestra_volatile
                && address < mestra__end && compare(name, last) > 0
                && (!next || compare(name, names + next->st_name) < 0))
                next = symbol;
        }
        if (!next)
            return;
        last = names + next->st_name;
        for (offset = 0; offset < next->st_size; offset++)
            for (i = 0; i < used; i++)
                if (places[i].address == (char *)next->st_value + slide + offset)
                    put_place(&places[i], last, offset);
    }
}

__attribute__((destructor(101))) static void mestra__finish(void)
{
    const char *file = 0;
    protect(PROT_READ | PROT_WRITE);
    if (!trouble && !(file = own_file()))
        trouble = "the program's file cannot be read";
    if (trouble) {
        put("[volatile] not recorded: ");
        put(trouble);
        put("\n");
    } else
        put_places(file);
    if (write(2, text, length) < 0)
        _exit(125);
}

#endif
