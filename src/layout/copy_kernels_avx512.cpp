// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)
#include "layout/copy_kernels_body.hpp"

namespace sode::internal {

extern constinit kernel_set const avx512_kernels = make_kernels("avx512", tiled_unit_list{}, long_unit_list{});

} // namespace sode::internal
#endif
