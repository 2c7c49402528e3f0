// SPDX-License-Identifier: Apache-2.0
#include <sode/detail/step_check.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

namespace sode::detail {

void beyond_reach(geometry const& shape, bool next, std::array<index_t, max_dims> const& at,
                  std::array<index_t, max_dims> const& there) {
    auto const dims = static_cast<std::size_t>(shape.dims);
    auto const text = [dims](auto const& i) { return fmt::format("({})", fmt::join(std::span{i}.first(dims), ", ")); };
    if (next)
        throw error{error_kind::usage,
                    fmt::format("a step at {} accesses element {} of next() of array \"{}\"", text(at), text(there), shape.name),
                    "a step of a march may access only its own element of next()", "compute each element in its own iteration"};
    throw error{error_kind::usage, fmt::format("a step at {} reads element {} of array \"{}\"", text(at), text(there), shape.name),
                "the element is outside the shadow, or outside the width of the exchange",
                "declare a shadow that covers all elements that a step reads"};
}

} // namespace sode::detail
