// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

namespace sode {

/// Short texts for one entry of a plan, shared by the formats of dump().

[[nodiscard]] std::string_view to_string(parity p);
[[nodiscard]] std::string_view to_string(buffer_role r);
[[nodiscard]] std::string_view to_string(counter_kind k);

/// "2e - 3": how a threshold or a value depends on the epoch; in a loop "2e - 3 + 4i".
[[nodiscard]] std::string epochs(std::int64_t step, std::int64_t constant, std::int64_t per_iteration = 0);
/// "stage of rank 2 + 128".
[[nodiscard]] std::string describe(buffer const& b);
/// "flag 3 of rank 2".
[[nodiscard]] std::string describe(counter const& c);
/// One line: what it waits for, does, and signals. `loop` is the loop around it, if there is one.
[[nodiscard]] std::string describe(plan const& p, descriptor const& d, descriptor const* loop);

/// From which neighbour the box of an edge comes: (-1, 0, 1) as "- . +".
[[nodiscard]] std::string direction_of(edge_note const& n);

/// The loop around descriptor `at`, or nullptr.
[[nodiscard]] descriptor const* loop_around(plan const& p, std::size_t at);

} // namespace sode
