/* Everyday functions: what programs of all sorts are full of. Variants and programs of our own
   call them, with arguments for which they are defined.

   Each takes and gives numbers and names nothing but its parameters, its locals and functions
   above it; helpers may take pointers. See `donor/everyday.rs` for what else holds. */

/* Digits and characters. */

static int put_decimal(char *to, unsigned value)
{
    char digits[12];
    int count = 0, length = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count > 0)
        to[length++] = digits[--count];
    to[length] = 0;
    return length;
}

static int text_length(const char *text)
{
    const char *end = text;
    while (*end)
        end++;
    return (int)(end - text);
}

static int get_decimal(const char *text)
{
    int value = 0, negative = 0;
    while (*text == ' ')
        text++;
    if (*text == '-' || *text == '+')
        negative = *text++ == '-';
    while (*text >= '0' && *text <= '9')
        value = value * 10 + (*text++ - '0');
    return negative ? -value : value;
}

int decimal_length(unsigned value)
{
    char text[16];
    return put_decimal(text, value);
}

int decimal_there_and_back(unsigned value)
{
    char text[16];
    put_decimal(text, value & 0xfffffff);
    return get_decimal(text);
}

int last_digit_first(unsigned value)
{
    char text[16];
    int left = 0, right = put_decimal(text, value) - 1;
    for (; left < right; left++, right--) {
        char kept = text[left];
        text[left] = text[right];
        text[right] = kept;
    }
    return text[0] - '0' + text_length(text);
}

int digit_sum(unsigned value)
{
    int sum = 0;
    while (value) {
        sum += value % 10;
        value /= 10;
    }
    return sum;
}

unsigned reverse_digits(unsigned value)
{
    unsigned reversed = 0;
    for (; value; value /= 10)
        reversed = reversed * 10 + value % 10;
    return reversed;
}

int is_palindrome(unsigned value)
{
    unsigned rest = value, reversed = 0;
    while (rest > 0) {
        reversed = reversed * 10 + rest % 10;
        rest /= 10;
    }
    return reversed == value;
}

int hex_digit(int letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    if (letter >= 'a' && letter <= 'f')
        return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F')
        return letter - 'A' + 10;
    return -1;
}

int to_hex_letter(unsigned nibble)
{
    static const char digits[17] = "0123456789abcdef";
    return digits[nibble & 15];
}

int hex_letters(unsigned value)
{
    char text[9];
    int at = 8, sum = 0;
    text[at] = 0;
    do {
        unsigned low = value & 15;
        text[--at] = (char)(low < 10 ? '0' + low : 'a' + low - 10);
        value >>= 4;
    } while (value && at > 0);
    while (text[at])
        sum = sum * 2 + text[at++];
    return sum;
}

int to_upper(int letter)
{
    return letter >= 'a' && letter <= 'z' ? letter - ('a' - 'A') : letter;
}

int is_word_letter(int letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_';
}

int caesar(int letter, int by)
{
    int base;
    if (letter >= 'a' && letter <= 'z')
        base = 'a';
    else if (letter >= 'A' && letter <= 'Z')
        base = 'A';
    else
        return letter;
    by %= 26;
    if (by < 0)
        by += 26;
    return base + (letter - base + by) % 26;
}

int roman_length(int number)
{
    static const short values[13] = { 1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1 };
    int at, length = 0;
    if (number <= 0 || number >= 4000)
        return 0;
    for (at = 0; at < 13; at++)
        while (number >= values[at]) {
            number -= values[at];
            length += at % 2 ? 2 : 1;
        }
    return length;
}

int utf8_length(unsigned point)
{
    if (point < 0x80)
        return 1;
    if (point < 0x800)
        return 2;
    if (point < 0x10000)
        return point >= 0xd800 && point <= 0xdfff ? 0 : 3;
    return point < 0x110000 ? 4 : 0;
}

