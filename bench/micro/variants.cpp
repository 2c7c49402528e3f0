// SPDX-License-Identifier: Apache-2.0
// What halos make of a model that is wrong: every cost of a profile is drawn anew, and an exchange that has run 100 times is
// compared with the same one sent every way that can be forced.
#include "model/profile_fields.hpp"
#include "model/profile_file.hpp"
#include "support/fork_team.hpp"
#include "support/race.hpp"
#include "support/statistics.hpp"

#include <sode/sode.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

namespace {

using namespace sode::internal::bench;
using sode::index_t;

constexpr int learnt_after = 100;
constexpr std::array ways{"pull", "stage", "stage-wide", "stage-chunks"};

struct shape {
    char const* name;
    std::array<index_t, 3> extents; // of a rank
    int split;                      // the dimension between the ranks
    bool buffered;
};
constexpr std::array shapes{
    shape{"planes of 64x64", {64, 64, 64}, 0, false},        shape{"rows of 64x64", {64, 64, 64}, 1, false},
    shape{"elements of 64x64", {64, 64, 64}, 2, false},      shape{"rows of 32x256", {32, 16, 256}, 1, true},
    shape{"elements of 16x32", {16, 32, 128}, 2, true},      shape{"elements of 128x128", {128, 128, 16}, 2, false},
    shape{"planes of 256x256, two", {8, 256, 256}, 0, true},
};

sode::distribution<3> distributed(sode::runtime& rt, shape const& s) {
    auto extents = s.extents;
    extents[static_cast<std::size_t>(s.split)] *= rt.size();
    std::array<sode::distribution_format, 3> format{sode::none, sode::none, sode::none};
    format[static_cast<std::size_t>(s.split)] = sode::block;
    return {sode::nodes<1>{rt, {rt.size()}}, sode::index<3>{extents[0], extents[1], extents[2]}, format};
}

/// All exchange the same array: where the memory of one lies is worth more than what is measured here.
template <class Array> class one_halo final : public subject {
public:
    one_halo(Array& a, shape const& s, int ranks, std::string name, sode::reflect_options const& how)
        : name_(std::move(name)), extents_(s.extents), arrays_(a), halo_(sode::reflect_init(how, a)) {
        extents_[static_cast<std::size_t>(s.split)] *= ranks;
    }

    [[nodiscard]] std::string const& name() const noexcept override { return name_; }
    [[nodiscard]] std::string explain() const { return halo_.explain(); }
    void rewrite(std::uint64_t round, bool) override {
        if constexpr (requires { arrays_.flip(); }) arrays_.flip();
        auto const v = now();
        auto const own = arrays_.owned();
        for (index_t i = own.lower[0]; i < own.upper[0]; ++i)
            for (index_t j = own.lower[1]; j < own.upper[1]; ++j)
                for (index_t k = own.lower[2]; k < own.upper[2]; ++k)
                    if (i == own.lower[0] || i + 1 == own.upper[0] || j == own.lower[1] || j + 1 == own.upper[1] ||
                        k == own.lower[2] || k + 1 == own.upper[2])
                        v(i, j, k) = value(round, i, j, k);
    }
    void exchange() override { halo_(); }
    void poison() override {}
    [[nodiscard]] long mismatches(std::uint64_t round) override {
        auto const v = now();
        auto const own = arrays_.owned();
        long wrong = 0;
        for (int d = 0; d < 3; ++d)
            for (int const side : {0, 1}) {
                auto const at = static_cast<std::size_t>(d);
                index_t const x = side == 0 ? own.lower[at] - 1 : own.upper[at];
                if (x < 0 || x >= extents_[at]) continue;
                auto const a = (at + 1) % 3, b = (at + 2) % 3;
                std::array<index_t, 3> i{};
                i[at] = x;
                for (i[a] = own.lower[a]; i[a] < own.upper[a]; ++i[a])
                    for (i[b] = own.lower[b]; i[b] < own.upper[b]; ++i[b])
                        wrong += v(i[0], i[1], i[2]) != value(round, i[0], i[1], i[2]) ? 1 : 0;
            }
        return wrong;
    }

private:
    static double value(std::uint64_t round, index_t i, index_t j, index_t k) {
        return static_cast<double>(round % 1000) + static_cast<double>(i + 512 * (j + 512 * k)) * 1e-9;
    }
    [[nodiscard]] auto now() {
        if constexpr (requires { arrays_.now(); })
            return arrays_.now();
        else
            return arrays_.view();
    }

    std::string name_;
    std::array<index_t, 3> extents_;
    Array& arrays_;
    sode::reflection halo_;
};

struct outcome {
    std::string best;
    double ratio = 1;
    interval within;
};

/// Best forced way / learnt: the way by one half of the turns, the ratio by the other.
outcome judge(std::map<std::string, std::vector<double>> const& times) {
    auto const& mine = times.at("learnt");
    outcome o;
    double least = INFINITY;
    for (auto const& [name, t] : times) {
        std::vector<double> first;
        for (std::size_t i = 0; i < t.size(); i += 2) first.push_back(t[i]);
        if (name != "learnt" && median(first) < least) least = median(first), o.best = name;
    }
    std::vector<double> ratios;
    for (std::size_t i = 1; i < mine.size(); i += 2) ratios.push_back(times.at(o.best)[i] / mine[i]);
    o.ratio = median(ratios);
    o.within = median_interval(ratios);
    return o;
}

template <class Array> void measure(fork_rank& self, shape const& s, int number, int turns, bool verbose) {
    sode::runtime rt{self.join()};
    tick_rate const rate;
    race r{self.shared(), rate, false};
    Array a{distributed(rt, s), sode::shadow{1}};
    one_halo<Array> learnt{a, s, rt.size(), "learnt", {}};
    for (int i = 0; i < learnt_after; i += 10) static_cast<void>(r.block(learnt, 10));
    std::vector<std::unique_ptr<one_halo<Array>>> all;
    for (auto const* way : ways) {
        sode::reflect_options how;
        how.channel = way;
        all.push_back(std::make_unique<one_halo<Array>>(a, s, rt.size(), way, how));
        static_cast<void>(r.block(*all.back(), 10));
    }
    std::map<std::string, std::vector<double>> times;
    for (int t = 0; t < turns; ++t) {
        times["learnt"].push_back(r.block(learnt, 20).median_us);
        for (auto& e : all) times[e->name()].push_back(r.block(*e, 20).median_us);
    }
    long const wrong = r.wrong();
    if (self.rank() != 0) return;
    auto const o = judge(times);
    fmt::print("{:>3} {:<24} {:>5.2f} [{:.2f}, {:.2f}]  best forced: {}{}\n", number, s.name, o.ratio, o.within.low, o.within.high,
               o.best, wrong == 0 ? "" : fmt::format("  {} elements are wrong", wrong));
    if (verbose) fmt::print("{}", learnt.explain());
    std::fflush(stdout);
}

/// Every cost, but no size and no limit, times 2^u, u from -2 to 2.
sode::internal::profile drawn(std::mt19937_64& random) {
    std::uniform_real_distribution<double> u{-2, 2};
    sode::internal::profile p;
    for (auto& c : p.pairs) sode::internal::each_field(c.memory, [&](char const*, double& cost) { cost *= std::exp2(u(random)); });
    for (double* cost : {&p.copied_row, &p.packed_row, &p.missed_line}) *cost *= std::exp2(u(random));
    return p;
}

} // namespace

