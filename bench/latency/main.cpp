// SPDX-License-Identifier: Apache-2.0
// The smallest exchange: two ranks swap 8 bytes, thousands of times in a row and with nothing in between, so that waiting for a
// late peer counts. Times are per exchange, means over a block.
#include "halo/rivals/mpi_handles.hpp"
#include "latency/ours.hpp"
#include "latency/swap.hpp"
#include "support/mpi_world.hpp"
#include "support/report.hpp"

#include <sode/mpi.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace {

using namespace sode::internal::bench;

class startall final : public swap {
public:
    explicit startall(mpi_world const& w) : swap("startall-waitall") {
        int const peer = 1 - w.rank();
        requests_.receive(&theirs_, 8, MPI_BYTE, peer, 1, w.communicator());
        requests_.send(&mine_, 8, MPI_BYTE, peer, 1, w.communicator());
    }
    double operator()(double value) override {
        mine_ = value;
        requests_.start();
        requests_.wait();
        return theirs_;
    }

private:
    double mine_ = 0, theirs_ = 0;
    persistent_requests requests_;
};

class isend final : public swap {
public:
    explicit isend(mpi_world const& w) : swap("isend-irecv-waitall"), world_(w) {}
    double operator()(double value) override {
        int const peer = 1 - world_.rank();
        double theirs = 0;
        MPI_Request requests[2];
        MPI_Irecv(&theirs, 8, MPI_BYTE, peer, 2, world_.communicator(), &requests[0]);
        MPI_Isend(&value, 8, MPI_BYTE, peer, 2, world_.communicator(), &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        return theirs;
    }

private:
    mpi_world const& world_;
};

class sendrecv final : public swap {
public:
    explicit sendrecv(mpi_world const& w) : swap("sendrecv"), world_(w) {}
    double operator()(double value) override {
        int const peer = 1 - world_.rank();
        double theirs = 0;
        MPI_Sendrecv(&value, 8, MPI_BYTE, peer, 3, &theirs, 8, MPI_BYTE, peer, 3, world_.communicator(), MPI_STATUS_IGNORE);
        return theirs;
    }

private:
    mpi_world const& world_;
};

/// Mean time of an exchange; throws if a value is not the peer's of the same turn.
block_time measure(swap& s, control& shared, tick_rate const& rate, int exchanges) {
    bool const probed = !shared.yields();
    double const before = probed ? shared.round_trip_ns(rate) : 0;
    long wrong = 0;
    auto const swap_all = [&](int from, int to) {
        for (int i = from; i < to; ++i) wrong += s(i) != i;
    };
    int const warm_up = std::min(50, exchanges);
    swap_all(0, warm_up);
    shared.barrier();
    std::uint64_t const begin = ticks();
    swap_all(warm_up, warm_up + exchanges);
    double const mean = rate.us(begin, ticks()) / exchanges;
    double const slowest = shared.maximum(mean);
    double const after = probed ? shared.round_trip_ns(rate) : 0;
    if (shared.sum(static_cast<double>(wrong)) != 0) throw std::runtime_error{s.name() + " delivered wrong values"};
    return {probed ? classify(before, after) : regime::unprobed, before, slowest, slowest};
}

void run(mpi_world const& world, int turns, int exchanges, std::string const& setup, std::string const& json) {
    if (world.size() != 2) throw std::invalid_argument{"bench_latency is for 2 ranks"};
    shared_window lines{world.communicator(), world.rank() == 0 ? control::bytes(2) : 0};
    control shared{lines.of(0), world.rank(), 2, std::thread::hardware_concurrency() < 2};
    tick_rate const rate;
    std::vector<std::unique_ptr<swap>> rivals;
    rivals.push_back(std::make_unique<startall>(world));
    rivals.push_back(std::make_unique<isend>(world));
    rivals.push_back(std::make_unique<sendrecv>(world));
    sode::runtime runtime{std::make_unique<sode::mpi_bootstrap>(world.communicator())};
    auto const ours = our_swaps(runtime);
    report result{"latency", mpi_world::library(), setup, 2, {}, {{"8 bytes", {}}}};
    for (auto const& s : ours) result.ours.push_back(s->name());
    int turn = 0;
    for (int t = 0; t < turns; ++t)
        for (auto const& r : rivals) {
            for (auto const& s : ours) result.cases[0].samples.push_back({turn, s->name(), measure(*s, shared, rate, exchanges)});
            result.cases[0].samples.push_back({turn++, r->name(), measure(*r, shared, rate, exchanges)});
        }
    if (world.rank() != 0) return;
    fmt::print("{}", result.table());
    if (!json.empty()) std::ofstream{json} << result.json() << '\n';
}

} // namespace

int main(int argc, char** argv) {
    mpi_world const world{argc, argv};
    int turns = 10, exchanges = 4000;
    std::string setup = "default", json;
    CLI::App app{"8 bytes between two ranks: ours and MPI, side by side"};
    app.add_option("--turns", turns, "Blocks of each rival")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--exchanges", exchanges, "Exchanges a block")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--setup", setup, "A label for the results");
    app.add_option("--json", json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        run(world, turns, exchanges, setup, json);
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_latency, rank {}: {}\n", world.rank(), e.what());
        std::fflush(nullptr);
        MPI_Abort(world.communicator(), 2);
    }
    return 2;
}
