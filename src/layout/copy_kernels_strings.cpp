// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels_body.hpp"

#if defined(__x86_64__)

namespace sode::internal {

kernel_set const& string_kernels() noexcept {
    static kernel_set const set = [] {
        kernel_set s = baseline_kernels;
        s.name = "strings";
        auto const put = [&s](int first, copy_kernel k) { s.kernels[first + static_cast<int>(block_unit::big) - own_kernels] = k; };
        put(first_nest_kernel, plain_nest<big_string, no_twin>);
        put(first_twin_kernel, plain_nest<big_string, with_twin>);
        put(first_segments_kernel, run_segments<big_string>);
        put(first_hops_kernel, run_hops<big_string>);
        put(first_gather_kernel, run_gather<big_string>);
        put(first_scatter_kernel, run_scatter<big_string>);
        return s;
    }();
    return set;
}

} // namespace sode::internal

#endif
