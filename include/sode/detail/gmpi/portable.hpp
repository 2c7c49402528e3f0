// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Marks functions that run on the host and in kernels. Only this file and `native.hpp` depend on the compiler. To support another
/// kernel language, change these lines.
#if defined(__CUDACC__)
#define SODE_GPU __host__ __device__
#else
#define SODE_GPU
#endif

namespace sode::gmpi {

/// The unit that device and host read and write atomically: 8 bytes, aligned.
using word = std::uint64_t;

} // namespace sode::gmpi
