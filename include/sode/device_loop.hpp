// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/detail/device_launch.hpp>
#include <sode/loop.hpp>

namespace sode {

/// loop() on the device of a stream, after all earlier work in the stream. `body` is copied to the device, and may use views of
/// arrays in device memory, but no host memory:
///
///     sode::loop(s, v.all(), [v = v.view()] SODE_GPU (sode::index_t k, sode::index_t j, sode::index_t i) { v(k, j, i) = 0; });
///
/// The iterations are independent, as in loop(), and run in any order. Under nvcc, SODE_GPU compiles the body for the device
/// (options --extended-lambda and --expt-relaxed-constexpr; no `auto` parameters). Other compilers ignore SODE_GPU. A program that
/// runs only on emulated devices may leave out SODE_GPU. Errors: usage, if the device is real and the program was not compiled by
/// nvcc.
template <int N, class Body> void loop(sode::stream& s, domain<N> const& d, Body body) {
    if constexpr (detail::takes_indices<N, Body>())
        d.for_each_box(d.part(), [&](box<N> const& b) {
            if (!b.empty()) detail::launch_each(s, b, body);
        });
}

} // namespace sode
