// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/expense.hpp"
#include "cost/profile.hpp"
#include "layout/layout.hpp"

namespace sode::internal {

/// What the cost of an edge depends on, and which ways can carry it. Both of its ends know all of it and so come to the same
/// choice.
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
    std::int64_t segment = 0;  ///< of a device: bytes that cross the bus at a time, through pinned memory; 0: all at once
    bool on_device = false;    ///< both arrays are in the memory of devices,
    bool far_devices = false;  ///< which are at different sockets,
    bool mpi_takes = false;    ///< and MPI takes that memory
    bool stored = false;       ///< the source can put it where it belongs, and the pattern has the words for that
    std::int64_t together = 0; ///< bytes of all edges of its pair of ranks, where a flag's line may take them; 0: it may not
};

/// True if the rows of an edge lie on more pages than a core keeps translations for.
[[nodiscard]] bool crosses_pages(edge_features const& e, profile const& p) noexcept;
/// How rows of that size and number are met: paper P0's three patterns.
[[nodiscard]] pattern pattern_of(edge_features const& e, profile const& p) noexcept;
/// Should a message take the rows of an edge as they lie, with what is between them, which the target puts back, and not packed?
[[nodiscard]] bool travels_as_it_lies(edge_features const& e, profile const& p) noexcept;

/// What ways add up, in nanoseconds. Closed form.
namespace edge_cost {

/// A byte of a wide copy within the own cache, or past it.
[[nodiscard]] double local_byte(edge_features const& e, profile const& p) noexcept;
/// The pages that the rows lie on, beyond those that a core keeps translations for.
[[nodiscard]] double pages(edge_features const& e, profile const& p) noexcept;
/// Gathering the rows within the own cache, or scattering them.
[[nodiscard]] double gather(edge_features const& e, profile const& p) noexcept;
/// Copying the rows out of the other core's cache.
[[nodiscard]] double rows_of_other(edge_features const& e, profile const& p) noexcept;
/// A message, with what its rows cost at both ends.
[[nodiscard]] expense message(edge_features const& e, profile const& p) noexcept;

} // namespace edge_cost
} // namespace sode::internal
