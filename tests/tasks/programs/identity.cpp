// SPDX-License-Identifier: Apache-2.0
// Prints its pid and where things of its own lie, then waits for the end of its input, and prints a global that others may have
// changed.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unistd.h>

int global = 1;
thread_local int local = 2;

int main(int argc, char**) {
    int on_stack = argc;
    auto const on_heap = std::make_unique<int[]>(100);
    auto const on_far_heap = std::make_unique<char[]>(10'000'000);
    on_heap[0] = global = ::getpid();
    std::printf("%d %p %p %p %p %p %p\n", ::getpid(), static_cast<void*>(&global), static_cast<void*>(&local),
                static_cast<void*>(&on_stack), static_cast<void*>(on_heap.get()), static_cast<void*>(on_far_heap.get()),
                reinterpret_cast<void*>(&std::printf));
    std::fflush(stdout);
    char c = 0;
    while (::read(0, &c, 1) > 0) {
    }
    std::printf("%d\n", global);
}
