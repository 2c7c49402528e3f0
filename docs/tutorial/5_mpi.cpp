// SPDX-License-Identifier: Apache-2.0
#include <sode/mpi.hpp>
#include <sode/sode.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        sode::runtime rt{std::make_unique<sode::mpi_bootstrap>(MPI_COMM_WORLD), argc, argv}; // ranks are those of the communicator
        sode::grid<2> g{rt, {300, 300}};
        sode::array<double, 2> u{g, sode::shadow{1}};
        auto halo = sode::reflect_init({.periodic = true}, u);

        sode::loop(g.all(), [v = *u](auto i, auto j) { v(i, j) = static_cast<double>(i + j); });
        halo();

        double mine = 0; // the points that this rank owns; MPI does the rest, as it always has
        for (auto const& [i, j] : g.local()) mine += (*u)(i - 1, j) - (*u)(i + 1, j);
        double sum = 0;
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rt.root()) std::printf("around the ring the differences add up to %.0f\n", sum);
    } // everything of Sode is gone before MPI is
    MPI_Finalize();
}
