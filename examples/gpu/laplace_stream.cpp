// SPDX-License-Identifier: Apache-2.0
// Laplace's equation on a plate by Jacobi steps, on the devices of the ranks: halos are exchanged in the stream, and the host only
// says what shall be done.
//
//     SODE_DEVICE=emulated sode run -n 4 ./laplace_stream -n 256 -s 200        # without a GPU: for trying it, not for speed
//     nvcc -x cu -std=c++20 --extended-lambda --expt-relaxed-constexpr laplace_stream.cpp -lsode && sode run -n 4 ./a.out
#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>
#include <exception>

namespace {

using sode::index_t;

void solve(sode::runtime const& rt, index_t n, int steps) {
    sode::grid<2> g{rt, {n, n}};
    sode::buffered<double, 2> on_host{g, sode::shadow{1}, 0.0, "u"};
    sode::loop(g.all(), [v = on_host.now()](index_t i, index_t j) { v(i, j) = i == 0 ? 1.0 : 0.0 * static_cast<double>(j); });

    // The same in the memory of the rank's device, both halves of it.
    sode::buffered<double, 2, sode::device> u{g, sode::shadow{1}, 0.0, "u"};
    for (int half : {0, 1}) {
        upload(on_host, u);
        if (half == 0) u.flip();
    }
    auto halo = sode::reflect_init(u);

    sode::stream s{rt};
    for (int t = 0; t < steps; ++t, u.flip()) {
        halo.enqueue(s); // behind the last step, and before the next; no host waits for it
        auto const a = u.now(), b = u.next();
        sode::loop(s, g.inner(), [=] SODE_GPU(index_t i, index_t j) {
            b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
        });
    }
    sode::buffered<double, 2> before{g, sode::shadow{1}, 0.0, "before"};
    download(s, u, on_host);
    u.flip();
    download(s, u, before);
    s.synchronize();

    auto const residual = sode::reduce(g.inner(), 0.0, sode::max, [a = on_host.now(), b = before.now()](index_t i, index_t j) {
        return std::abs(a(i, j) - b(i, j));
    });
    if (rt.root())
        std::printf("%s, %s\n%sresidual %.6e\n", rt.describe().c_str(), s.device_name().c_str(), halo.explain().c_str(), residual);
}

} // namespace

int main(int argc, char** argv) {
    try {
        sode::runtime rt{argc, argv};
        solve(rt, rt.arg("-n", 256), rt.arg("-s", 200));
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
