// SPDX-License-Identifier: Apache-2.0
// One message a pair of machines against one a pair of ranks: both exchanges in one job, by turns. Half of the ranks are to be on
// one host, half on another; each has one neighbour on the other host, or with --diagonals up to three, of the same size each:
//
//     $PWD/tests/hosts/with-hosts 2 $PWD/tests/hosts/mpirun openmpi 2 4 build/release/bin/bench_machines
//     $PWD/tests/hosts/with-hosts 2 $PWD/tests/hosts/mpirun openmpi 2 2 build/release/bin/bench_machines --diagonals 1
#include "support/statistics.hpp"

#include <sode/sode.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

using clock = std::chrono::steady_clock;

/// A face of `elements` doubles to the other host, and back; with `diagonals` as many to the neighbours of that rank, too.
class faces {
public:
    faces(sode::runtime& rt, sode::index_t elements, bool diagonals, char const* channel)
        : ranks_(rt, {2, rt.size() / 2}, sode::in_order),
          where_(ranks_, {2, elements * (rt.size() / 2)}, {sode::block, sode::block}),
          u_(where_, diagonals ? sode::shadow{{1, 1}, {elements, elements}} : sode::shadow{{1, 1}, {0, 0}}, 0.0, "u"),
          halo_(sode::reflect_init({.corners = diagonals, .channel = channel}, u_)), rank_(rt.rank()) {}

    /// Microseconds of one exchange, and whether it brought what it should.
    double timed(double value) {
        auto const u = *u_;
        auto const mine = u_.owned();
        for (auto j = mine.lower[1]; j < mine.upper[1]; ++j) u(mine.lower[0], j) = value + static_cast<double>(j);
        auto const begin = clock::now();
        halo_();
        double const us = std::chrono::duration<double, std::micro>(clock::now() - begin).count();
        auto const other = 1 - mine.lower[0];
        auto const all = u_.allocated();
        auto const end = where_.extent(1);
        for (auto j = std::max<sode::index_t>(all.lower[1], 0); j < std::min(all.upper[1], end); ++j)
            if (u(other, j) != value + static_cast<double>(j))
                std::fprintf(stderr, "rank %d: wrong element %ld\n", rank_, j), std::abort();
        return us;
    }

private:
    sode::nodes<2> ranks_;
    sode::distribution<2> where_;
    sode::array<double, 2> u_;
    sode::reflection halo_;
    int rank_;
};

} // namespace

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    int const turns = rt.arg("--turns", 31), rounds = rt.arg("--rounds", 40);
    bool const diagonals = rt.arg("--diagonals", 0) != 0;
    if (rt.root())
        fmt::print("{}\n{:>10}  {:>10}  {:>10}  {:>8}  [95 %]\n", rt.describe(), "bytes", "apart us", "together us",
                   "apart/together");
    for (sode::index_t elements : {1, 128, 512, 2048, 8192, 32768}) {
        faces apart{rt, elements, diagonals, "mpi"}, together{rt, elements, diagonals, "mpi-machine"};
        std::vector<double> times[2], ratios;
        double value = 0;
        for (int t = 0; t < turns; ++t) {
            double medians[2];
            for (int which : {0, 1}) {
                auto& f = which == 0 ? apart : together;
                std::vector<double> block;
                for (int r = 0; r < rounds; ++r) {
                    rt.barrier();
                    block.push_back(f.timed(value += 1));
                }
                // What counts is when the last one is done.
                double const mine = sode::internal::bench::median(block);
                sode::grid<1> const all{rt, {rt.size()}};
                medians[which] = sode::reduce(all.all(), 0.0, sode::max, [mine](auto) { return mine; });
                times[which].push_back(medians[which]);
            }
            ratios.push_back(medians[0] / medians[1]);
        }
        if (rt.root())
            fmt::print("{:>10}  {:>10.1f}  {:>10.1f}  {:>8.2f}  [{:.2f}, {:.2f}] {} pairs\n", elements * 8,
                       sode::internal::bench::median(times[0]), sode::internal::bench::median(times[1]),
                       sode::internal::bench::median(ratios), sode::internal::bench::quantile(ratios, 0.025),
                       sode::internal::bench::quantile(ratios, 0.975), turns);
    }
}
