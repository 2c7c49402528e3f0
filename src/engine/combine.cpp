// SPDX-License-Identifier: Apache-2.0
#include "engine/combine.hpp"

#include "layout/copy_rows.hpp"

namespace sode::internal {

void run(row_function f, copy_program const& p, std::byte* target, std::byte const* first, std::byte const* source) noexcept {
    for_each_row(p, [&](index_t src, index_t dst, index_t bytes) {
        f(target + dst, first + dst, source + src, static_cast<std::size_t>(bytes));
    });
}

} // namespace sode::internal
