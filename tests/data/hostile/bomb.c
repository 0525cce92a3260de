/* Forks for as long as it can, each process in a session of its own. Where nobody puts
   it out, it stops at a number that a machine survives. */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int flags = MAP_SHARED | MAP_ANONYMOUS;
    int *born = mmap(0, sizeof *born, PROT_READ | PROT_WRITE, flags, -1, 0);
    printf("%d arguments\n", argc);
    fflush(stdout);
    while (__atomic_add_fetch(born, 1, __ATOMIC_RELAXED) < 1500)
        if (fork() == 0)
            setsid();
    sleep(60);
    return 0;
}
