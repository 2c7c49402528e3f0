// SPDX-License-Identifier: Apache-2.0
// Files in a program of an MPI, whichever.
#include "marks.hpp"

#include <sode/hdf5.hpp>
#include <sode/mpi.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int wrong = 0;
    try {
        sode::runtime rt{std::make_unique<sode::mpi_bootstrap>(MPI_COMM_WORLD), argc, argv};
        sode::grid<2> const g{rt, {40, 30}};
        sode::array<double, 2> a{g, sode::shadow{1}}, b{g};
        sode::internal::testing::set_marks(a);
        sode::write(argv[1], {{"a", a}}, {.step = rt.size()});
        auto const when = sode::read(argv[1], {{"a", b}});
        wrong = sode::internal::testing::wrong_marks(b) + (when.step != rt.size() ? 1 : 0);
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        wrong = 1;
    }
    int all = 0;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
