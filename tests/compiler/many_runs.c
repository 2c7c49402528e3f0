/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded before a program, runs its main() once for each line of standard input, in a process of its own: "@" among the arguments
 * becomes the line, standard error goes to a file of that name with ".err" behind it, and the exit status, or a signal as a
 * negative number, is printed. Most of what a short run of sode-rewrite takes is to load and initialise Clang; so that is done
 * once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int entry(int, char**, char**);
static entry* program;

static void run(int argc, char** argv, char** environment, char* path) {
    /* A hang is one in processor time: how long it takes beside that depends on what else runs. */
    struct rlimit const seconds = {20, 20};
    setrlimit(RLIMIT_CPU, &seconds);
    char errors[4096];
    snprintf(errors, sizeof errors, "%s.err", path);
    int const out = open("/dev/null", O_WRONLY), err = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0 || err < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
    for (int i = 1; i < argc; ++i)
        if (strcmp(argv[i], "@") == 0) argv[i] = path;
    exit(program(argc, argv, environment));
}

static int many(int argc, char** argv, char** environment) {
    char path[4000];
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = 0;
        pid_t const child = fork();
        if (child == 0) run(argc, argv, environment, path);
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) return 1;
        dprintf(1, "%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    }
    return 0;
}

int __libc_start_main(entry* main, int argc, char** argv, void (*init)(void), void (*fini)(void), void (*end)(void), void* stack) {
    typedef int start(entry*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
    start* const next = (start*)dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    unsetenv("LD_PRELOAD");
    return next(many, argc, argv, init, fini, end, stack);
}
