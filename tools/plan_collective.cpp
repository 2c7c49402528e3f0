// SPDX-License-Identifier: Apache-2.0
#include "plan_collective.hpp"

#include "base/clock.hpp"
#include "base/nearest.hpp"
#include "collective/catalogue.hpp"
#include "evaluation/evaluate.hpp"
#include "extents.hpp"
#include "plan/combiners.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <vector>

namespace sode::internal::tools {
namespace {

constexpr double most_steps = 2e7;    // of the plans of all ranks: some gigabytes
constexpr double longest = 20;        // seconds to build the plans of one algorithm, if nobody asked for it by name
constexpr double first_seconds = 0.5; // tell how long all will take

constexpr std::array kinds{collective_kind::barrier,   collective_kind::broadcast,      collective_kind::reduce,
                           collective_kind::allreduce, collective_kind::reduce_scatter, collective_kind::scan,
                           collective_kind::exscan};

collective_kind kind_of(std::string const& name) {
    std::vector<std::string_view> names;
    for (auto const k : kinds) {
        if (to_string(k) == name) return k;
        names.push_back(to_string(k));
    }
    auto const near = nearest(name, names);
    throw error{error_kind::usage, fmt::format("there is no collective \"{}\"", name), "",
                near.empty() ? fmt::format("write one of {}", fmt::join(names, ", ")) : fmt::format("did you mean {}?", near)};
}

collective_terms terms_of(collective_options const& o, int machines, profile const& costs) {
    collective_terms t;
    std::vector<int> of;
    for (int r = 0; r < machines * o.ranks; ++r) of.push_back(r / o.ranks);
    t.machines = machine_map{of};
    t.costs = costs;
    t.kind = kind_of(o.collective);
    t.proofs = false;
    t.name = o.collective;
    auto const elements = (o.bytes + 7) / 8;
    if (t.kind == collective_kind::broadcast || t.kind == collective_kind::reduce) t.root = 0;
    if (t.kind == collective_kind::barrier) return t;
    t.parts = {{8 * elements, t.kind == collective_kind::broadcast ? 0 : combiner(reduction::sum, element::i64)}};
    if (t.kind == collective_kind::reduce_scatter)
        for (std::int64_t r = 0; r < t.ranks(); ++r)
            t.dealt.push_back(8 * (elements * (r + 1) / t.ranks() - elements * r / t.ranks()));
    return t;
}

struct row {
    algorithm const* what = nullptr;
    evaluation found{};
    std::string instead{}; // why it was not evaluated
};

row evaluated(algorithm const& a, collective_terms const& t, topology const& wires, evaluation_costs const& costs,
              evaluation_options const& options, bool asked_for) {
    row r{&a};
    auto const since = now_ns();
    step_table plans;
    for (int rank = 0; rank < t.ranks(); ++rank) {
        plans.add(a.build(t, rank));
        auto const steps = static_cast<double>(plans.steps().size());
        double const rest = static_cast<double>(t.ranks()) / (rank + 1);
        // The first ranks may have more to do than the others: so it is not judged by a few of them.
        if (steps * rest > most_steps && steps > most_steps / 8) {
            r.instead = fmt::format("its plans have {:.0e} steps", steps * rest);
            return r;
        }
        double const spent = static_cast<double>(now_ns() - since) * 1e-9;
        if (!asked_for && spent > first_seconds && spent * rest > longest) {
            r.instead = fmt::format("its plans take more than {:.0f} s; --algorithm {} waits for them", longest, a.name());
            return r;
        }
    }
    plans.close();
    r.found = evaluate(plans, t.machines, wires, costs, options);
    if (!r.found.finished)
        throw error{error_kind::internal, fmt::format("{} by {} does not end", t.title(), a.name()),
                    "ranks wait for each other for ever", "please report it"};
    return r;
}

void write_timeline(std::string const& file, evaluation const& e, int ranks) {
    std::ofstream out{file};
    out << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
    for (auto const& s : e.timeline) {
        auto const with = s.peer < 0 ? std::string{} : fmt::format(" {} rank {}", s.op == operation::send ? "to" : "from", s.peer);
        out << fmt::format(
            "{{\"name\": \"{}{}\", \"cat\": \"work\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, \"dur\": {:.3f}}},\n",
            to_string(s.op), with, s.rank + 1, s.begin / 1000, (s.end - s.begin) / 1000);
    }
    for (int r = 0; r < ranks; ++r)
        out << fmt::format(
            "{{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": {}, \"args\": {{\"name\": \"rank {}\"}}}},\n", r + 1,
            r);
    out << "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": 1, \"args\": {\"name\": \"predicted\"}}\n]}\n";
    if (!out.flush())
        throw error{error_kind::environment, fmt::format("{} cannot be written", file), "the file system refuses",
                    "name another --timeline"};
}

void print_row(row const& r, evaluation_options const& options, algorithm const* chosen) {
    if (!r.instead.empty()) {
        fmt::print("  {:<20} not evaluated ({})\n", r.what->name(), r.instead);
        return;
    }
    auto const& e = r.found;
    auto const of_one = static_cast<double>(options.epochs);
    fmt::print("  {:<20} {:>12.2f} {:>12.2f} {:>12.0f} {:>14.0f} {:>12.2f} {:>12.2f}{}\n", r.what->name(), e.epoch / 1000,
               e.repeated / 1000, static_cast<double>(e.messages) / of_one, static_cast<double>(e.bytes) / of_one,
               e.busiest_link / of_one / 1000, e.busiest_core / of_one / 1000, r.what == chosen ? "  (the model's choice)" : "");
}

} // namespace

int print_collective(collective_options const& o) {
    auto const extents = numbers<int>("--machines", o.machines);
    double machines = o.ranks;
    for (int const n : extents) machines *= n;
    if (machines > 1e6)
        throw error{error_kind::usage, fmt::format("{:.0f} ranks are too many", machines), "at most a million can be evaluated",
                    "write fewer machines, or fewer ranks of each"};
    auto const wires = make_topology(o.network, extents);
    auto const costs = profile_of_option(o.profile);
    auto const terms = terms_of(o, wires->machines(), costs);
    auto price = evaluation_costs::of(costs);
    price.hop = o.hop;
    evaluation_options const options{.epochs = o.epochs, .timeline = !o.timeline.empty()};

    fmt::print("{} of {} ranks on {} machines, {} of {}, machine \"{}\"\n\n", terms.title(), terms.ranks(), wires->machines(),
               o.network, fmt::join(extents, " x "), costs.name);
    auto const chosen = choose_algorithm(terms, o.algorithm);
    fmt::print("  {:<20} {:>12} {:>12} {:>12} {:>14} {:>12} {:>12}\n", "algorithm", "first us", "then us", "messages", "bytes",
               "link us", "core us");
    std::vector<row> rows;
    for (auto const* a : all_algorithms())
        if (a->can(terms) && (o.algorithm.empty() || a == chosen.best))
            rows.push_back(evaluated(*a, terms, *wires, price, options, !o.algorithm.empty()));
    std::stable_sort(rows.begin(), rows.end(), [](row const& x, row const& y) {
        bool const left = x.instead.empty(), right = y.instead.empty();
        return left != right ? left : left && x.found.epoch < y.found.epoch;
    });
    for (auto const& r : rows) print_row(r, options, o.algorithm.empty() ? chosen.best : nullptr);
    if (!o.timeline.empty()) write_timeline(o.timeline, rows.front().found, terms.ranks());
    return 0;
}

} // namespace sode::internal::tools