int main(int argc, char** argv) {
    int turns = 24, ranks = 2, profiles = 5;
    std::uint64_t seed = std::random_device{}();
    bool verbose = false;
    CLI::App app{"Halos whose model is wrong: best forced way / what was learnt within 100 exchanges"};
    app.add_option("--turns", turns)->check(CLI::Range(4, 1000))->capture_default_str();
    app.add_option("--ranks", ranks)->check(CLI::Range(2, 64))->capture_default_str();
    app.add_option("--profiles", profiles, "Wrong profiles; 0: the built-in one")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--seed", seed, "What they are drawn from");
    app.add_flag("--explain", verbose, "What each exchange says of itself");
    CLI11_PARSE(app, argc, argv);
    std::mt19937_64 random{seed};
    fmt::print("seed {}\n", seed);
    std::fflush(stdout);
    auto const file = std::filesystem::temp_directory_path() / fmt::format("sode-variants-{}.json", getpid());
    try {
        for (int n = 0; n < std::max(profiles, 1); ++n) {
            if (profiles > 0) {
                sode::internal::save_profile(file.string(), drawn(random), {});
                setenv("SODE_PROFILE", file.c_str(), 1);
                setenv("SODE_CHOICE_MARGIN", "8", 0); // constants of another machine
            }
            for (auto const& s : shapes)
                run_forked(ranks, [&](fork_rank& self) {
                    if (s.buffered)
                        measure<sode::buffered<double, 3>>(self, s, n, turns, verbose);
                    else
                        measure<sode::array<double, 3>>(self, s, n, turns, verbose);
                });
        }
        std::filesystem::remove(file);
        return 0;
    } catch (std::exception const& e) {
        std::filesystem::remove(file);
        fmt::print(stderr, "bench_variants: {}\n", e.what());
        return 1;
    }
}
