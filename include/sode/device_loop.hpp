// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/detail/device_launch.hpp>
#include <sode/loop.hpp>

namespace sode {

/// Runs a loop on the device of a stream, after all earlier work in the stream. The loop body is copied to the device. The loop
/// body may use views of arrays in device memory, but no host memory:
///
///     sode::loop(s, v.all(), [v = v.view()] SODE_GPU (sode::index_t k, sode::index_t j, sode::index_t i) { v(k, j, i) = 0; });
///
/// The iterations must be independent, as in loop(), and run in any order. With nvcc, SODE_GPU marks the body as device code.
/// Compile the program with the nvcc options --extended-lambda and --expt-relaxed-constexpr, and do not use `auto` parameters. With
/// other compilers, SODE_GPU has no effect. A program that runs only on emulated devices may omit SODE_GPU. Throws a usage error if
/// the device is real and the program was not compiled by nvcc.
template <int N, class Body> void loop(sode::stream& s, domain<N> const& d, Body body) {
    if constexpr (detail::takes_indices<N, Body>())
        d.for_each_box(d.part(), [&](box<N> const& b) {
            if (!b.empty()) detail::launch_each(s, b, body);
        });
}

} // namespace sode
