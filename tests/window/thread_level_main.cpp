// SPDX-License-Identifier: Apache-2.0
// A program that initialises MPI itself, for the level its argument says, and has a window: what it is told.
#include <sode/mpi.hpp>
#include <sode/window.hpp>

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
    bool const several = argc > 1 && std::strcmp(argv[1], "multiple") == 0;
    int provided = 0;
    MPI_Init_thread(&argc, &argv, several ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    {
        sode::runtime rt{std::make_unique<sode::mpi_bootstrap>(MPI_COMM_WORLD)};
        try {
            sode::window w{rt, 8, "w"};
            w.word(rt.size() - 1, 0, 8, sode::word_operation::add, 1);
            w.barrier();
            if (rt.root()) std::printf("%d\n", static_cast<int>(w.word(rt.size() - 1, 0, 8, sode::word_operation::load)));
            w.barrier();
        } catch (sode::error const& e) {
            if (rt.root()) std::printf("%s\n", e.what());
        }
    }
    MPI_Finalize();
    return 0;
}
