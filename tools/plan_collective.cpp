// SPDX-License-Identifier: Apache-2.0
#include "plan_collective.hpp"

#include "base/clock.hpp"
#include "evaluated_row.hpp"
#include "evaluation/core_map.hpp"
#include "evaluation/evaluate.hpp"
#include "extents.hpp"
#include "plan/dump.hpp"
#include "plan_candidates.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <memory>
#include <vector>

namespace sode::internal::tools {
namespace {

constexpr double most_steps = 2e7;    // of the plans of all ranks: some gigabytes
constexpr double longest = 20;        // seconds to build the plans of one algorithm, if nobody asked for it by name
constexpr double first_seconds = 0.5; // tell how long all will take
constexpr int epochs_of_turns = 16;

evaluated_row evaluated(plan_candidate const& c, plan_candidates const& of, topology const& wires, evaluation_costs const& costs,
                        evaluation_options const& options, int cores, bool asked_for) {
    evaluated_row r{.algorithm = c.name, .leaders = c.leaders, .who = costs.runner, .bytes = of.bytes};
    auto const since = now_ns();
    int const ranks = of.machines.ranks();
    step_table plans{core_map{of.machines, cores}};
    if (r.instead = c.refuses; !r.instead.empty()) return r;
    for (int rank = 0; rank < ranks; ++rank) {
        plans.add(c.build(rank));
        auto const steps = static_cast<double>(plans.steps().size());
        double const rest = static_cast<double>(ranks) / (rank + 1);
        // The first ranks may have more to do than the others: so it is not judged by a few of them.
        if (steps * rest > most_steps && steps > most_steps / 8) {
            r.instead = fmt::format("its plans have {:.0e} steps", steps * rest);
            return r;
        }
        double const spent = static_cast<double>(now_ns() - since) * 1e-9;
        if (!asked_for && spent > first_seconds && spent * rest > longest) {
            r.instead = fmt::format("its plans take more than {:.0f} s; --algorithm {} waits for them", longest, c.name);
            return r;
        }
    }
    plans.close();
    if (auto const all = static_cast<double>(plans.steps().size()) * options.epochs; !asked_for && all > 2 * most_steps) {
        r.instead = fmt::format("{:.0e} steps in {} epochs; --algorithm {} waits for them", all, options.epochs, c.name);
        return r;
    }
    r.found = evaluate(plans, of.machines, wires, costs, options);
    if (!r.found.finished)
        throw error{error_kind::internal, fmt::format("{} with algorithm {} never completes", of.title, c.name),
                    "the ranks are deadlocked", "report this defect of Sode"};
    return r;
}

void print_row(evaluated_row const& r, int epochs, std::string const& name, std::size_t width) {
    if (!r.instead.empty()) {
        fmt::print("  {:<{}} not evaluated ({})\n", name, width, r.instead);
        return;
    }
    auto const& e = r.found;
    auto const of_one = static_cast<double>(epochs);
    fmt::print("  {:<{}} {:>12.2f} {:>12.2f} {:>12.0f} {:>14.0f} {:>12.2f} {:>12.2f} {:>9.2f}{}\n", name, width, e.epoch / 1000,
               e.repeated / 1000, static_cast<double>(e.messages) / of_one, static_cast<double>(e.bytes) / of_one,
               e.busiest_link / of_one / 1000, e.busiest_core / of_one / 1000, e.starting / 1000,
               r.chosen ? "  (the model's choice)" : "");
}

plan_runner runner_named(std::string_view name) {
    for (auto const who : {plan_runner::caller, plan_runner::thread, plan_runner::interfaces})
        if (to_string(who) == name) return who;
    throw error{error_kind::usage, fmt::format("there is no engine \"{}\"", name), "", "write inline, thread or triggered"};
}

std::vector<std::string> words_of(std::string const& list) {
    std::vector<std::string> words{""};
    for (char const c : list)
        if (c == ',')
            words.emplace_back();
        else
            words.back() += c;
    return words;
}

[[noreturn]] void refuse_bytes(std::string const& text, std::string_view why) {
    throw error{error_kind::usage, fmt::format("--bytes {} is invalid", text), why,
                "write 8, 64K, a list 1K,64K,4M, or 1K..256M for all powers of two in this range"};
}

std::int64_t byte_count(std::string const& text) {
    std::int64_t count = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, status] = std::from_chars(text.data(), last, count);
    constexpr std::string_view units{"KMG"};
    auto const unit = end + 1 == last ? units.find(*end) : std::string_view::npos;
    bool const known = status == std::errc{} && (end == last || unit != std::string_view::npos);
    if (known && count >= 0 && count < std::int64_t{1} << 32U) return end == last ? count : count << 10U * (unit + 1);
    refuse_bytes(text, "the value is not a number of bytes");
}

std::vector<std::int64_t> amounts(std::string const& list) {
    std::vector<std::int64_t> all;
    for (auto const& word : words_of(list)) {
        auto const dots = word.find("..");
        if (dots == std::string::npos) {
            all.push_back(byte_count(word));
            continue;
        }
        auto const last = byte_count(word.substr(dots + 2));
        for (auto n = std::max(byte_count(word.substr(0, dots)), std::int64_t{1}); n <= last; n *= 2) all.push_back(n);
    }
    if (all.empty()) refuse_bytes(list, "the first amount is larger than the last");
    return all;
}

network const& network_named(profile const& p, std::string const& name, std::string_view option) {
    for (auto const& n : p.networks)
        if (n.name == name) return n;
    throw error{error_kind::usage, fmt::format("{} selects network \"{}\", which is not in the profile", option, name),
                "the key `networks` of a profile lists its networks",
                "add the network to the profile, as docs/profile.md describes"};
}

/// The networks that messages go by.
struct wiring {
    std::unique_ptr<topology> all{};
    std::unique_ptr<topology> group{};
    std::string inner_name{};
};

wiring wire(collective_options const& o, std::vector<int> const& extents) {
    wiring w{.all = make_topology(o.network, extents)};
    if (o.inner.empty()) return w;
    auto const equal = o.inner.find('='), colon = o.inner.find(':');
    if (equal == std::string::npos || colon == std::string::npos || colon < equal)
        throw error{error_kind::usage, fmt::format("--inner {} is invalid", o.inner),
                    "the value must give a network of the profile, the topology and the extents", "write --inner tca=torus:2x8"};
    w.inner_name = o.inner.substr(0, equal);
    w.group = make_topology(o.inner.substr(equal + 1, colon - equal - 1), numbers<int>("--inner", o.inner.substr(colon + 1)));
    if (w.all->machines() % w.group->machines() != 0)
        throw error{error_kind::usage, fmt::format("{} machines do not fill whole sub-clusters", w.all->machines()),
                    fmt::format("each sub-cluster has {} machines", w.group->machines()), "use a multiple of this number"};
    return w;
}

int print_plans(plan_candidates const& all, std::string const& format) {
    auto const& chosen = all.chosen();
    if (!chosen.refuses.empty())
        throw error{error_kind::usage, fmt::format("{} by {} cannot be shown", all.title, chosen.name), chosen.refuses,
                    "use fewer machines"};
    std::vector<plan> plans;
    for (int r = 0; r < all.machines.ranks(); ++r) plans.push_back(chosen.build(r));
    fmt::print("{}\n", dump(plans, dump_format_of(format)));
    return 0;
}

/// A row for each algorithm, or for the one that is asked for.
void evaluate_all(plan_candidates const& all, plan_runner who, collective_options const& o, int epochs, wiring const& wires,
                  profile const& costs, std::vector<evaluated_row>& rows) {
    auto price = evaluation_costs::of(costs, who);
    price.hop = o.hop;
    std::vector<inner_network> inner;
    if (wires.group)
        inner.push_back({wires.group.get(), with_network(price, network_named(costs, wires.inner_name, "--inner"), o.inner_hop)});
    if (!o.carrier.empty()) price = with_network(price, network_named(costs, o.carrier, "--carrier"), o.hop);
    evaluation_options const options{.epochs = epochs, .timeline = !o.timeline.empty(), .inner = inner};
    for (auto const& c : all.list) {
        if (!o.algorithm.empty() && !c.chosen) continue;
        rows.push_back(evaluated(c, all, *wires.all, price, options, o.cores, !o.algorithm.empty()));
        rows.back().chosen = o.algorithm.empty() && c.chosen;
    }
}

/// The fastest first, of each number of bytes. `several`: of bytes, or of engines, which each row then names.
void print_table(std::vector<evaluated_row>& rows, int epochs, bool several) {
    std::size_t const width = several ? 52 : 36;
    fmt::print("  {:<{}} {:>12} {:>12} {:>12} {:>14} {:>12} {:>12} {:>9}\n", "algorithm", width, "first us", "then us", "messages",
               "bytes", "link us", "core us", "start us");
    std::stable_sort(rows.begin(), rows.end(), [](evaluated_row const& x, evaluated_row const& y) {
        if (x.bytes != y.bytes) return x.bytes < y.bytes;
        bool const left = x.instead.empty(), right = y.instead.empty();
        return left != right ? left : left && x.found.epoch < y.found.epoch;
    });
    for (auto const& r : rows)
        print_row(r, epochs, several ? fmt::format("{} B, {}, {}", r.bytes, to_string(r.who), r.name()) : r.name(), width);
}

} // namespace

