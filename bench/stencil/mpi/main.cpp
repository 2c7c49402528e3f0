// SPDX-License-Identifier: Apache-2.0
// Stencils on the cores of one machine: Sode against MPI, OpenMP and MPI + OpenMP written by hand, by turns in one job.
// Built once for every MPI.
#include "stencil/bandwidth.hpp"
#include "stencil/contest.hpp"
#include "stencil/mpi/slab_solver.hpp"
#include "support/cores.hpp"
#include "support/mpi_world.hpp"
#include "tiles/from_cache.hpp"
#include "tiles/problems.hpp"

#include <sode/mpi.hpp>
#include <sode/runtime.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <new>
#include <stdexcept>
#include <thread>

namespace {

using namespace sode::internal::bench;

struct options {
    std::string problem = "laplace";
    long n = 1024;
    bool weak = false;
    std::vector<int> threads;
    bool limits = false;
    std::vector<int> tiles;
    int first = 2;
    int pairs = 10;
    int steps = 0;
    std::string setup = "default";
    std::string json;
};

/// A processor of each rank's own core; empty unless the launcher has bound each rank to another core.
std::vector<int> bound_cores(mpi_world const& world) {
    auto const mine = usable_cores();
    int const core = mine.empty() ? -1 : mine.front();
    std::vector<int> all(static_cast<std::size_t>(world.size()));
    MPI_Allgather(&core, 1, MPI_INT, all.data(), 1, MPI_INT, world.communicator());
    auto sorted = all;
    std::sort(sorted.begin(), sorted.end());
    bool const distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    return distinct && sorted.front() >= 0 ? all : std::vector<int>{};
}

/// Every `stride`-th rank.
class workers {
public:
    workers(mpi_world const& world, int stride) {
        MPI_Comm_split(world.communicator(), world.rank() % stride == 0 ? 0 : MPI_UNDEFINED, world.rank(), &comm_);
    }
    ~workers() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    workers(workers&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
    workers& operator=(workers&&) = delete;

    [[nodiscard]] MPI_Comm get() const noexcept { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// What all ranks see: the lines of the control block, then a gate a rank.
class shared_lines {
public:
    explicit shared_lines(mpi_world const& world)
        : window_(world.communicator(), world.rank() == 0 ? gates_at(world) + gate_bytes(world) : 0),
          gates_(reinterpret_cast<gate*>(window_.of(0) + gates_at(world))) {
        if (world.rank() == 0)
            for (int r = 0; r < world.size(); ++r) new (gates_ + r) gate;
        MPI_Barrier(world.communicator());
    }
    [[nodiscard]] void* control_memory() const { return window_.of(0); }
    [[nodiscard]] gate* gates() const noexcept { return gates_; }

private:
    static std::size_t gates_at(mpi_world const& w) { return (control::bytes(w.size()) + 127) / 128 * 128; }
    static std::size_t gate_bytes(mpi_world const& w) { return sizeof(gate) * static_cast<std::size_t>(w.size()); }

    shared_window window_;
    gate* gates_;
};

class comparison {
public:
    comparison(mpi_world const& world, options const& o)
        : world_(world), options_(o), lines_(world),
          shared_(lines_.control_memory(), world.rank(), world.size(),
                  std::thread::hardware_concurrency() < static_cast<unsigned>(world.size())),
          cores_(bound_cores(world)) {}

    [[nodiscard]] report run() {
        problem_size const size{options_.weak ? options_.n * world_.size() : options_.n, options_.n};
        contest race{shared_, lines_.gates()};
        auto const ours = [&](int steps) { return tiled_problem(options_.problem, runtime_, size, steps); };
        race.add({"sode", 1, ours(1)});
        for (int const k : options_.tiles)
            race.add({k == 0 ? "sode tiles" : fmt::format("sode {} steps", k), 1, ours(k), true, at_most_at_a_time(k)});
        race.add(by_hand("mpi", 1, overlap::no, size));
        race.add(by_hand("mpi-overlap", 1, overlap::yes, size));
        auto const everybody = world_.communicator();
        race.add({"mpi-window", 1, by_window(options_.problem, everybody, size)});
        for (int threads : teams()) {
            int const ranks = world_.size() / threads;
            race.add(by_hand(ranks == 1 ? "openmp" : fmt::format("mpi+openmp {}x{}", ranks, threads), threads, overlap::yes, size));
        }
        if (options_.limits && options_.problem == "laplace") add_laplace_limits(race, runtime_, size);
        if (options_.limits && options_.problem != "laplace") add_limit_from_cache(race, world_.size(), options_.problem, size);
        measured_case measured{fmt::format("{} {}{}", options_.problem, options_.n, options_.weak ? " weak" : ""),
                               race.run(options_.pairs, options_.steps, options_.first),
                               {{"layers", static_cast<double>(size.layers)}, {"n", static_cast<double>(size.n)}}};
        return {"hybrid",
                mpi_world::library(),
                options_.setup,
                world_.size(),
                {"sode"},
                {std::move(measured)},
                core_distances(shared_, tick_rate{}),
                race.limits()};
    }

private:
    /// Threads a process: what was asked for, or every divisor of the ranks.
    [[nodiscard]] std::vector<int> teams() const {
        if (!omp_team::available() || world_.thread_level() < MPI_THREAD_FUNNELED) return {};
        std::vector<int> result;
        for (int t = 2; t <= world_.size(); ++t)
            if (world_.size() % t == 0 && (options_.threads.empty() || contains(options_.threads, t))) result.push_back(t);
        for (int t : options_.threads)
            if (!contains(result, t))
                throw std::invalid_argument{
                    fmt::format("teams of {} threads on {} ranks (2 or more, and a divisor)", t, world_.size())};
        return result;
    }
    static bool contains(std::vector<int> const& all, int t) { return std::find(all.begin(), all.end(), t) != all.end(); }

    contestant by_hand(std::string name, int threads, overlap how, problem_size size) {
        auto const& ranks = workers_.emplace(threads, workers{world_, threads}).first->second;
        if (ranks.get() == MPI_COMM_NULL) return {std::move(name), threads, nullptr};
        std::vector<int> cores;
        if (!cores_.empty()) cores.assign(cores_.begin() + world_.rank(), cores_.begin() + world_.rank() + threads);
        crew who{ranks.get(), {threads, std::move(cores)}, how};
        return {std::move(name), threads, by_slabs(options_.problem, std::move(who), size)};
    }

    mpi_world const& world_;
    options const& options_;
    shared_lines lines_;
    control shared_;
    std::vector<int> cores_;
    std::map<int, workers> workers_;
    sode::runtime runtime_{std::make_unique<sode::mpi_bootstrap>(world_.communicator())};
};

} // namespace

int main(int argc, char** argv) {
    mpi_world const world{argc, argv, MPI_THREAD_FUNNELED};
    options o;
    CLI::App app{"Stencils: ours, MPI, OpenMP and MPI + OpenMP, side by side"};
    app.add_option("problem", o.problem)->check(CLI::IsMember(tiled_problems()))->capture_default_str();
    app.add_option("-n", o.n, "Points in each dimension (himeno: n x n x 2n; 32 XS, 64 S, 128 M)")
        ->check(CLI::Range(8, 1 << 15))
        ->capture_default_str();
    app.add_flag("--weak", o.weak, "n layers for each rank instead of n in all");
    app.add_option("--threads", o.threads, "Threads of a process with MPI + OpenMP (default: every divisor of the ranks)")
        ->delimiter(',');
    app.add_option("--tiles", o.tiles, "Ours also with so many steps at a time, each; 0: as many as it chooses")->delimiter(',');
    app.add_option("--first", o.first, "Steps of each before anything is measured")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--pairs", o.pairs, "Blocks of each")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--steps", o.steps, "Steps of a block (default: about 20 ms, and four passes of each)")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--limits", o.limits,
                 "Also the same loop over a small plate that stays in the cache; Laplace: copies of the plate as well. No solver "
                 "can beat them");
    app.add_option("--setup", o.setup, "A label for the results");
    app.add_option("--json", o.json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        auto const result = comparison{world, o}.run();
        if (world.rank() == 0) {
            fmt::print("{}", result.table());
            if (!o.json.empty()) std::ofstream{o.json} << result.json() << '\n';
        }
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_hybrid, rank {}: {}\n", world.rank(), e.what());
        std::fflush(nullptr);
        MPI_Abort(world.communicator(), 2);
    }
    return 2;
}
