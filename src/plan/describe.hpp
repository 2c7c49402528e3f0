// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

namespace sode::internal {

/// Short texts for one entry of a plan, shared by the formats of dump().

[[nodiscard]] std::string_view to_string(parity p);
[[nodiscard]] std::string_view to_string(buffer_role r);
[[nodiscard]] std::string_view to_string(counter_kind k);

/// "stage of rank 2 + 128"; "(3 slots)" behind it, if these are not the usual two, and "(pinned)", if it is not host memory.
[[nodiscard]] std::string describe(buffer const& b);
/// "flag 3 of rank 2"; "flag 3/4", or "flag 3 to 6", if an epoch picks one of several.
[[nodiscard]] std::string describe(counter const& c);
/// One line: what it waits for, does, and signals. A threshold or value of "2e - 3" depends on the epoch. In loops i is the
/// iteration of the innermost one, j of the one around it, …:
/// "+ 16i", or in a ring of four "+ 16(i mod 4)".
[[nodiscard]] std::string describe(plan const& p, descriptor const& d);

/// What stands behind the number of a stream: "", " (rank 3)", " (rank 3, thread 0)", " (queue 1)".
[[nodiscard]] std::string describe(stream const& s);

/// From which neighbour the box of an edge comes: (-1, 0, 1) as "- . +", (0, -2), from the block beyond the neighbour's, as ". -2".
[[nodiscard]] std::string direction_of(edge_note const& n);

} // namespace sode::internal
