// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/method.hpp"
#include "plan/builder.hpp"

namespace sode {

/// One box that goes from one rank to another in every epoch, as one of the two ranks sees it while it builds its plan.
struct edge {
    int source = 0;
    int target = 0;
    buffer from;          ///< the array that holds the box at the source …
    layout source_layout; ///< … and where in it
    buffer to;
    layout target_layout;
    method how = method::pull;
    std::int64_t bytes = 0;
    bool as_it_lies = false;       ///< message: with what is between its rows, if it is the only edge of the two ranks
    std::int64_t stage_offset = 0; ///< within the source's stage; in_line: within the payload
    counter flag{};                ///< in_line: the flag whose payload the bytes travel in
};

/// A stage has two instances, used in turn: the source packs epoch e + 1 while the target may still unpack epoch e.
[[nodiscard]] buffer stage_of(int source, std::int64_t bytes);
/// Private memory of the rank whose plan is built, `bytes` long. Streams are not ordered, so no two uses may share one.
[[nodiscard]] buffer private_place(plan_builder& b, std::int64_t bytes);
/// Bytes that an edge takes in the stage: whole cache lines, so that edges never share one.
[[nodiscard]] constexpr std::int64_t stage_room(std::int64_t bytes) noexcept {
    return (bytes + 63) / 64 * 64;
}

} // namespace sode
