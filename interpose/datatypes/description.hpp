// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>
#include <optional>
#include <sode/types.hpp>
#include <vector>

namespace sode::internal {

/// The calls that made a datatype, as numbers: of equal descriptions the type maps are equal. `numbers`: how many of them the
/// program has passed, as numbers_of() counts them.
struct datatype_description {
    std::vector<index_t> text;
    index_t numbers = 0;
};

/// How far description_of() goes.
struct description_limits {
    index_t numbers = 0; ///< a type of more has none
    index_t types = 0;   ///< nor one that is made of so many others by one call: some MPIs copy each to name it
};

/// Nothing for a type beyond the limits. Errors: usage, for a handle that MPI does not know. Cost: some hundred nanoseconds for
/// each constructor, and some nanoseconds a number; where there is nothing, less.
[[nodiscard]] std::optional<datatype_description> description_of(MPI_Datatype type, description_limits limits);

} // namespace sode::internal
