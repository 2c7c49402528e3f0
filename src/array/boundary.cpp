// SPDX-License-Identifier: Apache-2.0
#include <sode/boundary.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::detail {

void require_entries(halo_source const& field, std::size_t given) {
    auto const dims = static_cast<std::size_t>(field.shape->dims);
    if (given == 1 || given == dims) return;
    throw error{
        error_kind::usage,
        fmt::format("there are boundary conditions for {} dimensions, but array \"{}\" has {}", given, field.shape->name, dims),
        "a single entry applies to all dimensions", "pass one entry, or one entry for each dimension"};
}

void too_deep(index_t k, index_t depth) {
    throw error{error_kind::usage, fmt::format("a boundary condition read inner({})", k),
                depth == 0 ? std::string{"the condition has depth 0"}
                           : fmt::format("the condition has depth {} and may read inner(0) to inner({})", depth, depth - 1),
                "give sode::computed a larger depth"};
}

} // namespace sode::detail