unsigned utf8_bytes(unsigned point)
{
    unsigned char out[4];
    unsigned packed = 0;
    int count = 0, at;
    if (point < 0x80) {
        out[count++] = (unsigned char)point;
    } else if (point < 0x800) {
        out[count++] = (unsigned char)(0xc0 | point >> 6);
        out[count++] = (unsigned char)(0x80 | (point & 0x3f));
    } else {
        out[count++] = (unsigned char)(0xe0 | (point >> 12 & 15));
        out[count++] = (unsigned char)(0x80 | (point >> 6 & 0x3f));
        out[count++] = (unsigned char)(0x80 | (point & 0x3f));
    }
    for (at = 0; at < count; at++)
        packed = packed << 8 | out[at];
    return packed;
}

unsigned base64_sextets(unsigned a, unsigned b, unsigned c)
{
    unsigned char in[3];
    unsigned out[4];
    in[0] = (unsigned char)a;
    in[1] = (unsigned char)b;
    in[2] = (unsigned char)c;
    out[0] = in[0] >> 2;
    out[1] = (in[0] & 3u) << 4 | in[1] >> 4;
    out[2] = (in[1] & 15u) << 2 | in[2] >> 6;
    out[3] = in[2] & 63u;
    return out[0] << 18 | out[1] << 12 | out[2] << 6 | out[3];
}

int count_vowels(int a, int b, int c, int d)
{
    char word[5];
    int at, count = 0;
    word[0] = (char)a;
    word[1] = (char)b;
    word[2] = (char)c;
    word[3] = (char)d;
    word[4] = 0;
    for (at = 0; word[at]; at++)
        switch (word[at]) {
        case 'a':
        case 'e':
        case 'i':
        case 'o':
        case 'u':
            count++;
            break;
        default:
            break;
        }
    return count;
}

int compare_words(int a, int b, int c)
{
    char one[4], two[4];
    int at = 0;
    one[0] = (char)a;
    one[1] = (char)b;
    one[2] = 'x';
    one[3] = 0;
    two[0] = (char)a;
    two[1] = (char)c;
    two[2] = 'x';
    two[3] = 0;
    while (one[at] && one[at] == two[at])
        at++;
    return one[at] < two[at] ? -1 : one[at] > two[at];
}

int matches_pattern(int a, int b, int star)
{
    char text[3], pattern[3];
    int at;
    text[0] = (char)a;
    text[1] = (char)b;
    text[2] = 0;
    pattern[0] = (char)a;
    pattern[1] = star ? '?' : 'q';
    pattern[2] = 0;
    for (at = 0; text[at] && pattern[at]; at++)
        if (pattern[at] != '?' && pattern[at] != text[at])
            return 0;
    return text[at] == pattern[at];
}

/* Numbers. */

