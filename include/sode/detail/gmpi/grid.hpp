// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi {

/// The number of threads of a kernel.
struct launch_shape {
    std::uint32_t blocks = 1;
    std::uint32_t threads = 1; ///< threads in each block
};

} // namespace sode::gmpi
