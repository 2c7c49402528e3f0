// SPDX-License-Identifier: Apache-2.0
// Laplace's equation on a plate by Jacobi steps, in one kernel for all steps: it makes the exchange of halos that was planned once
// itself, face by face into the memory of its neighbours where that can be reached. Compare laplace_stream.cpp.
//
//     SODE_DEVICE=emulated sode run -n 4 ./laplace_halo -n 256 -s 200          # without a GPU: for trying it, not for speed
//     nvcc -x cu -std=c++20 --expt-relaxed-constexpr laplace_halo.cpp -lsode && sode run -n 4 ./a.out
#include <sode/gmpi.hpp>
#include <sode/sode.hpp>

#include <cmath>
#include <cstdio>
#include <exception>

namespace {

using sode::index_t;
using plate = sode::view<double, 2>;

/// All blocks exchange, and compute. An exchange synchronises them.
struct jacobi {
    int steps;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::halo_handle halo, plate now, plate next,
                             sode::box<2> part, int* failed) const {
        auto const block = t.block();
        for (int s = 1; s <= steps; ++s) {
            if (gmpi::exchange(t, ctx, halo, static_cast<gmpi::word>(s)) != gmpi::code::ok) {
                if (t.block_rank() == 0 && block.thread_rank() == 0) *failed = 1;
                return;
            }
            for (index_t i = part.lower[0] + t.block_rank(); i < part.upper[0]; i += t.blocks())
                for (index_t j = part.lower[1] + block.thread_rank(); j < part.upper[1]; j += block.size())
                    next(i, j) = 0.25 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1));
            plate const before = now;
            now = next;
            next = before;
        }
    }
};

int solve(sode::runtime& rt, index_t n, int steps) {
    sode::grid<2> g{rt, {n, n}};
    sode::buffered<double, 2> on_host{g, sode::shadow{1}, 0.0, "u"};
    sode::loop(g.all(), [v = on_host.now()](index_t i, index_t j) { v(i, j) = i == 0 ? 1.0 : 0.0 * static_cast<double>(j); });
    sode::buffered<double, 2, sode::device> u{g, sode::shadow{1}, 0.0, "u"};
    for (int half = 0; half < 2; ++half, u.flip()) upload(on_host, u);
    auto halo = sode::reflect_init(u);

    gmpi::context ctx{rt};
    auto const failed = ctx.allocate_mapped<int>(1);
    gmpi::launch(ctx, {.blocks = 2, .threads = 4}, jacobi{steps}, ctx.device_handle(), ctx.device_handle(halo), u.now(), u.next(),
                 g.inner().part(), failed.get())
        .wait();
    for (int s = 0; s < steps; ++s) u.flip();

    sode::buffered<double, 2> before{g, sode::shadow{1}, 0.0, "before"};
    download(u, on_host);
    u.flip();
    download(u, before);
    auto const residual = sode::reduce(g.inner(), 0.0, sode::max, [a = on_host.now(), b = before.now()](index_t i, index_t j) {
        return std::abs(a(i, j) - b(i, j));
    });
    if (rt.root())
        std::printf("%s\n%s\n%sresidual %.6e\n", rt.describe().c_str(), ctx.describe().c_str(), halo.explain().c_str(), residual);
    return failed[0];
}

} // namespace

int main(int argc, char** argv) {
    try {
        sode::runtime rt{argc, argv};
        return solve(rt, rt.arg("-n", 256), rt.arg("-s", 200));
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
