// SPDX-License-Identifier: Apache-2.0
#include "tune/report.hpp"

#include "base/topology.hpp"
#include "model/profile_fields.hpp"
#include "tune/estimate.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace sode::internal::tools {
namespace {

std::string now_in_words() {
    std::time_t const now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    auto const length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return {text.data(), length};
}

void name_unseen(profile_origin& o) {
    o.unseen.clear();
    auto const note = [&](std::int64_t samples, char const* name) {
        if (samples == 0) o.unseen.emplace_back(name);
    };
    note(o.samples.near, "near");
    note(o.samples.far, "far");
    note(o.samples.local, "local");
    note(o.samples.network, "network");
    note(o.samples.mpi_near, "mpi_near");
    note(o.samples.mpi_far, "mpi_far");
}

void name_time(profile_origin& o) {
    o.date = now_in_words();
    o.sode = SODE_VERSION;
}

// The cache that a core has for itself; 0: the machine does not say. A virtual machine's third level may look like one core's.
std::int64_t core_cache_of(topology const& machine) {
    auto const second = machine.cache_of_level(2);
    return second.cores > 0 ? static_cast<std::int64_t>(second.bytes) / second.cores : 0;
}

void name_held(profile_origin& o, std::string_view name) {
    if (std::find(o.not_stored.begin(), o.not_stored.end(), name) == o.not_stored.end()) o.not_stored.emplace_back(name);
}

void name_held(profile_origin& o, std::string_view part, std::span<std::string_view const> held) {
    for (auto const name : held) {
        auto full = fmt::format("{}{}", part, name);
        if (std::find(o.not_stored.begin(), o.not_stored.end(), full) == o.not_stored.end())
            o.not_stored.push_back(std::move(full));
    }
}

void put_medians(std::span<pair_costs const> blocks, distance apart, tuned& t) {
    if (blocks.empty()) return;
    auto& costs = t.costs.of(apart).memory;
    auto const usual = costs;
    costs = median(blocks);
    costs.reclaim_byte = usual.reclaim_byte; // halos do not tell
    name_held(t.origin, apart == distance::near ? "near." : "far.", hold_bounds(costs, usual));
}

void put_medians(std::span<copy_times const> blocks, distance apart, tuned& t) {
    if (blocks.empty()) return;
    auto const fitted = fit_copies(blocks, apart, t.costs);
    put(fitted.costs, apart, t.costs);
    for (auto const& c : all_copy_constants())
        if (std::find(fitted.at_bound.begin(), fitted.at_bound.end(), c.name) != fitted.at_bound.end())
            name_held(t.origin, c.of_a_distance ? apart == distance::near ? "datatypes_near." : "datatypes_far." : "", {{c.name}});
}

void put_medians(std::span<profile const> blocks, tuned& t) {
    if (blocks.empty()) return;
    auto const usual = t.costs;
    median(blocks, t.costs);
    name_held(t.origin, "", hold_bounds(t.costs, usual));
}

constexpr std::string_view halos = "halos", messages = "messages of datatypes", mpi_messages = "messages of datatypes by an MPI";

void forget_copies(profile& p) {
    profile const built_in;
    for (auto const apart : {distance::near, distance::far}) put(copies_in(built_in, apart), apart, p);
    p.core_cache_bytes = built_in.core_cache_bytes;
}

void forget_typed(profile& p) {
    profile const built_in;
    for (auto const apart : {distance::near, distance::far}) put(typed_in(built_in, apart), apart, p);
}

// What chooses worse than the built-in constants is not stored.
void judge_part(tuned& t, campaign_result const& result, checked of) {
    checked_part part{std::string{of == checked::halo ? halos : messages}, {}, {}};
    for (auto const apart : {distance::near, distance::far}) {
        auto const& blocks = apart == distance::near ? result.near_checks : result.far_checks;
        if (blocks.empty()) continue;
        auto patterns = compared(blocks, of, apart, t.costs);
        std::move(patterns.begin(), patterns.end(), std::back_inserter(part.patterns));
    }
    if (part.patterns.empty()) return;
    part.outcome = judge(part.patterns);
    if (!part.outcome.store) {
        profile const built_in;
        t.origin.not_stored.emplace_back(part.what);
        if (of == checked::halo) {
            for (auto const apart : {distance::near, distance::far}) t.costs.of(apart).memory = built_in.of(apart).memory;
            for (auto const constant : {&profile::pack_row, &profile::far_row_page, &profile::local_byte, &profile::local_byte_big})
                t.costs.*constant = built_in.*constant;
        } else {
            forget_copies(t.costs);
        }
    }
    t.checks.push_back(std::move(part));
}

using names = std::span<std::string_view const>;
constexpr std::array<std::string_view, 5> of_a_pair{"flag", "stream_byte", "row", "short_row", "stage_byte"};
constexpr std::array<std::string_view, 6> of_copies{"line", "sparse_line", "push", "sparse_push", "stage_byte", "page"};
constexpr std::array<std::string_view, 3> of_any_copy{"copied_row", "packed_row", "missed_line"};
constexpr std::array<std::string_view, 4> of_one_core{"pack_row", "far_row_page", "local_byte", "local_byte_big"};
constexpr std::array<std::string_view, 4> of_messages{"overhead", "latency", "byte", "host_byte"};
constexpr std::array<std::string_view, 7> of_an_mpi{"mpi",      "mpi_asking", "mpi_row", "mpi_list_row",
                                                    "mpi_byte", "handshake",  "stage"};
constexpr std::array<std::string_view, 2> of_layouts{"new_layout", "new_layout_entry"};

template <class T> void list(std::string& text, names wanted, T const& measured, T const& built_in) {
    each_field(measured, [&](std::string_view name, auto const& value) {
        if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) return;
        each_field(built_in, [&](std::string_view other, auto const& usual) {
            if constexpr (std::same_as<decltype(value), double const&> && std::same_as<decltype(usual), double const&>)
                if (name == other) text += fmt::format("  {:<16}{:>9.4g}   built in{:>9.4g}\n", name, value, usual);
        });
    });
}

