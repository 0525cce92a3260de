/* Tries to remove, change and make files in the directory that it is given. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[4096];

static const char *in(const char *directory, const char *name) {
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

int main(int argc, char **argv) {
    int done = 0;
    for (int i = 1; i < argc; i++) {
        done += unlink(in(argv[i], "kept")) == 0;
        done += truncate(in(argv[i], "kept"), 0) == 0;
        done += chmod(in(argv[i], "kept"), 0) == 0;
        done += rename(in(argv[i], "kept"), "taken") == 0;
        done += open(in(argv[i], "kept"), O_WRONLY) >= 0;
        done += open(in(argv[i], "new"), O_CREAT | O_RDWR, 0600) >= 0;
        done += mkdir(in(argv[i], "directory"), 0700) == 0;
        done += symlink("kept", in(argv[i], "link")) == 0;
    }
    printf("%d\n", done);
    return 0;
}
