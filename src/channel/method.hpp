// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace sode {

/// The ways in which the bytes of an edge can move. Both ends of an edge use the same one.
enum class method : std::uint8_t {
    pull,         ///< the target copies box to box out of the source's memory
    stage,        ///< the source packs into a shared stage, the target unpacks it
    stage_wide,   ///< the same through private buffers on both sides: only wide copies cross between cores
    stage_chunks, ///< packing and unpacking by turns, a few rows at a time, for rows on pages of their own
    in_line,      ///< the bytes travel in the flag's own cache line
    message,      ///< packed, by MPI: all edges of a pair of ranks in one message
    node_message, ///< the same, but all edges of a pair of nodes in one message
    reference     ///< byte by byte between two barriers: slow and obviously right
};

[[nodiscard]] constexpr std::string_view to_string(method m) noexcept {
    switch (m) {
    case method::pull: return "pull";
    case method::stage: return "stage";
    case method::stage_wide: return "stage-wide";
    case method::stage_chunks: return "stage-chunks";
    case method::in_line: return "inline";
    case method::message: return "mpi";
    case method::node_message: return "mpi-node";
    case method::reference: return "reference";
    }
    return "?";
}
/// The method of that name, as in SODE_CHANNEL.
[[nodiscard]] constexpr std::optional<method> method_of(std::string_view name) noexcept {
    for (auto m : {method::pull, method::stage, method::stage_wide, method::stage_chunks, method::in_line, method::message,
                   method::node_message, method::reference})
        if (to_string(m) == name) return m;
    return std::nullopt;
}

/// The most that fits into a flag's line behind the flag.
inline constexpr std::int64_t most_in_line = 48;

} // namespace sode
