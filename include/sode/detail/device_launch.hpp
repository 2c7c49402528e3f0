// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs the body of a loop on a device. Only this header depends on whether nvcc compiles the body.
#include <sode/box.hpp>
#include <sode/detail/gmpi/portable.hpp>
#include <sode/error.hpp>
#include <sode/loop.hpp>
#include <sode/stream.hpp>

#include <utility>

namespace sode::detail {

/// Runs the body on an emulated device.
template <int N, class Body> void emulate_each(sode::stream& s, box<N> const& b, Body const& body) {
    s.run([b, body] { for_each<N, Body>(b, body); });
}

#if defined(__CUDACC__)

/// Calls the body for the n-th index of a box in row-major order.
template <int N, class Body, std::size_t... D>
__device__ void call_at(box<N> const& b, index_t n, Body& body, std::index_sequence<D...>) {
    index_t at[N];
    for (int d = N - 1; d >= 0; --d) {
        index_t const extent = b.upper[d] - b.lower[d];
        at[d] = b.lower[d] + n % extent;
        n /= extent;
    }
    body(at[D]...);
}

template <int N, class Body> __global__ void each_kernel(box<N> const b, index_t const size, Body body) {
    auto const step = static_cast<index_t>(gridDim.x) * blockDim.x;
    for (index_t n = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < size; n += step)
        call_at(b, n, body, std::make_index_sequence<static_cast<std::size_t>(N)>{});
}

template <int N, class Body> void launch_each(sode::stream& s, box<N> const& b, Body const& body) {
    if (s.emulated()) return emulate_each(s, b, body);
    constexpr index_t threads = 256, most_blocks = 1 << 16;
    index_t const size = b.size(), blocks = (size + threads - 1) / threads;
    each_kernel<N, Body><<<static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks), static_cast<unsigned>(threads), 0,
                           static_cast<cudaStream_t>(s.native())>>>(b, size, body);
    if (auto const status = cudaPeekAtLastError(); status != cudaSuccess)
        throw error{error_kind::environment, "a loop cannot be launched on " + s.device_name(), cudaGetErrorString(status),
                    "check the kernels that were launched before"};
}

#else

template <int N, class Body> void launch_each(sode::stream& s, box<N> const& b, Body const& body) {
    if (s.emulated()) return emulate_each(s, b, body);
    throw error{error_kind::usage, "a loop cannot run on " + s.device_name(), "this file was not compiled by nvcc",
                "compile it with nvcc --extended-lambda --expt-relaxed-constexpr, or set SODE_DEVICE=emulated"};
}

#endif

} // namespace sode::detail
