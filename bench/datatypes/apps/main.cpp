// SPDX-License-Identifier: Apache-2.0
// A small application by itself: how long a run takes, and how much of that is communication. A plain MPI program:
//
//     mpirun -n 2 bench_datatypes_app_openmpi fft2d 4096           mpirun -n 2 sode task bench_datatypes_app_openmpi fft2d 4096
#include "datatypes/apps/application.hpp"
#include "support/statistics.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

namespace {

using namespace sode::internal::bench;

struct options {
    std::string name;
    std::vector<int> size;
    int runs = 5;
};

std::unique_ptr<application> make(options const& o, method m, mpi_world const& world) {
#ifdef SODE_BENCH_FFTW
    if (o.name == "fft2d" && o.size.size() == 1) return make_fft2d(o.size[0], m, world);
#endif
    if (o.name == "wavefront" && o.size.size() == 3) return make_wavefront(o.size[0], o.size[1], o.size[2], m, world);
    if (o.name == "cg" && o.size.size() == 2) return make_cg(o.size[0], o.size[1], m, world);
    if (o.name == "slab" && o.size.size() == 2) return make_slab(o.size[0], o.size[1], world);
    throw std::invalid_argument{"there is fft2d N (where FFTW is), wavefront NI NJ NK, cg N ITERATIONS and slab N STEPS"};
}

/// Wrong elements of all ranks.
long tell(options const& o, method m, mpi_world const& world) {
    auto const app = make(o, m, world);
    std::vector<double> us;
    long wrong = 0;
    for (int r = 0; r < o.runs + 1; ++r) {
        app->rewrite(static_cast<std::uint64_t>(r), true);
        MPI_Barrier(world.communicator());
        double const begin = MPI_Wtime();
        app->exchange();
        double mine = 1e6 * (MPI_Wtime() - begin), slowest = 0;
        MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, world.communicator());
        wrong += app->mismatches(static_cast<std::uint64_t>(r));
        if (r > 0)
            us.push_back(slowest);
        else
            static_cast<void>(app->communication_share()); // the first one warms up
    }
    double share = app->communication_share(), shares = 0;
    long all_wrong = 0;
    MPI_Allreduce(&share, &shares, 1, MPI_DOUBLE, MPI_SUM, world.communicator());
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, world.communicator());
    if (world.rank() == 0)
        fmt::print("{:<10} {:>12.1f} us a run (median of {}), {:>5.1f} % communication, {}\n", app->name(), median(us), o.runs,
                   100 * shares / world.size(), all_wrong == 0 ? "correct" : fmt::format("{} elements are WRONG", all_wrong));
    return all_wrong;
}

} // namespace

int main(int argc, char** argv) {
    mpi_world const world{argc, argv};
    options o;
    std::string by = "both";
    CLI::App app{"A two-dimensional FFT, LU's sweeps, conjugate gradients, or Jacobi's method on slabs, by derived datatypes and "
                 "packed by hand"};
    app.add_option("application", o.name, "fft2d, wavefront, cg or slab")->required();
    app.add_option("size", o.size, "4096; 16 512 64; 64 50; 64 500")->required()->check(CLI::PositiveNumber);
    auto const* const chosen = app.add_option("--by", by, "How what is not contiguous is moved (slab: nothing is)")
                                   ->check(CLI::IsMember({"datatypes", "packing", "both"}));
    app.add_option("--runs", o.runs, "Runs that are timed")->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        long wrong = 0;
        if (o.name == "slab") {
            if (chosen->count() > 0) throw std::invalid_argument{"slab has contiguous messages only, so that --by says nothing"};
            by = "datatypes";
        }
        if (by != "packing") wrong += tell(o, method::datatypes, world);
        if (by != "datatypes") wrong += tell(o, method::packing, world);
        return wrong == 0 ? 0 : 1;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_datatypes_app, rank {}: {}\n", world.rank(), e.what());
        std::fflush(nullptr);
        MPI_Abort(world.communicator(), 2);
    }
    return 2;
}
