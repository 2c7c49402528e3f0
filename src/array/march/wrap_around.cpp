// SPDX-License-Identifier: Apache-2.0
#include "array/march/wrap_around.hpp"

#include <cstring>

namespace sode::internal {
namespace {

// From dimension `d` on. The last dimension's elements follow each other in memory.
void copy(detail::ghost_box const& b, std::size_t d, std::size_t last, std::byte* at, std::ptrdiff_t distance, std::size_t bytes) {
    at += (b.lower[d] - b.origin[d]) * b.strides[d];
    index_t const count = b.upper[d] - b.lower[d];
    if (d == last && b.strides[d] == static_cast<index_t>(bytes)) {
        std::memcpy(at, at + distance, static_cast<std::size_t>(count) * bytes);
        return;
    }
    for (index_t i = 0; i < count; ++i, at += b.strides[d]) {
        if (d == last)
            std::memcpy(at, at + distance, bytes);
        else
            copy(b, d + 1, last, at, distance, bytes);
    }
}

} // namespace

void wrap_around::fill(detail::ghost_box const& where) {
    auto const stride = where.strides[static_cast<std::size_t>(where.dim)];
    copy(where, 0, static_cast<std::size_t>(dims_ - 1), where.first, (where.side == 0 ? extent_ : -extent_) * stride, bytes_);
}

detail::wall_rule wrap_around::rule(int dims, std::size_t element_bytes, index_t extent) {
    detail::wall_rule r;
    r.kind = detail::wall_kind::computed;
    r.depth = extent; // it reads from the other end
    r.function = std::make_shared<wrap_around>(dims, element_bytes, extent);
    return r;
}

} // namespace sode::internal
