// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/profile.hpp"
#include "layout/layout.hpp"
#include "model/message_path.hpp"
#include "tune/verdict.hpp"

#include <array>
#include <span>
#include <vector>

namespace sode::internal::tools {

/// By what `sode tune` checks the constants that it has fitted: patterns that are not among those it fits to, each in three ways.
enum class checked : std::uint8_t {
    halo,   ///< an edge of an exchange: pull, stage, stage-wide
    message ///< one of derived datatypes, its copies alone: direct, push, staged
};
struct check {
    std::string_view name;
    checked of = checked::halo;
    layout where; ///< both sides have it
};
inline constexpr std::size_t check_count = 14, checked_ways = 3;
inline constexpr std::array<message_path, checked_ways> checked_paths{message_path::direct, message_path::push,
                                                                      message_path::staged};
[[nodiscard]] std::array<check, check_count> const& checks();

/// Nanoseconds of each way of each, in one block, until the bytes are where they belong.
using check_times = std::array<std::array<double, checked_ways>, check_count>;

/// Those of one kind, between cores so far apart: the medians of the times over blocks, of which there must be one, beside what is
/// predicted by `fitted` and by the built-in profile. Pure.
[[nodiscard]] std::vector<checked_pattern> compared(std::span<check_times const> blocks, checked of, distance apart,
                                                    profile const& fitted);

/// Messages of derived datatypes as programs send them, by all paths: those checks that are messages, in their order. 0: that path
/// cannot be. By message_path.
inline constexpr std::size_t message_check_count = 8;
using message_check_times = std::array<std::array<double, message_paths>, message_check_count>;
[[nodiscard]] std::vector<check> message_checks();
/// How such messages went; the layouts are those of the checks.
struct message_terms {
    distance apart = distance::near;
    std::int64_t eager_bytes = 0;
    bool reachable = false;
};
/// As compared(): beside the two profiles' predictions.
[[nodiscard]] std::vector<checked_pattern> compared(std::span<message_check_times const> blocks, message_terms const& how,
                                                    profile const& fitted);

} // namespace sode::internal::tools
