// SPDX-License-Identifier: Apache-2.0
// Says which task it is, what its forked child is, and what a program is that it executes.
#include "base/task_board.hpp"

#include <cstdio>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
    auto const tell = [](std::string const& who) {
        auto const place = sode::internal::own_task_place();
        if (place)
            std::printf("%stask %d rank %d of %u, mine %d\n", who.c_str(), place->index,
                        place->board->entries[place->index].rank.load(), place->board->capacity, place->board->owner_of(&place));
        else
            std::printf("%sno task\n", who.c_str());
        std::fflush(stdout);
    };
    tell(argc > 1 ? argv[1] : "");
    if (argc > 1) return 0;
    if (::fork() == 0) {
        tell("forked: ");
        ::_exit(0);
    }
    ::wait(nullptr);
    if (::fork() == 0) {
        ::execl(argv[0], argv[0], "executed: ", nullptr);
        ::_exit(1);
    }
    int status = 0;
    ::wait(&status);
    return WEXITSTATUS(status);
}
