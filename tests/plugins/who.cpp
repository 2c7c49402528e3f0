// SPDX-License-Identifier: Apache-2.0
// Says how it was started. Built without MPI, and linked with each, where `init` lets it initialise MPI itself.
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <sode/sode.hpp>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
    try {
#ifdef WITH_MPI
        if (argc > 1) MPI_Init(&argc, &argv);
#endif
        {
            sode::runtime rt{argc, argv};
            auto const all = sode::reduce(sode::grid<1>{rt, {100}}.all(), 0, sode::sum, [](auto i) { return static_cast<int>(i); });
            if (rt.root()) std::printf("%s; sum %d\n", rt.describe().c_str(), all);
        }
#ifdef WITH_MPI
        if (argc > 1) MPI_Finalize();
#endif
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
