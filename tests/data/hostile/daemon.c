/* Leaves a process behind that has nothing in common with its parents. */
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

int main(int argc, char **argv) {
    printf("%d arguments\n", argc);
    fflush(stdout);
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            if (chdir("/") == 0)
                for (int fd = 0; fd < 16; fd++)
                    close(fd);
            sleep(600);
        }
        _exit(0);
    }
    /* Long enough for it to get away. */
    usleep(20000);
    return 0;
}
