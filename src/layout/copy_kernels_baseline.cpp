// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels_body.hpp"

namespace sode::internal {

extern constinit kernel_set const baseline_kernels = make_kernels("baseline", tiled_unit_list{}, long_unit_list{});

} // namespace sode::internal
