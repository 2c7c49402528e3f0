// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels.hpp"
#include "layout/copy_rows.hpp"

namespace sode::internal {

void run_reference(copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    for_each_row(p, [&](index_t src, index_t dst, index_t bytes) {
        for (index_t i = 0; i < bytes; ++i) target[dst + i] = source[src + i];
    });
}

copy_program by_reference(copy_program p) noexcept {
    p.kernel = reference_kernel;
    return p;
}

} // namespace sode::internal