bool title(std::string& text, std::string_view name, std::int64_t samples) {
    text += samples > 0 ? fmt::format("{} ({} blocks)\n", name, samples) : fmt::format("{}: unseen\n", name);
    return samples > 0;
}

void put_medians(std::span<typed_costs const> blocks, distance apart, tuned& t) {
    if (blocks.empty()) return;
    auto costs = median(blocks);
    std::string_view const part = apart == distance::near ? "datatypes_near." : "datatypes_far.";
    auto& refused = t.origin.not_stored; // what was at a bound when it was measured before may be within its range now
    auto const held = hold_bounds(costs, typed_in(t.costs, apart));
    for (names const all : {names{of_an_mpi}, names{of_layouts}})
        for (auto const name : all)
            refused.erase(std::remove(refused.begin(), refused.end(), fmt::format("{}{}", part, name)), refused.end());
    name_held(t.origin, part, held);
    put(costs, apart, t.costs);
}

checked_part check_messages(profile const& p, typed_result const& result, std::string_view what) {
    checked_part part{std::string{what}, {}, {}};
    for (auto const apart : {distance::near, distance::far}) {
        auto const& blocks = apart == distance::near ? result.near_checks : result.far_checks;
        if (blocks.empty()) continue;
        auto how = result.how;
        how.apart = apart;
        auto patterns = compared(blocks, how, p);
        std::move(patterns.begin(), patterns.end(), std::back_inserter(part.patterns));
    }
    part.outcome = judge(part.patterns);
    return part;
}

// The same of whole messages. The copies' constants have been judged by the copies alone.
void judge_messages(tuned& t, typed_result const& result) {
    auto& refused = t.origin.not_stored;
    refused.erase(std::remove(refused.begin(), refused.end(), mpi_messages), refused.end());
    auto part = check_messages(t.costs, result, mpi_messages);
    if (part.patterns.empty()) return;
    bool const all = part.outcome.store;
    t.checks.push_back(std::move(part));
    if (all) return;
    name_held(t.origin, mpi_messages);
    forget_typed(t.costs);
    if (check_messages(t.costs, result, messages).outcome.store) return;
    name_held(t.origin, messages);
    forget_copies(t.costs);
}

} // namespace

tuned conclude(campaign_result const& result) {
    tuned t;
    t.costs.name = "tuned";
    put_medians(result.near, distance::near, t);
    put_medians(result.far, distance::far, t);
    put_medians(result.local, t);
    topology const machine;
    if (auto const bytes = core_cache_of(machine); bytes > 0) t.costs.core_cache_bytes = bytes;
    // What does not depend on the distance is of near cores, if they were seen.
    put_medians(result.far_copies, distance::far, t);
    put_medians(result.near_copies, distance::near, t);
    for (auto const of : {checked::halo, checked::message}) judge_part(t, result, of);
    t.origin.cpu = machine.model();
    t.origin.cores = machine.cores();
    name_time(t.origin);
    t.origin.samples = {.near = static_cast<std::int64_t>(result.near.size()),
                        .far = static_cast<std::int64_t>(result.far.size()),
                        .local = static_cast<std::int64_t>(result.local.size()),
                        .network = 0,
                        .mpi_near = 0,
                        .mpi_far = 0};
    name_unseen(t.origin);
    return t;
}

