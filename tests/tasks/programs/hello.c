// SPDX-License-Identifier: Apache-2.0
// As little as a program can be: says who and where it is, and waits for the end of its input. `hello deep` overflows its stack
// first.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int global = 42;

static int deep(int level) {
    char volatile room[1000];
    room[level % 1000] = 1;
    return level < 0 ? 0 : deep(level + 1) + room[0];
}

int main(int argc, char** argv) {
    if (argc > 1 && strcmp(argv[1], "deep") == 0) return deep(0);
    printf("%d %p\n", (int)getpid(), (void*)&global);
    fflush(stdout);
    char c;
    while (read(0, &c, 1) > 0) {
    }
    return global == 42 ? 0 : 1;
}
