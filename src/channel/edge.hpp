// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/choice.hpp"
#include "cost/edge_features.hpp"
#include "plan/builder.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace sode::internal {

/// Some bytes that go from one rank to another, or stay, in every epoch. Both ends work it out alike.
struct edge {
    int source = 0;
    int target = 0;
    int slot = 0;       ///< tells the edges of a target apart, unless they are of one pair of ranks; in halos those of a source too
    int first_slot = 0; ///< the lowest of this pair of ranks
    int back = -1;      ///< the slot of its mirror image, where it can be exchanged with that in chunks
    buffer from{};      ///< the array that holds the bytes at the source …
    layout source_layout{}; ///< … and where in it
    buffer to{};
    layout target_layout{};
    edge_features features{};
    choice chosen{};
    std::int64_t place = 0; ///< where the way puts it: within one instance of the source's stage, the flag's payload, the message
    counter flag{};         ///< where the way has a flag for it alone

    bool combines = false; ///< the elements at the target are combined with what arrives, not replaced
    bool negated = false;  ///< after their sign has been changed
    std::uint32_t combiner = 0;
    std::uint32_t element = 0;

    std::array<std::int8_t, max_dims> step{}; ///< for explain(): where it comes from, seen from the target,
    std::uint8_t dims = 0;
    std::uint8_t field = 0;
    std::string_view outside{}; ///< and the rule, if the bytes lie outside the domain at the source
};

/// Those that somebody wants to have together, in their order.
using edge_list = std::vector<edge const*>;
using edge_span = std::span<edge const* const>;

/// A stage has two instances, used in turn: the source packs epoch e + 1 while the target may still unpack epoch e.
[[nodiscard]] buffer stage_of(int source, std::int64_t bytes);
/// Private memory of the rank whose plan is built, `bytes` long. Streams are not ordered, so no two uses may share one.
[[nodiscard]] buffer private_place(plan_builder& b, std::int64_t bytes);
/// The most that fits into a flag's line behind the flag.
inline constexpr std::int64_t most_in_line = 48;
/// Bytes that an edge takes in the stage: whole cache lines, so that edges never share one.
[[nodiscard]] constexpr std::int64_t stage_room(std::int64_t bytes) noexcept {
    return (bytes + 63) / 64 * 64;
}

} // namespace sode::internal
