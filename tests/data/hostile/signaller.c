/* Tries to end the process that it is given, and its parent. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int done = 0;
    for (int i = 1; i < argc; i++)
        done += kill(atoi(argv[i]), SIGKILL) == 0;
    if (getppid() > 1)
        done += kill(getppid(), SIGKILL) == 0;
    printf("%d\n", done);
    return 0;
}
