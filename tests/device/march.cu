// SPDX-License-Identifier: Apache-2.0
// A march on a stream, compiled for a GPU: it runs in device_halo_test, on threads.
#include "step.hpp"

namespace sode::internal::testing {

void march_on_a_gpu(runtime& rt) {
    grid<2> const g{rt, {64, 64}};
    buffered<double, 2, sode::device> u{g, shadow{1}};
    array<double, 2, sode::device> k{g};
    auto halo = reflect_init(u);
    stream s{rt};
    halo.march(s, 10, g.inner(), towards_source{0.3}, u, k);
    s.synchronize();
}

} // namespace sode::internal::testing