unsigned greatest_divisor(unsigned a, unsigned b)
{
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

unsigned least_multiple(unsigned a, unsigned b)
{
    if (!a || !b)
        return 0;
    return a / greatest_divisor(a, b) * b;
}

unsigned binary_divisor(unsigned a, unsigned b)
{
    int shift = 0;
    if (!a || !b)
        return a | b;
    while (!((a | b) & 1)) {
        a >>= 1;
        b >>= 1;
        shift++;
    }
    while (!(a & 1))
        a >>= 1;
    while (b) {
        while (!(b & 1))
            b >>= 1;
        if (a > b) {
            unsigned kept = a;
            a = b;
            b = kept;
        }
        b -= a;
    }
    return a << shift;
}

unsigned square_root(unsigned value)
{
    unsigned root = 0, bit = 1u << 30;
    while (bit > value)
        bit >>= 2;
    while (bit) {
        if (value >= root + bit) {
            value -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
        bit >>= 2;
    }
    return root;
}

unsigned power_modulo(unsigned base, unsigned exponent, unsigned modulus)
{
    unsigned long long result = 1, square;
    if (!modulus)
        return 0;
    square = base % modulus;
    while (exponent) {
        if (exponent & 1)
            result = result * square % modulus;
        square = square * square % modulus;
        exponent >>= 1;
    }
    return (unsigned)(result % modulus);
}

long long power(int base, unsigned exponent)
{
    long long result = 1;
    exponent &= 7;
    base %= 100;
    while (exponent--)
        result *= base;
    return result;
}

int is_prime(unsigned value)
{
    unsigned divisor;
    if (value < 4)
        return value > 1;
    if (!(value % 2) || !(value % 3))
        return 0;
    for (divisor = 5; divisor * divisor <= value && divisor < 400; divisor += 6)
        if (!(value % divisor) || !(value % (divisor + 2)))
            return 0;
    return 1;
}

int count_primes(unsigned below)
{
    unsigned char sieve[64];
    unsigned at, multiple;
    int count = 0;
    below &= 63;
    for (at = 0; at < 64; at++)
        sieve[at] = 1;
    for (at = 2; at * at < 64; at++)
        if (sieve[at])
            for (multiple = at * at; multiple < 64; multiple += at)
                sieve[multiple] = 0;
    for (at = 2; at < below; at++)
        count += sieve[at];
    return count;
}

int collatz_steps(unsigned value)
{
    int steps = 0;
    while (value > 1 && steps < 60) {
        value = value & 1 ? 3 * value + 1 : value / 2;
        steps++;
    }
    return steps;
}

unsigned fibonacci(unsigned which)
{
    unsigned one = 0, two = 1;
    which &= 31;
    while (which--) {
        unsigned sum = one + two;
        one = two;
        two = sum;
    }
    return one;
}

unsigned fibonacci_again(unsigned which)
{
    which &= 7;
    return which < 2 ? which : fibonacci_again(which - 1) + fibonacci_again(which - 2);
}

int ackermann(int m, int n)
{
    m &= 1;
    n &= 7;
    while (m) {
        n = n ? n + 1 : 2;
        m--;
    }
    return n + 1;
}

int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

int median(int a, int b, int c)
{
    if (a > b) {
        int kept = a;
        a = b;
        b = kept;
    }
    if (b > c)
        b = c;
    return a > b ? a : b;
}

int sign(long long value)
{
    return (value > 0) - (value < 0);
}

int midpoint(int low, int high)
{
    return low <= high ? low + (int)(((unsigned)high - (unsigned)low) / 2)
                       : high + (int)(((unsigned)low - (unsigned)high) / 2);
}

int floor_divide(int a, int b)
{
    int quotient;
    if (b == 0 || (b == -1 && a < -2147483647))
        return 0;
    quotient = a / b;
    if (a % b != 0 && (a < 0) != (b < 0))
        quotient--;
    return quotient;
}

int floor_modulo(int a, int b)
{
    int rest;
    if (b == 0 || b == -1)
        return 0;
    rest = a % b;
    if (rest != 0 && (rest < 0) != (b < 0))
        rest += b;
    return rest;
}

unsigned round_up(unsigned value, unsigned to)
{
    return to ? (value + to - 1) / to * to : value;
}

unsigned align_up(unsigned value, int bits)
{
    unsigned mask = (1u << (bits & 15)) - 1;
    return (value + mask) & ~mask;
}

int saturating_add(int a, int b)
{
    if (b > 0 && a > 2147483647 - b)
        return 2147483647;
    if (b < 0 && a < -2147483647 - 1 - b)
        return -2147483647 - 1;
    return a + b;
}

unsigned char saturating_byte(int value)
{
    if (value & ~255)
        value = value < 0 ? 0 : 255;
    return (unsigned char)value;
}

short q15_multiply(short a, short b)
{
    int product = (a * b + 0x4000) >> 15;
    return (short)(product > 32767 ? 32767 : product);
}

int interpolate(int from, int to, int step)
{
    step &= 255;
    from = (short)from;
    to = (short)to;
    return from + (to - from) * step / 256;
}

int percent_of(int part, int whole)
{
    if (whole <= 0 || part < 0 || part > 20000000)
        return -1;
    return (part * 100 + whole / 2) / whole;
}

/* Bits. */

int count_bits(unsigned value)
{
    int count = 0;
    while (value) {
        value &= value - 1;
        count++;
    }
    return count;
}

int count_bits_by_table(unsigned value)
{
    static const unsigned char table[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };
    int count = 0;
    for (; value; value >>= 4)
        count += table[value & 15];
    return count;
}

unsigned reverse_bits(unsigned value)
{
    unsigned reversed = 0;
    int at;
    for (at = 0; at < 32; at++) {
        reversed = reversed << 1 | (value & 1);
        value >>= 1;
    }
    return reversed;
}

unsigned char reverse_byte(unsigned char byte)
{
    byte = (unsigned char)((byte & 0xf0) >> 4 | (byte & 0x0f) << 4);
    byte = (unsigned char)((byte & 0xcc) >> 2 | (byte & 0x33) << 2);
    return (unsigned char)((byte & 0xaa) >> 1 | (byte & 0x55) << 1);
}

int log_two(unsigned value)
{
    int log = -1;
    while (value) {
        value >>= 1;
        log++;
    }
    return log;
}

int trailing_zeros(unsigned value)
{
    int count = 0;
    if (!value)
        return 32;
    while (!(value & 1)) {
        value >>= 1;
        count++;
    }
    return count;
}

unsigned next_power(unsigned value)
{
    value--;
    value |= value >> 1;
    value |= value >> 2;
    value |= value >> 4;
    value |= value >> 8;
    value |= value >> 16;
    return value + 1;
}

unsigned gray_code(unsigned value)
{
    return value ^ value >> 1;
}

unsigned from_gray(unsigned gray)
{
    unsigned value = gray;
    while (gray >>= 1)
        value ^= gray;
    return value;
}

unsigned rotate_left(unsigned value, unsigned by)
{
    by &= 31;
    return by ? value << by | value >> (32 - by) : value;
}

int sign_extend(unsigned value, int bits)
{
    unsigned top;
    bits = (bits & 15) + 1;
    value &= (1u << bits) - 1;
    top = 1u << (bits - 1);
    return (int)((value ^ top) - top);
}

unsigned swap_bytes(unsigned value)
{
    unsigned char bytes[4];
    int at;
    for (at = 0; at < 4; at++)
        bytes[at] = (unsigned char)(value >> (8 * at));
    return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}

unsigned morton(unsigned short x, unsigned short y)
{
    unsigned code = 0;
    int bit;
    for (bit = 0; bit < 8; bit++)
        code |= (x & 1u << bit) << bit | (y & 1u << bit) << (bit + 1);
    return code;
}

int leading_ones(signed char value)
{
    int count = 0;
    while (value < 0) {
        count++;
        value = (signed char)(value * 2);
    }
    return count;
}

/* Checksums and random numbers. */

unsigned crc_of(unsigned value)
{
    unsigned crc = ~0u;
    int at, bit;
    for (at = 0; at < 4; at++) {
        crc ^= value >> (8 * at) & 255;
        for (bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

unsigned short crc_ccitt(unsigned short crc, unsigned char byte)
{
    int bit;
    crc ^= (unsigned short)(byte << 8);
    for (bit = 0; bit < 8; bit++)
        if (crc & 0x8000)
            crc = (unsigned short)(crc << 1 ^ 0x1021);
        else
            crc = (unsigned short)(crc << 1);
    return crc;
}

unsigned adler(unsigned a, unsigned b, unsigned c)
{
    unsigned char data[3];
    unsigned low = 1, high = 0;
    int at;
    data[0] = (unsigned char)a;
    data[1] = (unsigned char)b;
    data[2] = (unsigned char)c;
    for (at = 0; at < 3; at++) {
        low = (low + data[at]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

unsigned fnv(unsigned long long value)
{
    unsigned hash = 2166136261u;
    int at;
    for (at = 0; at < 8; at++) {
        hash ^= (unsigned)(value & 255);
        hash *= 16777619u;
        value >>= 8;
    }
    return hash;
}

unsigned xorshift(unsigned state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}

unsigned linear_congruential(unsigned state, unsigned turns)
{
    turns &= 15;
    while (turns--)
        state = state * 1103515245u + 12345u;
    return state >> 16 & 0x7fff;
}

unsigned long long splitmix(unsigned long long state)
{
    state += 0x9e3779b97f4a7c15ull;
    state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9ull;
    state = (state ^ state >> 27) * 0x94d049bb133111ebull;
    return state ^ state >> 31;
}

int luhn_is_valid(unsigned number)
{
    int sum = 0, twice = 0;
    while (number) {
        int digit = (int)(number % 10);
        if (twice) {
            digit *= 2;
            if (digit > 9)
                digit -= 9;
        }
        sum += digit;
        twice = !twice;
        number /= 10;
    }
    return sum % 10 == 0;
}

int parity_of_message(unsigned a, unsigned b)
{
    unsigned word[2];
    unsigned char parity = 0;
    int at;
    word[0] = a;
    word[1] = b;
    for (at = 0; at < 2; at++)
        while (word[at]) {
            parity ^= word[at] & 1;
            word[at] >>= 1;
        }
    return parity;
}

/* Dates and times. */

int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int days_in_month(int month, int year)
{
    switch (month) {
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    case 2:
        return is_leap(year) ? 29 : 28;
    default:
        return month >= 1 && month <= 12 ? 31 : 0;
    }
}

int day_of_year(int day, int month, int year)
{
    int before;
    month = (int)((unsigned)month % 12) + 1;
    day &= 15;
    for (before = 1; before < month; before++)
        day += days_in_month(before, year);
    return day;
}

int weekday(int day, int month, int year)
{
    static const unsigned char shifts[12] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 };
    year = 1900 + (year & 255);
    month = (int)((unsigned)month % 12);
    day &= 31;
    if (month < 2)
        year--;
    return (year + year / 4 - year / 100 + year / 400 + shifts[month] + day) % 7;
}

int minutes_between(int from, int to)
{
    from = (int)((unsigned)from % 1440);
    to = (int)((unsigned)to % 1440);
    return to >= from ? to - from : to + 1440 - from;
}

/* Arrays, searching and sorting. */

static void sort_numbers(int *list, int count)
{
    int at, to;
    for (at = 1; at < count; at++) {
        int kept = list[at];
        for (to = at; to > 0 && list[to - 1] > kept; to--)
            list[to] = list[to - 1];
        list[to] = kept;
    }
}

static int find_sorted(const int *list, int count, int wanted)
{
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (list[middle] == wanted)
            return middle;
        if (list[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

static int greatest(const int *list, int count)
{
    int best = list[0], at;
    for (at = 1; at < count; at++)
        if (list[at] > best)
            best = list[at];
    return best;
}

static void fill_bytes(signed char *to, int value, int count)
{
    int at;
    for (at = 0; at < count; at++)
        to[at] = (signed char)value;
}

int middle_of_five(int a, int b, int c, int d, int e)
{
    int list[5];
    list[0] = a;
    list[1] = b;
    list[2] = c;
    list[3] = d;
    list[4] = e;
    sort_numbers(list, 5);
    return list[2];
}

int place_of(int wanted)
{
    static const int table[9] = { -40, -7, 0, 3, 8, 15, 16, 99, 1000 };
    return find_sorted(table, 9, wanted);
}

int widest_of(int a, int b, int c)
{
    int list[3];
    list[0] = a;
    list[1] = b;
    list[2] = c;
    return greatest(list, 3);
}

int fill_and_count(int value, int count)
{
    signed char buffer[20];
    int at, sum = 0;
    count &= 15;
    fill_bytes(buffer, value, count);
    for (at = 0; at < count; at++)
        sum += buffer[at];
    return sum + at;
}

int bubble_swaps(int a, int b, int c, int d)
{
    int list[4], swaps = 0, changed;
    list[0] = a;
    list[1] = b;
    list[2] = c;
    list[3] = d;
    do {
        int at;
        changed = 0;
        for (at = 0; at + 1 < 4; at++)
            if (list[at] > list[at + 1]) {
                int kept = list[at];
                list[at] = list[at + 1];
                list[at + 1] = kept;
                swaps++;
                changed = 1;
            }
    } while (changed);
    return swaps;
}

int longest_run(unsigned bits)
{
    int best = 0, run = 0, at;
    for (at = 0; at < 32; at++) {
        run = bits >> at & 1 ? run + 1 : 0;
        if (run > best)
            best = run;
    }
    return best;
}

int best_sum(int a, int b, int c, int d)
{
    short list[4];
    int best, here, at;
    list[0] = (short)a;
    list[1] = (short)b;
    list[2] = (short)c;
    list[3] = (short)d;
    best = here = list[0];
    for (at = 1; at < 4; at++) {
        here = here > 0 ? here + list[at] : list[at];
        if (here > best)
            best = here;
    }
    return best;
}

int histogram_peak(unsigned value)
{
    unsigned char counts[8];
    int at, best = 0;
    for (at = 0; at < 8; at++)
        counts[at] = 0;
    for (at = 0; at < 10; at++) {
        counts[value & 7]++;
        value >>= 3;
    }
    for (at = 1; at < 8; at++)
        if (counts[at] > counts[best])
            best = at;
    return best * 16 + counts[best];
}

int rotate_window(int by, int at)
{
    int window[6], turned[6], each;
    by = (int)((unsigned)by % 6);
    for (each = 0; each < 6; each++)
        window[each] = each * each;
    for (each = 0; each < 6; each++)
        turned[(each + by) % 6] = window[each];
    return turned[(unsigned)at % 6];
}

int determinant(int a, int b, int c, int d)
{
    int matrix[2][2];
    matrix[0][0] = (short)a;
    matrix[0][1] = (signed char)b;
    matrix[1][0] = (signed char)c;
    matrix[1][1] = (signed char)d;
    return matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0];
}

int trace_of_square(int a, int b)
{
    long long m[3][3], s = 0;
    int i, j, k;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            m[i][j] = (signed char)a * i - (signed char)b * j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            for (k = 0; k < 3; k++)
                if (i == j)
                    s += m[i][k] * m[k][j];
    return (int)s;
}

int pascal(unsigned row, unsigned at)
{
    int line[9], i, j;
    row &= 7;
    at &= 7;
    for (i = 0; i < 9; i++)
        line[i] = 0;
    line[0] = 1;
    for (i = 1; i <= (int)row; i++)
        for (j = i; j > 0; j--)
            line[j] += line[j - 1];
    return line[at];
}

int edit_distance(unsigned one, unsigned two)
{
    unsigned char cost[5][5];
    int i, j;
    for (i = 0; i < 5; i++) {
        cost[i][0] = (unsigned char)i;
        cost[0][i] = (unsigned char)i;
    }
    for (i = 1; i < 5; i++)
        for (j = 1; j < 5; j++) {
            int same = (one >> (i * 2) & 3) == (two >> (j * 2) & 3);
            int best = cost[i - 1][j - 1] + !same;
            if (cost[i - 1][j] + 1 < best)
                best = cost[i - 1][j] + 1;
            if (cost[i][j - 1] + 1 < best)
                best = cost[i][j - 1] + 1;
            cost[i][j] = (unsigned char)best;
        }
    return cost[4][4];
}

/* State machines and others. */

int parse_number(int a, int b, int c)
{
    char text[4], *at = text;
    text[0] = (char)a;
    text[1] = (char)b;
    text[2] = (char)c;
    text[3] = 0;
    {
        int state = 0, value = 0;
        while (*at) {
            switch (state) {
            case 0:
                if (*at == '-')
                    state = 1;
                else if (*at >= '0' && *at <= '9') {
                    value = *at - '0';
                    state = 2;
                } else
                    return -1;
                break;
            case 1:
            case 2:
                if (*at < '0' || *at > '9')
                    return -2;
                value = value * 10 + *at - '0';
                state = 2;
                break;
            default:
                return -3;
            }
            at++;
        }
        return state == 2 ? value : -4;
    }
}

int traffic_light(int state, int turns)
{
    turns &= 7;
    state &= 3;
next:
    if (turns-- <= 0)
        return state;
    switch (state) {
    case 0:
        state = 1;
        goto next;
    case 1:
        state = 3;
        goto next;
    case 3:
        state = 2;
        goto next;
    default:
        state = 0;
    }
    goto next;
}

int run_code(unsigned program, int value)
{
    int stack[8], top = 0, left = 8;
    stack[top++] = (short)value;
    while (left--) {
        unsigned op = program & 7;
        program >>= 3;
        if (op == 0)
            break;
        if (op == 1 && top < 7)
            stack[top++] = left;
        else if (op == 2 && top > 1) {
            stack[top - 2] += stack[top - 1];
            top--;
        } else if (op == 3 && top > 1) {
            stack[top - 2] ^= stack[top - 1];
            top--;
        } else if (op == 4)
            stack[top - 1] = ~stack[top - 1];
        else if (op == 5 && top < 7) {
            stack[top] = stack[top - 1];
            top++;
        }
    }
    return stack[top - 1];
}

int ring_buffer(int pushes, int value)
{
    short ring[4];
    unsigned head = 0, tail = 0;
    int sum = 0;
    pushes &= 15;
    while (pushes--) {
        if (head - tail == 4)
            sum += ring[tail++ & 3];
        ring[head++ & 3] = (short)(value + pushes);
    }
    while (tail != head)
        sum ^= ring[tail++ & 3];
    return sum;
}

int josephus(int people, int step)
{
    int survivor = 0, count;
    people &= 31;
    step = (step & 7) + 1;
    for (count = 2; count <= people; count++)
        survivor = (survivor + step) % count;
    return survivor;
}

int hanoi(int disks)
{
    disks &= 7;
    if (disks == 0)
        return 0;
    return 2 * hanoi(disks - 1) + 1;
}

int tax(int income)
{
    int due = 0;
    if (income < 0 || income > 10000000)
        return 0;
    if (income > 50000) {
        due += (income - 50000) * 40 / 100;
        income = 50000;
    }
    if (income > 20000) {
        due += (income - 20000) * 25 / 100;
        income = 20000;
    }
    if (income > 5000)
        due += (income - 5000) / 10;
    return due;
}

int triangle_kind(int a, int b, int c)
{
    a &= 255;
    b &= 255;
    c &= 255;
    if (a + b <= c || b + c <= a || a + c <= b)
        return 0;
    if (a == b && b == c)
        return 3;
    return a == b || b == c || a == c ? 2 : 1;
}

int in_rectangle(int x, int y, int left, int top, int width, int height)
{
    width &= 0xffff;
    height &= 0xffff;
    return x >= left && x - (long long)left < width && y >= top && y - (long long)top < height;
}

unsigned blend_pixels(unsigned one, unsigned two, unsigned alpha)
{
    unsigned out = 0;
    int shift;
    alpha &= 255;
    for (shift = 0; shift < 32; shift += 8) {
        unsigned a = one >> shift & 255, b = two >> shift & 255;
        out |= (a * alpha + b * (255 - alpha) + 127) / 255 << shift;
    }
    return out;
}

unsigned gray_of(unsigned pixel)
{
    unsigned red = pixel >> 16 & 255, green = pixel >> 8 & 255, blue = pixel & 255;
    return (red * 77 + green * 150 + blue * 29) >> 8;
}

int permission_bits(int owner, int group, int others)
{
    int mode = 0, at;
    int each[3];
    each[0] = owner;
    each[1] = group;
    each[2] = others;
    for (at = 0; at < 3; at++) {
        mode <<= 3;
        mode |= each[at] & 7;
    }
    return mode;
}

int version_compare(unsigned one, unsigned two)
{
    int shift;
    for (shift = 24; shift >= 0; shift -= 8) {
        unsigned a = one >> shift & 255, b = two >> shift & 255;
        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

int retries_until(int first, int limit)
{
    int delay = (first & 31) + 1, waited = 0, count = 0;
    limit &= 4095;
    do {
        waited += delay;
        delay += delay;
        count++;
    } while (waited < limit && count < 16);
    return count;
}
