// SPDX-License-Identifier: Apache-2.0
// Laplace and Himeno: Sode's ranks against plain C, by turns in one job. On one rank against the serial kernel, on several against
// as many threads of one process with plain shared arrays.
#include "stencil/solver.hpp"
#include "support/fork_team.hpp"
#include "support/report.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>
#include <memory>

namespace {

using namespace sode::bench;

struct options {
    std::string problem = "laplace";
    long n = 1024;
    int ranks = 1;
    int pairs = 10;
    int steps = 0;
    bool alone = false;
    std::string setup = "default";
    std::string json;
};

class stencil_race {
public:
    stencil_race(fork_rank& self, options const& o) : self_(self), options_(o), runtime_(self.join()) {
        bool const laplace = o.problem == "laplace";
        ours_ = laplace ? our_laplace(runtime_, o.n) : our_himeno(runtime_, o.n);
        if (o.alone || self.rank() != 0) return;
        std::vector<int> const cores(self.cores().begin(), self.cores().begin() + self.ranks());
        plain_ = laplace ? plain_laplace_on(cores, o.n) : plain_himeno_on(cores, o.n);
    }

    [[nodiscard]] measured_case run() {
        measured_case result{fmt::format("{} {}{}", options_.problem, options_.n, options_.alone ? " alone" : ""), {}};
        int const steps = options_.steps > 0 ? options_.steps : block_steps();
        for (int turn = 0; turn < options_.pairs; ++turn) {
            result.samples.push_back({turn, "sode", block(steps, [&](int n) { return together(n); })});
            if (!options_.alone) result.samples.push_back({turn, "plain", block(steps, [&](int n) { return on_rank_0(n); })});
        }
        compare();
        return result;
    }

private:
    /// Steps of about 20 ms.
    int block_steps() {
        double const us = together(2) / 2;
        if (!options_.alone) static_cast<void>(on_rank_0(2));
        return static_cast<int>(self_.shared().broadcast(std::clamp(20000 / us, 2.0, 1000.0)));
    }

    template <class Steps> block_time block(int steps, Steps run_steps) {
        bool const probed = self_.ranks() == 2 && !self_.shared().yields();
        double const before = probed ? self_.shared().round_trip_ns(rate_) : 0;
        static_cast<void>(run_steps(std::max(1, steps / 10)));
        double const us = run_steps(steps) / steps;
        double const after = probed ? self_.shared().round_trip_ns(rate_) : 0;
        return {probed ? classify(before, after) : regime::unprobed, before, us, us};
    }

    double together(int steps) {
        self_.shared().barrier();
        std::uint64_t const begin = ticks();
        ours_->steps(steps);
        self_.shared().barrier();
        double const us = rate_.us(begin, ticks());
        return self_.shared().maximum(us);
    }

    /// The other ranks sleep meanwhile: their cores belong to the threads of rank 0.
    double on_rank_0(int steps) {
        double us = 0;
        if (self_.rank() == 0) {
            std::uint64_t const begin = ticks();
            plain_->steps(steps);
            us = rate_.us(begin, ticks());
            for (int r = 1; r < self_.ranks(); ++r) self_.sleeper(r).open();
        } else {
            self_.sleeper(self_.rank()).pass();
        }
        return self_.shared().broadcast(us);
    }

    void compare() {
        std::uint64_t const mine = ours_->fingerprint();
        // Sums of halves are exact in doubles.
        auto const low = static_cast<std::uint64_t>(self_.shared().sum(static_cast<double>(mine & 0xffffffffU)));
        auto const high = static_cast<std::uint64_t>(self_.shared().sum(static_cast<double>(mine >> 32U)));
        if (plain_ && plain_->fingerprint() != low + (high << 32U))
            throw std::runtime_error{"sode and plain C disagree on the result"};
    }

    fork_rank& self_;
    options const& options_;
    sode::runtime runtime_;
    tick_rate rate_;
    std::unique_ptr<solver> ours_, plain_;
};

void run(options const& o) {
    run_forked(o.ranks, [&o](fork_rank& self) {
        if (!o.alone && static_cast<std::size_t>(o.ranks) > self.cores().size())
            throw std::invalid_argument{
                fmt::format("{} ranks need a core each ({} here) to be compared with threads", o.ranks, self.cores().size())};
        stencil_race race{self, o};
        report result{"stencil", "", o.setup, o.ranks, {"sode"}, {race.run()}};
        if (self.rank() != 0) return;
        fmt::print("{}", result.table());
        if (!o.json.empty()) std::ofstream{o.json} << result.json() << '\n';
    });
}

} // namespace

int main(int argc, char** argv) {
    options o;
    CLI::App app{"Laplace and Himeno: ours and plain C, side by side"};
    app.add_option("problem", o.problem)->check(CLI::IsMember({"laplace", "himeno"}))->capture_default_str();
    app.add_option("-n", o.n, "Plate n x n, or n x n x 2n cells (himeno: 32 XS, 64 S, 128 M)")
        ->check(CLI::Range(4, 1 << 16))
        ->capture_default_str();
    app.add_option("--ranks", o.ranks)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--pairs", o.pairs, "Blocks of each")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--steps", o.steps, "Steps of a block (default: about 20 ms)");
    app.add_flag("--alone", o.alone, "Ours only");
    app.add_option("--setup", o.setup, "A label for the results");
    app.add_option("--json", o.json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        run(o);
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_stencil: {}\n", e.what());
        return 1;
    }
}
