// SPDX-License-Identifier: Apache-2.0
#pragma once
// The default platform of threads: the platform for which this compiler generates code.
#if defined(__CUDACC__)
// Functions for both host and device call host functions in the branch for the emulated device, which runs on the host.
#pragma nv_diag_suppress 20011, 20013, 20014
#include <sode/detail/gmpi/cuda_platform.hpp>
#else
#include <sode/detail/gmpi/threads_platform.hpp>
#endif

namespace sode::gmpi::detail {

#if defined(__CUDACC__)
using native_platform = cuda_platform;
#else
using native_platform = threads_platform;
#endif

} // namespace sode::gmpi::detail
