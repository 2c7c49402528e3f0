// SPDX-License-Identifier: Apache-2.0
// The Himeno benchmark on the devices of the ranks: halos are exchanged in the stream, and the host only says what shall be done.
// Compare himeno.cpp, where a kernel does all of it.
//
//     SODE_DEVICE=emulated sode run -n 4 ./himeno_stream -i 64 -j 64 -k 128 -s 10   # without a GPU: for trying it, not for speed
//     nvcc -x cu -std=c++20 --extended-lambda --expt-relaxed-constexpr himeno_stream.cpp -lsode && sode run -n 4 ./a.out
#include "himeno_flow.hpp"

#include <sode/sode.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>

namespace {

using sode::index_t;

void solve(sode::runtime& rt, sode::index<3> const& extents, int steps) {
    himeno::flow flow{rt, extents, {}};
    auto& u = flow.pressure;
    auto halo = sode::reflect_init({.corners = true}, u); // 19 points: edges travel too
    sode::stream s{rt};
    flow.restart(s);

    auto const begun = std::chrono::steady_clock::now();
    for (int t = 0; t < steps; ++t, u.flip()) {
        halo.enqueue(s); // behind the last step, and before the next; no host waits for it
        sode::loop(s, flow.g.inner(), himeno::step{u.now(), u.next(), flow.of()});
    }
    s.synchronize();
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();

    // What has changed in the last step, and a number that changes with any bit of the pressure, however many ranks there are.
    sode::buffered<float, 3> now{flow.g, sode::shadow{1}}, before{flow.g, sode::shadow{1}};
    download(u, now);
    u.flip();
    download(u, before);
    double const gosa =
        sode::reduce(flow.g.inner(), 0.0, sode::sum, [a = now.now(), b = before.now()](index_t i, index_t j, index_t k) {
            double const change = (static_cast<double>(a(i, j, k)) - b(i, j, k)) / 0.8;
            return change * change;
        });
    std::uint64_t sum = 0;
    sode::loop(flow.g.all(), [&, v = now.now(), g = extents](index_t i, index_t j, index_t k) {
        if (i > 0 && i + 1 < g[0])
            sum += std::bit_cast<std::uint32_t>(v(i, j, k)) * static_cast<std::uint64_t>((i * g[1] + j) * g[2] + k);
    });
    std::printf("rank %d: gosa %.9e, pressure %016llx\n", rt.rank(), gosa, static_cast<unsigned long long>(sum));
    if (rt.root())
        std::printf("%s, %s\n%s%.3f ms a step\n", rt.describe().c_str(), s.device_name().c_str(), halo.explain().c_str(),
                    1e3 * seconds / std::max(steps, 1));
}

} // namespace

int main(int argc, char** argv) {
    try {
        sode::runtime rt{argc, argv};
        solve(rt, {rt.arg("-i", 64), rt.arg("-j", 64), rt.arg("-k", 128)}, rt.arg("-s", 10));
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
