// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/fields.hpp"
#include "halo/rivals/mpi_handles.hpp"

#include <vector>

namespace sode::internal::bench {

/// A derived type, relative to field 0, and whom it goes to or comes from.
struct typed_edge {
    datatype type;
    int peer;
    int tag;
};

struct typed_edges {
    std::vector<typed_edge> sends, receives;
};

/// One subarray type per direction; the rank itself is a peer as well where the case is periodic. Ordered by the sender's
/// direction, so that two edges between the same ranks match by order as well as by tag.
[[nodiscard]] typed_edges one_type_per_direction(fields const& f);

/// One struct type per peer; what stays on the rank is left out.
[[nodiscard]] typed_edges one_type_per_peer(fields const& f);

} // namespace sode::internal::bench