void keep_what_was_seen(tuned& t, tuned const& earlier) {
    t.costs.networks = earlier.costs.networks; // nobody measures them: a person wrote them
    if (t.origin.cpu != earlier.origin.cpu) return;
    auto const& before = earlier.origin.samples;
    auto& now = t.origin.samples;
    auto const lost = [](std::int64_t& here, std::int64_t there) {
        bool const is = here == 0 && there > 0;
        if (is) here = there;
        return is;
    };
    bool const unseen = now.near == 0 && now.far == 0;
    copy_costs const measured = copies_in(unseen ? earlier.costs : t.costs, distance::near);
    if (lost(now.near, before.near)) {
        t.costs.of(distance::near).memory = earlier.costs.of(distance::near).memory;
        put(copies_in(earlier.costs, distance::near), distance::near, t.costs);
    }
    if (lost(now.far, before.far)) {
        t.costs.of(distance::far).memory = earlier.costs.of(distance::far).memory;
        put(copies_in(earlier.costs, distance::far), distance::far, t.costs);
    }
    // Of these there is one for all distances.
    t.costs.copied_row = measured.copied_row;
    t.costs.packed_row = measured.packed_row;
    t.costs.missed_line = measured.missed_line;
    if (lost(now.network, before.network)) t.costs.network = earlier.costs.network;
    for (auto const apart : {distance::near, distance::far}) {
        auto& here = apart == distance::near ? now.mpi_near : now.mpi_far;
        if (!lost(here, apart == distance::near ? before.mpi_near : before.mpi_far)) continue;
        put(typed_in(earlier.costs, apart), apart, t.costs);
        t.origin.mpi = earlier.origin.mpi;
    }
    name_unseen(t.origin);
}

void conclude_messages(tuned& t, std::span<message_costs const> blocks) {
    auto const eager = t.costs.network.eager_bytes; // not measured
    t.costs.network = median(blocks);
    t.costs.network.eager_bytes = eager;
    t.origin.samples.network = static_cast<std::int64_t>(blocks.size());
    name_time(t.origin);
    name_unseen(t.origin);
}

void conclude_typed(tuned& t, typed_result const& result) {
    auto& samples = t.origin.samples;
    // What another MPI's messages took would not go with these.
    if (t.origin.mpi != result.mpi) {
        forget_typed(t.costs);
        samples.mpi_near = samples.mpi_far = 0;
    }
    t.origin.mpi = result.mpi;
    put_medians(result.far, distance::far, t);
    put_medians(result.near, distance::near, t);
    if (!result.far.empty()) samples.mpi_far = std::ssize(result.far);
    if (!result.near.empty()) samples.mpi_near = std::ssize(result.near);
    judge_messages(t, result);
    name_time(t.origin);
    name_unseen(t.origin);
}

std::string checks_table(tuned const& t) {
    std::string text;
    for (auto const& part : t.checks) {
        text +=
            fmt::format("{}: choices by these constants, measured / predicted us, beside those by the built-in ones\n", part.what);
        for (auto const& p : part.patterns) {
            auto const& mine = p.chosen(&checked_way::fitted);
            auto const& usual = p.chosen(&checked_way::built_in);
            text += fmt::format("  {:<44}{:<11}{:>8.2f} /{:>8.2f}   {:<11}{:>8.2f} /{:>8.2f}\n", p.name, mine.name,
                                mine.measured / 1e3, mine.fitted / 1e3, usual.name, usual.measured / 1e3, usual.built_in / 1e3);
        }
        auto const& v = part.outcome;
        text +=
            fmt::format("  their choices take {:.3f} times as long as those by the built-in ones, at most {:.3f} ({});\n  "
                        "their predictions for all ways are wrong by a factor of {:.2f}, those by the built-in ones by {:.2f}\n",
                        v.ratio, v.worst, v.worst_at, v.error, v.built_in_error);
        text += v.store ? "  stored: on average no slower, and no message slower by a factor above 1.1\n"
                        : "  not stored, the built-in ones stay: slower on average, or a message slower by a factor above 1.1\n";
    }
    for (auto const& name : t.origin.not_stored)
        if (name != halos && name != messages && name != mpi_messages)
            text += fmt::format("not stored: {} (it ended at the bound of its range)\n", name);
    return text;
}

std::string table(tuned const& t) {
    profile const built_in;
    auto const& samples = t.origin.samples;
    std::string text = "nanoseconds\n";
    for (auto const apart : {distance::near, distance::far}) {
        bool const near = apart == distance::near;
        if (!title(text, near ? "near" : "far", near ? samples.near : samples.far)) continue;
        list(text, of_a_pair, t.costs.of(apart).memory, built_in.of(apart).memory);
        text += " messages of datatypes\n";
        list(text, of_copies, t.costs.of(apart).datatypes, built_in.of(apart).datatypes);
    }
    if (samples.near > 0 || samples.far > 0) {
        text += "messages of datatypes, near or far\n";
        list(text, of_any_copy, t.costs, built_in);
    }
    if (title(text, "one core", samples.local)) list(text, of_one_core, t.costs, built_in);
    if (title(text, "network", samples.network)) list(text, of_messages, t.costs.network, built_in.network);
    for (auto const apart : {distance::near, distance::far}) {
        bool const near = apart == distance::near;
        auto const name =
            fmt::format("messages of datatypes by {}, {}", t.origin.mpi.empty() ? "an MPI" : t.origin.mpi, near ? "near" : "far");
        if (!title(text, name, near ? samples.mpi_near : samples.mpi_far)) continue;
        list(text, of_an_mpi, t.costs.of(apart).datatypes, built_in.of(apart).datatypes);
    }
    if (samples.mpi_near > 0 || samples.mpi_far > 0) list(text, of_layouts, t.costs, built_in);
    return text;
}

} // namespace sode::internal::tools