double fastest_us(std::string const& collective, int machines, std::int64_t bytes, profile const& costs) {
    if (machines < 2) return 0;
    std::array const extents{machines};
    auto const wires = make_topology("crossbar", extents);
    auto const all = candidates_for({.collective = collective, .bytes = bytes, .machines = machines}, costs, {});
    auto price = evaluation_costs::of(costs, plan_runner::caller);
    price.hop = 0;
    double least = std::numeric_limits<double>::infinity();
    for (auto const& c : all.list) {
        auto const row =
            evaluated(c, all, *wires, price, evaluation_options{.epochs = 1, .timeline = false, .inner = {}}, 0, false);
        if (row.instead.empty()) least = std::min(least, row.found.epoch / 1000);
    }
    return least;
}

int print_collective(collective_options const& o) {
    auto const extents = numbers<int>("--machines", o.machines);
    double machines = o.ranks;
    for (int const n : extents) machines *= n;
    if (machines > 1e6)
        throw error{error_kind::usage, fmt::format("{:.0f} ranks are too many", machines),
                    "at most a million ranks can be evaluated", "use fewer machines, or fewer ranks on each machine"};
    auto const wires = wire(o, extents);
    auto const costs = profile_of_option(o.profile);
    auto const sizes = amounts(o.bytes);
    std::vector<plan_runner> runners;
    for (auto const& word : words_of(o.engines)) runners.push_back(runner_named(word));
    bool const shared = o.cores > 0 && o.cores < o.ranks;
    if (shared && std::ranges::any_of(runners, [](plan_runner r) { return r != plan_runner::caller; }))
        throw error{error_kind::usage,
                    fmt::format("{} ranks on {} cores can only be predicted for engine inline", o.ranks, o.cores),
                    "the model does not share cores with the threads of other engines", "omit --engine or --cores"};
    // Ranks that take turns come to a rhythm after some collectives.
    int const epochs = shared ? epochs_of_turns : o.epochs;

    std::vector<evaluated_row> rows;
    plan_candidates all;
    for (auto const bytes : sizes) {
        all = candidates_for({.collective = o.collective,
                              .bytes = bytes,
                              .machines = wires.all->machines(),
                              .ranks = o.ranks,
                              .torus = o.network == "torus" ? extents : std::vector<int>{},
                              .subcluster = wires.group ? wires.group->machines() : 0},
                             costs, o.algorithm);
        if (!o.dump.empty()) return print_plans(all, o.dump);
        for (auto const who : runners) evaluate_all(all, who, o, epochs, wires, costs, rows);
    }

    std::string const cores = shared ? fmt::format(", {} cores on each machine", o.cores) : "";
    fmt::print("{} of {} ranks on {} machines{}, {} of {}, machine \"{}\"\n\n", all.title, all.machines.ranks(),
               wires.all->machines(), cores, o.network, fmt::join(extents, " x "), costs.name);
    print_table(rows, epochs, runners.size() > 1 || sizes.size() > 1);
    if (!o.timeline.empty()) write_timeline(o.timeline, rows.front().found, all.machines.ranks());
    if (!o.json.empty()) write_rows(o.json, rows, epochs);
    return 0;
}

} // namespace sode::internal::tools
