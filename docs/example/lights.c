/* How long a set of traffic lights takes for a day's programme. One entry of the
 * table is given twice, and the later one counts (C11 6.7.9p19). */
#include <stdio.h>

enum light { RED, AMBER, GREEN, LIGHTS };

struct step {
    enum light light;
    int times;
};

static unsigned seconds[LIGHTS] = {
    [RED] = 20, [AMBER] = 5, [GREEN] = 30, [AMBER] = 2,
};

static const struct step programme[] = {
    { RED, 10 }, { AMBER, 4 }, { GREEN, 12 }, { AMBER, 4 },
};

static unsigned long total(const struct step *steps, int count)
{
    unsigned long sum = 0;
    int i;
    for (i = 0; i < count; i++) {
        switch (steps[i].light) {
        case RED:
        case GREEN:
            sum += (unsigned long)seconds[steps[i].light] * steps[i].times;
            break;
        case AMBER:
            sum += seconds[AMBER] * steps[i].times;
            break;
        default:
            return 0;
        }
    }
    return sum;
}

int main(void)
{
    int count = sizeof programme / sizeof programme[0];
    unsigned long sum = total(programme, count);
    int light;
    for (light = RED; light < LIGHTS; light++)
        printf("light %d: %u s\n", light, seconds[light]);
    printf("a programme of %d steps takes %lu s\n", count, sum);
    return sum == 0;
}
