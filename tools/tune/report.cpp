// SPDX-License-Identifier: Apache-2.0
#include "tune/report.hpp"

#include "base/topology.hpp"
#include "model/profile_fields.hpp"
#include "tune/estimate.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>

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

void put_medians(std::span<copy_times const> blocks, distance apart, profile& p) {
    if (blocks.empty()) return;
    std::vector<copy_costs> costs;
    for (auto const& t : blocks) costs.push_back(estimate(t, apart, p));
    put(median(costs), apart, p);
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

} // namespace

tuned conclude(campaign_result const& result) {
    tuned t;
    t.costs.name = "tuned";
    if (!result.near.empty()) t.costs.of(distance::near).memory = median(result.near);
    if (!result.far.empty()) t.costs.of(distance::far).memory = median(result.far);
    if (!result.local.empty()) median(result.local, t.costs);
    topology const machine;
    if (auto const bytes = core_cache_of(machine); bytes > 0) t.costs.core_cache_bytes = bytes;
    // What does not depend on the distance is of near cores, if they were seen.
    put_medians(result.far_copies, distance::far, t.costs);
    put_medians(result.near_copies, distance::near, t.costs);
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
        profile const built_in;
        put(typed_in(built_in, distance::far), distance::far, t.costs);
        put(typed_in(built_in, distance::near), distance::near, t.costs);
        samples.mpi_near = samples.mpi_far = 0;
    }
    t.origin.mpi = result.mpi;
    if (!result.far.empty()) put(median(result.far), distance::far, t.costs), samples.mpi_far = std::ssize(result.far);
    if (!result.near.empty()) put(median(result.near), distance::near, t.costs), samples.mpi_near = std::ssize(result.near);
    name_time(t.origin);
    name_unseen(t.origin);
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
