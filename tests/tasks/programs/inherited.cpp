// SPDX-License-Identifier: Apache-2.0
// Prints what a process inherits.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <sched.h>
#include <string>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
    for (int i = 0; i < argc; ++i) std::printf("argument %s\n", argv[i]);
    if (char const* const said = std::getenv("said")) std::printf("said %s\n", said);
    char folder[4096] = {};
    std::printf("folder %s\n", ::getcwd(folder, sizeof folder));
    mode_t const mask = ::umask(0);
    std::printf("umask %o\n", mask);
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    std::printf("files %ld %ld\n", static_cast<long>(files.rlim_cur), static_cast<long>(files.rlim_max));
    std::printf("nice %d\n", ::getpriority(PRIO_PROCESS, 0));
    cpu_set_t cpus;
    ::sched_getaffinity(0, sizeof cpus, &cpus);
    std::printf("processors %d first %d\n", CPU_COUNT(&cpus), CPU_ISSET(0, &cpus));
    struct sigaction action {};
    ::sigaction(SIGPIPE, nullptr, &action);
    std::printf("pipe signal %s\n", action.sa_handler == SIG_IGN ? "ignored" : "deadly");
    sigset_t blocked;
    ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
    std::printf("user signal %s\n", sigismember(&blocked, SIGUSR1) != 0 ? "blocked" : "open");
    std::string numbers;
    if (DIR* const list = ::opendir("/proc/self/fd")) {
        while (dirent const* const entry = ::readdir(list))
            if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(list)) numbers += std::string{" "} + entry->d_name;
        ::closedir(list);
    }
    std::printf("descriptors%s\n", numbers.c_str());
    char name[16] = {};
    ::prctl(PR_GET_NAME, name);
    std::printf("name %s\n", name);
    std::printf("page %lu secure %lu user %d\n", ::getauxval(AT_PAGESZ), ::getauxval(AT_SECURE), ::getauxval(AT_UID) == ::getuid());
}
