// SPDX-License-Identifier: Apache-2.0
#include "tune/datatype_estimate.hpp"

#include "tune/estimate.hpp"

#include <algorithm>

namespace sode::internal::tools {
namespace {

// Below this a measurement cannot tell a cost from none.
constexpr double least_row = 0.01, least_line = 0.05, least_byte = 0.001, least_message = 1;

constexpr std::array<copy_constant, 9> copy_ranges{{{"line", &copy_costs::line, least_line, true},
                                                    {"sparse_line", &copy_costs::sparse_line, least_line, true},
                                                    {"push", &copy_costs::push, least_line, true},
                                                    {"sparse_push", &copy_costs::sparse_push, least_line, true},
                                                    {"stage_byte", &copy_costs::stage_byte, least_byte, true},
                                                    {"page", &copy_costs::page, 0, true},
                                                    {"copied_row", &copy_costs::copied_row, least_row, false},
                                                    {"packed_row", &copy_costs::packed_row, least_row, false},
                                                    {"missed_line", &copy_costs::missed_line, least_line, false}}};

struct typed_constant {
    std::string_view name;
    double typed_costs::*value;
    double least;
};
constexpr std::array<typed_constant, 9> typed_ranges{{{"mpi", &typed_costs::mpi, least_message},
                                                      {"mpi_asking", &typed_costs::mpi_asking, least_message},
                                                      {"mpi_row", &typed_costs::mpi_row, least_row},
                                                      {"mpi_list_row", &typed_costs::mpi_list_row, least_row},
                                                      {"mpi_byte", &typed_costs::mpi_byte, least_byte},
                                                      {"handshake", &typed_costs::handshake, least_message},
                                                      {"stage", &typed_costs::stage, 0},
                                                      {"new_layout", &typed_costs::new_layout, least_message},
                                                      {"new_layout_entry", &typed_costs::new_layout_entry, least_row}}};

// What is fitted to copies, in the order of copy_ranges, and to messages that are left to MPI, between ranks so far apart.
template <distance apart>
constexpr std::array<profile_field, 9> copy_constants{[](profile& p) -> double& { return p.of(apart).datatypes.line; },
                                                      [](profile& p) -> double& { return p.of(apart).datatypes.sparse_line; },
                                                      [](profile& p) -> double& { return p.of(apart).datatypes.push; },
                                                      [](profile& p) -> double& { return p.of(apart).datatypes.sparse_push; },
                                                      [](profile& p) -> double& { return p.of(apart).datatypes.stage_byte; },
                                                      [](profile& p) -> double& { return p.of(apart).datatypes.page; },
                                                      [](profile& p) -> double& { return p.copied_row; },
                                                      [](profile& p) -> double& { return p.packed_row; },
                                                      [](profile& p) -> double& { return p.missed_line; }};
template <distance apart>
constexpr std::array<profile_field, 5> mpi_constants{[](profile& p) -> double& { return p.of(apart).datatypes.mpi; },
                                                     [](profile& p) -> double& { return p.of(apart).datatypes.mpi_asking; },
                                                     [](profile& p) -> double& { return p.of(apart).datatypes.mpi_row; },
                                                     [](profile& p) -> double& { return p.of(apart).datatypes.mpi_list_row; },
                                                     [](profile& p) -> double& { return p.of(apart).datatypes.mpi_byte; }};

// Rows of eight bytes at distances that no vector has.
layout uneven_rows(std::int64_t count) {
    layout rows;
    std::uint64_t chance = 1;
    for (std::int64_t i = 0; i < count; ++i) {
        chance = chance * 6364136223846793005U + 1442695040888963407U;
        rows.list.push_back({i * 128 + static_cast<std::int64_t>(chance >> 61) * 8, 8}); // one of the eight words of a line
    }
    return normalised(std::move(rows));
}

} // namespace

layout rows_of(std::int64_t count, std::int64_t bytes, std::int64_t pitch) {
    return normalised({.offset = 0, .block = bytes, .loops = {{count, pitch}}, .list = {}});
}

copy_samples_list const& copy_samples() {
    static copy_samples_list const all = [] {
        auto const together = contiguous(0, std::int64_t{64} << 10);
        auto const long_rows = rows_of(128, 512, 1024);
        auto const atoms = rows_of(2048, 24, 40);
        auto const lone = rows_of(1024, 8, 576); // in a line each, of sets that differ
        auto const crowd = normalised({.offset = 0, .block = 8, .loops = {{1024, 576}, {4, 16}}, .list = {}});
        auto const big = rows_of(8192, 512, 1024);
        auto const big_lone = rows_of(32000, 8, 1032);
        auto const big_aligned = rows_of(32768, 8, 1024); // in few sets of the caches, as in arrays of a power of two
        auto const scattered = rows_of(800, 40, 40960);   // each on a page of its own
        using enum message_path;
        return copy_samples_list{{{together, direct},
                                  {long_rows, direct},
                                  {atoms, direct},
                                  {lone, direct},
                                  {crowd, direct},
                                  {big, direct},
                                  {big_lone, direct},
                                  {big_aligned, direct},
                                  {scattered, direct},
                                  {together, push},
                                  {long_rows, push},
                                  {lone, push},
                                  {long_rows, staged},
                                  {atoms, staged},
                                  {crowd, staged},
                                  {big_lone, staged},
                                  {big_aligned, staged},
                                  {scattered, staged}}};
    }();
    return all;
}

std::span<copy_constant const> all_copy_constants() {
    return copy_ranges;
}

copy_costs estimate(copy_times const& t, distance apart, profile const& known, unsigned held) {
    profile p = known;
    p.of(apart).datatypes.handshake = p.of(apart).datatypes.stage = 0; // only copies were timed
    p.of(distance::near).memory.flag = p.of(distance::far).memory.flag = 0;
    std::vector<timed_message> messages;
    for (std::size_t i = 0; i < t.size(); ++i)
        messages.push_back({features_of(copy_samples()[i].where, apart), copy_samples()[i].how, t[i]});
    auto const& all = apart == distance::near ? copy_constants<distance::near> : copy_constants<distance::far>;
    std::vector<profile_field> free;
    for (std::size_t k = 0; k < all.size(); ++k)
        if ((held >> k & 1U) == 0) free.push_back(all[k]);
    fit(p, free, messages);
    return copies_in(p, apart);
}

fitted_copies fit_copies(std::span<copy_times const> blocks, distance apart, profile const& known) {
    unsigned held = 0;
    for (;;) {
        std::vector<copy_costs> costs;
        for (auto const& t : blocks) costs.push_back(estimate(t, apart, known, held));
        fitted_copies fitted{median(costs), {}};
        unsigned more = 0;
        copy_costs const before = copies_in(known, apart);
        for (std::size_t k = 0; k < copy_ranges.size(); ++k) {
            auto const& c = copy_ranges[k];
            if ((held >> k & 1U) != 0)
                fitted.costs.*c.value = before.*c.value, fitted.at_bound.push_back(c.name);
            else if (fitted.costs.*c.value <= c.least)
                more |= 1U << k;
        }
        if (more == 0) return fitted;
        held |= more;
        if (held + 1 == 1U << copy_ranges.size()) { // nothing could be fitted
            fitted = {before, {}};
            for (auto const& c : copy_ranges) fitted.at_bound.push_back(c.name);
            return fitted;
        }
    }
}

copy_costs median(std::span<copy_costs const> blocks) {
    copy_costs all;
    for (auto const& c : copy_ranges) all.*c.value = median_of(blocks, c.value, c.least);
    return all;
}

void put(copy_costs const& c, distance apart, profile& p) {
    datatype_costs& at = p.of(apart).datatypes;
    at.line = c.line;
    at.sparse_line = c.sparse_line;
    at.push = c.push;
    at.sparse_push = c.sparse_push;
    at.stage_byte = c.stage_byte;
    at.page = c.page;
    p.copied_row = c.copied_row;
    p.packed_row = c.packed_row;
    p.missed_line = c.missed_line;
}

copy_costs copies_in(profile const& p, distance apart) {
    datatype_costs const& at = p.of(apart).datatypes;
    return {.line = at.line,
            .sparse_line = at.sparse_line,
            .push = at.push,
            .sparse_push = at.sparse_push,
            .stage_byte = at.stage_byte,
            .page = at.page,
            .copied_row = p.copied_row,
            .packed_row = p.packed_row,
            .missed_line = p.missed_line};
}

new_sample const& new_samples() {
    static new_sample const all = [] {
        // Rows of two and of three dimensions of six arrays, 324 KiB.
        constexpr std::int64_t field_count = 6, apart = std::int64_t{1200} << 10, pitch = 4096;
        layout fields;
        for (std::int64_t field = 0; field < field_count; ++field)
            fields.parts.push_back(
                {.offset = field * apart, .block = 192 + 96 * field, .loops = {{8, 24 * pitch}, {16, pitch}}, .list = {}});
        for (std::size_t field = 0; field < fields.parts.size(); field += 2) fields.parts[field].loops = {{128, 2 * pitch}};
        return new_sample{normalised(std::move(fields)), uneven_rows(1000), uneven_rows(5000)};
    }();
    return all;
}

typed_samples_list const& typed_samples() {
    static typed_samples_list const all = [] {
        typed_samples_list list;
        std::size_t n = 0;
        for (std::int64_t const bytes : {2 << 10, 8 << 10, 32 << 10, 128 << 10}) {
            list[n++] = rows_of(bytes / 8, 8, 128);
            list[n++] = rows_of(bytes / 512, 512, 1024);
            list[n++] = uneven_rows(bytes / 8);
        }
        return list;
    }();
    return all;
}

typed_costs estimate(typed_times const& t, typed_circumstances const& how, profile const& known) {
    profile p = known;
    static std::vector<message_features> const all = [] {
        std::vector<message_features> features;
        for (auto const& s : typed_samples()) features.push_back(features_of(s, distance::near));
        return features;
    }();
    std::vector<timed_message> messages;
    for (std::size_t i = 0; i < all.size(); ++i) {
        messages.push_back({all[i], message_path::plain, t.plain[i]});
        messages.back().what.apart = how.apart;
        messages.back().what.eager_bytes = how.eager_bytes;
    }
    fit(p, how.apart == distance::near ? mpi_constants<distance::near> : mpi_constants<distance::far>, messages);
    typed_costs c = typed_in(p, how.apart);

    // What has a length counts twice in the second one. Packing is ahead of unpacking by half of a handshake, or unpacking behind
    // it by the last piece.
    auto const piece = static_cast<double>(stage_piece(moved_rows * moved_row_bytes, how.apart));
    double const last = piece * (p.packed_row / static_cast<double>(moved_row_bytes) + p.of(how.apart).datatypes.stage_byte / 2);
    double const staged = 2 * t.staged - t.staged_twice;
    if (how.reachable) {
        c.handshake = 2 * t.direct - t.direct_twice;
        c.stage = staged - c.handshake / 2 - std::max(c.handshake / 2, last);
    } else {
        double const rest = staged - c.stage;
        c.handshake = rest >= 2 * last ? rest : 2 * (rest - last);
    }
    c.new_layout_entry = (t.new_longer - t.new_list) / std::max(1.0, t.longer_numbers - t.list_numbers);
    c.new_layout = t.new_fields - t.fields_numbers * c.new_layout_entry;
    return c;
}

typed_costs median(std::span<typed_costs const> blocks) {
    typed_costs all;
    for (auto const& c : typed_ranges) all.*c.value = median_of(blocks, c.value, c.least);
    return all;
}

std::vector<std::string_view> hold_bounds(typed_costs& c, typed_costs const& usual) {
    std::vector<std::string_view> held;
    for (auto const& one : typed_ranges) {
        if (c.*one.value > one.least || c.*one.value == usual.*one.value) continue;
        c.*one.value = usual.*one.value;
        held.push_back(one.name);
    }
    return held;
}

void put(typed_costs const& c, distance apart, profile& p) {
    datatype_costs& at = p.of(apart).datatypes;
    at.mpi = c.mpi;
    at.mpi_asking = c.mpi_asking;
    at.mpi_row = c.mpi_row;
    at.mpi_list_row = c.mpi_list_row;
    at.mpi_byte = c.mpi_byte;
    at.handshake = c.handshake;
    at.stage = c.stage;
    p.new_layout = c.new_layout;
    p.new_layout_entry = c.new_layout_entry;
}

typed_costs typed_in(profile const& p, distance apart) {
    datatype_costs const& at = p.of(apart).datatypes;
    return {.mpi = at.mpi,
            .mpi_asking = at.mpi_asking,
            .mpi_row = at.mpi_row,
            .mpi_list_row = at.mpi_list_row,
            .mpi_byte = at.mpi_byte,
            .handshake = at.handshake,
            .stage = at.stage,
            .new_layout = p.new_layout,
            .new_layout_entry = p.new_layout_entry};
}

} // namespace sode::internal::tools
