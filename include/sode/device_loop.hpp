// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/detail/device_launch.hpp>
#include <sode/loop.hpp>

namespace sode {

/// loop() on the device of a stream, behind all that the stream was given before. `body` is copied there; it refers to arrays of
/// devices by their views, and to nothing of the host's:
///
///     sode::loop(s, v.all(), [v = v.view()] SODE_GPU (sode::index_t k, sode::index_t j, sode::index_t i) { v(k, j, i) = 0; });
///
/// The iterations are independent, as in loop(), and in no order. SODE_GPU makes the body one for the device where nvcc compiles
/// it (with --extended-lambda and --expt-relaxed-constexpr, without `auto` parameters), and is nothing elsewhere; a program that is
/// to run on emulated devices only may leave it out. Errors: usage, if the device is real and the program was not compiled by nvcc.
template <int N, class Body> void loop(sode::stream& s, domain<N> const& d, Body body) {
    if constexpr (detail::takes_indices<N, Body>())
        d.for_each_box(d.part(), [&](box<N> const& b) {
            if (!b.empty()) detail::launch_each(s, b, body);
        });
}

} // namespace sode
