// SPDX-License-Identifier: Apache-2.0
// A program to be looked at by a debugger: its global tells which rank it is.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

int debugged_value = -1;

// Not static, and with something to do behind the call: a frame of its own.
[[gnu::noinline]] int wait_to_be_looked_at(int more) {
    std::printf("waits %d\n", static_cast<int>(getpid()));
    std::fflush(stdout);
    sleep(60);
    return more + debugged_value;
}

int main(int, char** argv) {
    debugged_value = 100 + std::atoi(argv[1]) + static_cast<int>(getpid());
    return wait_to_be_looked_at(1) == 0 ? 1 : 0;
}
