// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/way.hpp"

#include <string>

// All ways to move bytes, in the order in which the model prefers them among equals: a line each.
#define SODE_WAYS(WAY)                                                                                                             \
    WAY(in_line)                                                                                                                   \
    WAY(pull)                                                                                                                      \
    WAY(stage)                                                                                                                     \
    WAY(stage_wide)                                                                                                                \
    WAY(stage_chunks)                                                                                                              \
    WAY(put)                                                                                                                       \
    WAY(mpi)                                                                                                                       \
    WAY(device_push)                                                                                                               \
    WAY(device_pull)                                                                                                               \
    WAY(device_stage)                                                                                                              \
    WAY(device_segments)                                                                                                           \
    WAY(mpi_machine)                                                                                                               \
    WAY(reference)

namespace sode::internal {

namespace ways {
#define SODE_DECLARE_WAY(NAME) extern way const& NAME; // NOLINT(bugprone-macro-parentheses)
SODE_WAYS(SODE_DECLARE_WAY)
#undef SODE_DECLARE_WAY
} // namespace ways

[[nodiscard]] std::span<way const* const> all_ways() noexcept;
/// The one of that name; null: there is none.
[[nodiscard]] way const* way_named(std::string_view name) noexcept;
/// The same where there must be one. `why`: who wants it, for the message. Errors: usage, if there is none.
[[nodiscard]] way const& required_way(std::string_view name, std::string_view why);
/// "inline, pull, …, mpi-machine and reference": for messages.
[[nodiscard]] std::string names_of_ways();
[[nodiscard]] inline std::string_view name_of(way const* w) noexcept {
    return w ? w->name() : std::string_view{};
}

} // namespace sode::internal
