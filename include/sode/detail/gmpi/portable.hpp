// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Stands before what runs on the host and in kernels. This file and `native.hpp` are the only ones that know which compiler reads
/// them; with another language for kernels, these are the lines that change.
#if defined(__CUDACC__)
#define SODE_GPU __host__ __device__
#else
#define SODE_GPU
#endif

namespace sode::gmpi {

/// What device and host read and write, each at once: 8 bytes, aligned.
using word = std::uint64_t;

} // namespace sode::gmpi
