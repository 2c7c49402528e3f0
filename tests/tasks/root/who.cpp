// SPDX-License-Identifier: Apache-2.0
// Tells everything that a process inherits, or does what its first argument says.
#include <array>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

void tell_descriptors() {
    DIR* const all = opendir("/proc/self/fd");
    for (dirent const* entry = readdir(all); entry != nullptr; entry = readdir(all)) {
        int const fd = std::atoi(entry->d_name);
        if (entry->d_name[0] == '.' || fd == dirfd(all)) continue;
        struct stat status {};
        fstat(fd, &status);
        std::printf("descriptor %d of kind %o\n", fd, status.st_mode & S_IFMT);
    }
    closedir(all);
}

void tell_signals() {
    for (int s = 1; s < 32; ++s) {
        struct sigaction action {};
        sigaction(s, nullptr, &action);
        sigset_t blocked;
        sigprocmask(SIG_SETMASK, nullptr, &blocked);
        std::printf("%d%d", action.sa_handler == SIG_IGN ? 1 : 0, sigismember(&blocked, s));
    }
    std::printf(" signals\n");
}

void tell_limits() {
    for (int r = 0; r < RLIM_NLIMITS; ++r) {
        rlimit limit{};
        getrlimit(static_cast<__rlimit_resource_t>(r), &limit);
        std::printf("limit %d %lu %lu\n", r, limit.rlim_cur, limit.rlim_max);
    }
}

void tell_rest(int argc, char** argv) {
    for (int i = 0; i < argc; ++i) std::printf("argument %s\n", argv[i]);
    char const* const variable = std::getenv("WHO_VARIABLE");
    std::printf("variable of %zu characters\n", variable != nullptr ? std::strlen(variable) : 0);
    std::array<char, PATH_MAX> folder{};
    std::printf("folder %s\n", getcwd(folder.data(), folder.size()) != nullptr ? folder.data() : "gone");
    std::printf("%s a session\n", getsid(0) == getpid() ? "leads" : "is in");
    mode_t const mask = umask(0);
    std::printf("umask %o, nice %d, processors", mask, getpriority(PRIO_PROCESS, 0));
    cpu_set_t where;
    sched_getaffinity(0, sizeof where, &where);
    for (std::size_t p = 0; p < CPU_SETSIZE; ++p)
        if (CPU_ISSET(p, &where)) std::printf(" %zu", p);
    std::printf("\n");
}

} // namespace

int main(int argc, char** argv) {
    std::string const act = argc > 1 ? argv[1] : "";
    if (act == "exit") return std::atoi(argv[2]);
    if (act == "die") {
        raise(std::atoi(argv[2]));
        return 0;
    }
    if (act == "wait") {
        std::printf("pid %d\n", static_cast<int>(getpid()));
        std::fflush(stdout);
        if (argc > 2)
            sleep(static_cast<unsigned>(std::atoi(argv[2])));
        else
            while (true) pause();
        return 0;
    }
    if (act == "signals") {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, nullptr);
        std::printf("pid %d\n", static_cast<int>(getpid()));
        for (int s = 0; s != SIGTERM;) {
            std::fflush(stdout);
            sigwait(&all, &s);
            std::printf("got %d\n", s);
        }
        return 0;
    }
    if (act == "copy") {
        for (int c = std::getchar(); c != EOF; c = std::getchar()) std::putchar(c);
        return 0;
    }
    tell_descriptors();
    tell_signals();
    tell_limits();
    tell_rest(argc, argv);
    return 0;
}
