// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)
#include "layout/copy_kernels_body.hpp"

namespace sode::internal {

extern constinit kernel_set const avx2_kernels = make_kernels("avx2", tiled_unit_list{}, long_unit_list{});

} // namespace sode::internal
#endif
