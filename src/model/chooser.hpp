// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/method.hpp"
#include "layout/layout.hpp"
#include "model/profile.hpp"

#include <optional>

namespace sode {

/// What the cost of an edge depends on. Both of its ends know all of it and so come to the same choice.
struct edge_features {
    std::int64_t bytes = 0;
    std::int64_t rows = 1;
    std::int64_t row_bytes = 0;
    std::int64_t pitch = 0;
    distance apart = distance::near;
    bool acknowledged = false; ///< a pull of it must be acknowledged (one array instance)
    bool shared = true;        ///< the target can load the source's array
    std::int64_t chunks = 0;   ///< parts in which it can be exchanged with its mirror image; 0: cannot
    std::int64_t span = 0;     ///< from its first byte to its last, if a message can take it as it lies; 0: cannot
};

struct choice {
    method how = method::pull;
    double expected_us = 0;
    method runner_up = method::stage;
    double runner_up_us = 0;
    bool forced = false;
};

/// Microseconds that one exchange of the edge should take with that method. Closed form.
[[nodiscard]] double predict(edge_features const& e, method how, profile const& p) noexcept;

/// Between nodes, a message; a `forced` method that needs common memory is for the others. Else the cheapest of pull and the staged
/// ones that can be, or `forced`; where the target cannot load the source's array, `stage` in place of those that do. (Whether an
/// edge can travel in_line is decided for a pair of ranks, since all of a pair's edges must fit into one line.) Pure.
[[nodiscard]] choice choose(edge_features const& e, profile const& p, std::optional<method> forced) noexcept;

/// Should a message take the rows of an edge as they lie, with what is between them, which the target puts back, and not packed?
[[nodiscard]] bool travels_as_it_lies(edge_features const& e, profile const& p) noexcept;

/// True if the rows of an edge lie on more pages than a core keeps translations for.
[[nodiscard]] bool crosses_pages(edge_features const& e, profile const& p) noexcept;

/// Does one message for `pairs` pairs of ranks, of that many bytes together, cost less than one for each? It saves the time that
/// the processors spend for each message, and costs two hand-overs within the nodes; from half the eager limit on transports move
/// long messages in other ways, and one is no better than several. `pretended`: both nodes are one, where it never wins (research
/// on halos, section 6).
[[nodiscard]] bool pays_together(int pairs, std::int64_t bytes, profile const& p, bool pretended) noexcept;

/// How rows of that size and number are met: paper P0's three patterns.
[[nodiscard]] pattern pattern_of(edge_features const& e, profile const& p) noexcept;

} // namespace sode
