/* Nothing says that the main thread must look again. */
#include <pthread.h>
#include <stdio.h>

static int ready, value;

static void *work(void *p)
{
    for (volatile int i = 0; i < 100000; i++)
        ;
    value = *(int *)p;
    ready = 1;
    return 0;
}

int main(void)
{
    int answer = 42, turns = 0;
    pthread_t thread;
    pthread_create(&thread, 0, work, &answer);
    for (volatile int i = 0; i < 2000000000 && !ready; i++)
        if (value > 100)
            turns++;
    pthread_join(thread, 0);
    printf("%d %d\n", value, turns);
    return 0;
}
