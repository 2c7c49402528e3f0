// SPDX-License-Identifier: Apache-2.0
#include "tune/checks.hpp"

#include "channel/ways.hpp"
#include "tune/datatype_estimate.hpp"
#include "tune/estimate.hpp"
#include "tune/fit.hpp"

#include <fmt/format.h>

namespace sode::internal::tools {
namespace {

layout planes(std::int64_t count, std::int64_t pitch, std::int64_t rows, std::int64_t bytes, std::int64_t row_pitch) {
    return normalised({.offset = 0, .block = bytes, .loops = {{count, pitch}, {rows, row_pitch}}, .list = {}});
}

layout atoms_of_a_list(std::int64_t count) {
    layout rows;
    std::uint64_t chance = 7;
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        rows.list.push_back({at, 24});
        chance = chance * 6364136223846793005U + 1442695040888963407U;
        at += 24 * (1 + static_cast<std::int64_t>(chance >> 62));
    }
    return normalised(std::move(rows));
}

edge_features edge_of(layout const& where, distance apart) {
    auto const s = classify(where);
    edge_features e;
    e.bytes = s.bytes;
    e.rows = s.rows;
    e.row_bytes = s.row_bytes;
    e.pitch = s.pitch;
    e.apart = apart;
    return e;
}

// Only copies are timed.
profile of_copies(profile p) {
    for (auto const apart : {distance::near, distance::far}) {
        p.of(apart).datatypes.handshake = p.of(apart).datatypes.stage = 0;
        p.of(apart).memory.flag = 0;
    }
    return p;
}

std::array<way const*, checked_ways> halo_ways() {
    return {&ways::pull, &ways::stage, &ways::stage_wide};
}

double predicted(check const& c, std::size_t way, distance apart, profile const& p) {
    if (c.of == checked::message) return predict(features_of(c.where, apart), checked_paths[way], of_copies(p)) * 1e3;
    return halo_ways()[way]->cost(edge_of(c.where, apart), p).total();
}

std::string name_of(check const& c, distance apart) {
    return fmt::format("{}, {}", c.name, apart == distance::near ? "near" : "far");
}

} // namespace

std::array<check, check_count> const& checks() {
    static std::array<check, check_count> const all{{
        {"face of 48 rows of 384 bytes", checked::halo, rows_of(48, 384, 50 * 400)},
        {"face of 96 rows of 768 bytes", checked::halo, rows_of(96, 768, 98 * 784)},
        {"face of 48^2 elements", checked::halo, planes(48, 50 * 400, 48, 8, 400)},
        {"face of 32^2 rows of 16 bytes", checked::halo, planes(32, 36 * 288, 32, 16, 288)},
        {"column of 2000 elements", checked::halo, rows_of(2000, 8, 8208)},
        {"face of 96 KiB together", checked::halo, contiguous(0, std::int64_t{96} << 10)},
        {"8 KiB in rows of 8 bytes", checked::message, rows_of(1024, 8, 272)},
        {"32 KiB in rows of 8 bytes", checked::message, rows_of(4096, 8, 272)},
        {"64 KiB in rows of 256 bytes", checked::message, rows_of(256, 256, 2176)},
        {"60 KiB in rows of 48 bytes", checked::message, rows_of(1280, 48, 160)},
        {"256 KiB in rows of 2 KiB", checked::message, rows_of(128, 2048, 4096)},
        {"12 KiB in a list of 24 bytes", checked::message, atoms_of_a_list(512)},
        {"48 KiB in a list of 24 bytes", checked::message, atoms_of_a_list(2048)},
        {"128 KiB in planes of rows of 64 bytes", checked::message, planes(32, 80 * 640, 64, 64, 640)},
    }};
    return all;
}

std::vector<check> message_checks() {
    std::vector<check> messages;
    for (auto const& c : checks())
        if (c.of == checked::message) messages.push_back(c);
    return messages;
}

std::vector<checked_pattern> compared(std::span<check_times const> blocks, checked of, distance apart, profile const& fitted) {
    profile const built_in;
    std::vector<checked_pattern> all;
    for (std::size_t i = 0; i < check_count; ++i) {
        auto const& c = checks()[i];
        if (c.of != of) continue;
        auto& pattern =
            all.emplace_back(checked_pattern{fmt::format("{}, {}", c.name, apart == distance::near ? "near" : "far"), {}});
        for (std::size_t k = 0; k < checked_ways; ++k) {
            std::vector<double> times;
            for (auto const& t : blocks) times.push_back(t[i][k]);
            pattern.ways.push_back({of == checked::message ? to_string(checked_paths[k]) : halo_ways()[k]->name(), median(times),
                                    predicted(c, k, apart, fitted), predicted(c, k, apart, built_in)});
        }
    }
    return all;
}

std::vector<checked_pattern> compared(std::span<message_check_times const> blocks, message_terms const& how,
                                      profile const& fitted) {
    profile const built_in;
    auto const messages = message_checks();
    std::vector<checked_pattern> all;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        auto features = features_of(messages[i].where, how.apart);
        features.eager_bytes = how.eager_bytes;
        features.reachable = how.reachable;
        auto const can = costs_of_paths(features, built_in);
        auto& pattern = all.emplace_back(checked_pattern{name_of(messages[i], how.apart), {}});
        for (std::size_t k = 0; k < message_paths; ++k) {
            std::vector<double> times;
            for (auto const& t : blocks) times.push_back(t[i][k]);
            auto const path = static_cast<message_path>(k);
            if (double const ns = median(times); ns > 0 && can[k] > 0)
                pattern.ways.push_back(
                    {to_string(path), ns, predict(features, path, fitted) * 1e3, predict(features, path, built_in) * 1e3});
        }
        if (pattern.ways.empty()) all.pop_back();
    }
    return all;
}

} // namespace sode::internal::tools
