// SPDX-License-Identifier: Apache-2.0
// deny_call NUMBER ERRNO PROGRAM [ARGUMENTS]: runs a program in which one system call fails so, as in a sandbox.
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    sock_filter filter[]{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                         {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<unsigned>(std::atoi(argv[1]))},
                         {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | static_cast<unsigned>(std::atoi(argv[2]))},
                         {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
    sock_fprog const program{sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        std::perror("deny_call");
        return 77;
    }
    execvp(argv[3], argv + 3);
    std::perror(argv[3]);
    return 127;
}
