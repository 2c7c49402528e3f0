// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which platform a thread has that does not say: the one that this compiler compiles for.
#if defined(__CUDACC__)
// What is for both sides calls what is for the host alone where it runs there, on the emulated device.
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
