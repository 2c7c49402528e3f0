// SPDX-License-Identifier: Apache-2.0
// Loops of messages, as programs have them. The program knows nothing of Sode: whoever wants to know what the layer does for it, or
// costs it, runs it with and without (`../compare.py`), or lets it compare the functions that it is linked with with those of an
// MPI library itself, block by block in one job:
//
//     mpirun -n 2 env LD_PRELOAD=libsode-interpose-openmpi.so bench_loops_messages_openmpi --beside libmpi.so.40 --only exchange
#include "loop.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace {

using namespace sode::internal::bench;

struct options {
    std::vector<std::string> only;
    std::vector<int> sizes{1, 8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1 << 20};
    std::string beside;
    int blocks = 41;
    double block_us = 400;
    bool multiple = false;
};

/// Microseconds a turn, of this rank.
double timed(turn const& t, int turns) {
    double const begin = MPI_Wtime();
    for (int i = 0; i < turns; ++i) t();
    return (MPI_Wtime() - begin) / turns * 1e6;
}

double median(std::vector<double> all) {
    std::ranges::sort(all);
    return all[all.size() / 2];
}

/// How many turns a block has, equally on all ranks.
int turns_of(turn const& t, ring const& at, options const& o) {
    int const warm = 64;
    PMPI_Barrier(at.comm);
    timed(t, warm);
    double us = timed(t, warm);
    PMPI_Bcast(&us, 1, MPI_DOUBLE, 0, at.comm);
    return std::clamp(static_cast<int>(o.block_us / us), 4, 4096);
}

double round_trip(ring const& at) {
    auto const loops = contiguous_loops();
    auto const t = loops.front().make({}, at, 1);
    timed(t, 200);
    return timed(t, 1000);
}

/// The blocks' ratio of the two, with the interval of its median.
void print_ratio(std::string const& name, int bytes, std::vector<double> const& linked, std::vector<double> const& library) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < linked.size(); ++i) ratios.push_back(library[i] / linked[i]);
    std::ranges::sort(ratios);
    auto const n = static_cast<double>(ratios.size());
    auto const at = [&](double place) { return ratios[static_cast<std::size_t>(std::clamp(place, 0.0, n - 1))]; };
    double const off = 0.98 * std::sqrt(n);
    double const us = median(library), with = median(linked);
    fmt::print("{:24} {:8} {:10.3f} {:10.3f}   {:5.3f}  {:.3f} to {:.3f}  {:+.0f} ns\n", name, bytes, us, with, at(n / 2),
               at(std::floor(n / 2 - off)), at(std::ceil(n / 2 + off)), (with - us) * 1000);
}

void run_one(loop const& l, ring const& at, int bytes, functions const* beside, options const& o) {
    auto const linked = l.make({}, at, bytes);
    int const turns = turns_of(linked, at, o);
    std::vector<double> ours, theirs;
    auto const other = beside != nullptr ? l.make(*beside, at, bytes) : turn{};
    if (other) timed(other, 64);
    for (int i = 0; i < o.blocks; ++i)
        for (bool const first : {true, false}) {
            bool const ours_now = first == (i % 2 == 0);
            if (!ours_now && !other) continue;
            PMPI_Barrier(at.comm);
            (ours_now ? ours : theirs).push_back(timed(ours_now ? linked : other, turns));
        }
    if (at.rank != 0) return;
    if (other)
        print_ratio(l.name, bytes, ours, theirs);
    else
        fmt::print("{} messages row {} {:.4f}\n", l.name, bytes, *std::ranges::min_element(ours));
    std::fflush(stdout);
}

void run(options const& o) {
    ring at;
    MPI_Comm_rank(at.comm, &at.rank);
    MPI_Comm_size(at.comm, &at.ranks);
    auto loops = contiguous_loops();
    for (auto& l : face_loops()) loops.push_back(std::move(l));
    functions beside;
    if (!o.beside.empty()) beside = functions::of_library(o.beside);
    for (auto const& name : o.only)
        if (std::ranges::none_of(loops, [&](loop const& l) { return l.name.starts_with(name); }))
            throw std::runtime_error{"no such loop: " + name};
    auto const tell_distance = [&] {
        if (double const us = round_trip(at); at.rank == 0) fmt::print("round_trip {:.3f}\n", us);
    };
    tell_distance();
    // In the order of their names: what an earlier loop has done stays, as that records have come.
    for (auto const& name : o.only.empty() ? std::vector<std::string>{""} : o.only)
        for (auto const& l : loops)
            for (int const bytes : o.sizes)
                if (l.name.starts_with(name) && bytes >= l.least && bytes <= l.most)
                    run_one(l, at, bytes, o.beside.empty() ? nullptr : &beside, o);
    tell_distance();
}

} // namespace

int main(int argc, char** argv) {
    options o;
    CLI::App app{"Loops of messages, timed as programs do that know of no layer"};
    app.add_option("--only", o.only, "Loops whose names begin so, in that order")->delimiter(',');
    app.add_option("--sizes", o.sizes, "Bytes")->delimiter(',');
    app.add_option("--beside", o.beside,
                   "An MPI library whose own functions are timed in turn with those that the program is linked with");
    app.add_option("--blocks", o.blocks, "That are timed, of each; without --beside the fastest one is printed");
    app.add_option("--block-us", o.block_us, "Microseconds of a block");
    app.add_flag("--multiple", o.multiple, "Asks for MPI_THREAD_MULTIPLE");
    CLI11_PARSE(app, argc, argv);
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, o.multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    try {
        run(o);
    } catch (std::exception const& e) {
        fmt::print(stderr, "{}\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
