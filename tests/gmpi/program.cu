// SPDX-License-Identifier: Apache-2.0
// A program with kernels is one for GPUs, if nvcc compiles it: all calls of a kernel, by threads, warps and blocks. It is not run here.
#include <sode/gmpi.hpp>

namespace {

struct everything {
    template <class Thread> SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, double* data, int n, int window, gmpi::arrivals in, gmpi::halo_handle halo, int* failed) const {
        auto const next = (ctx.rank + 1) % ctx.size;
        auto const all_ok = [&](gmpi::code c) {
            if (c != gmpi::code::ok) *failed = static_cast<int>(c);
        };
        all_ok(gmpi::sendrecv(t.block(), ctx, data, n, next, 0, data + n, n, next, 0));
        all_ok(gmpi::wait(t.warp(), ctx, gmpi::isend(t.warp(), ctx, data, n, gmpi::type_of<double>, next, 1)));
        all_ok(gmpi::test(gmpi::thread(), ctx, gmpi::try_isend(gmpi::thread(), ctx, data, n, next, 2)));
        gmpi::release(t.block(), ctx);
        gmpi::request const both[] = {gmpi::put(t.block(), ctx, data, n, {window, 0}, next, gmpi::released()),
                                      gmpi::put_signal(t.block(), ctx, data, n, {window, 64}, 0, 1, next, gmpi::released())};
        all_ok(gmpi::waitall(t.block(), ctx, both, 2));
        all_ok(gmpi::signal(t.thread(), ctx, 1, next));
        all_ok(gmpi::signal_wait_until(t.block(), ctx, 0, 1));
        all_ok(gmpi::barrier(t.block(), ctx));
        all_ok(gmpi::broadcast(t.block(), ctx, data, n, 0));
        all_ok(gmpi::allreduce(t.warp(), ctx, data, data + n, n, gmpi::sum_of{}));
        all_ok(gmpi::exchange(t.block(), ctx, halo, 1));
#if defined(__CUDA_ARCH__) // groups of CUDA are for its side alone
        auto const block = cooperative_groups::this_thread_block();
        auto const tile = cooperative_groups::tiled_partition<16>(block);
        all_ok(gmpi::sendrecv(block, ctx, data, n, next, 3, data + n, n, next, 3));
        all_ok(gmpi::sendrecv(tile, ctx, data, n, next, 4, data + n, n, next, 4));
        all_ok(gmpi::allreduce(block, ctx, data, data + n, n, gmpi::sum_of{}));
#endif
        auto const coming = gmpi::start(t.block(), ctx, in.plan);
        all_ok(gmpi::pready_range(t.block(), ctx, in.plan, 0, in.parts));
        all_ok(gmpi::parrived(t.block(), ctx, in, 0, 1));
        all_ok(gmpi::wait(t.block(), ctx, coming));
    }
};

} // namespace

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    gmpi::context ctx{rt, {.two_hops = rt.flag("--two-hops")}};
    auto const data = ctx.allocate<double>(64);
    int failed = 0;
    gmpi::launch(ctx, {.blocks = 2, .threads = 64}, everything{}, ctx.device_handle(), data.get(), 16, ctx.window(std::span{data.get(), 64}),
                 ctx.precv_init(std::span{data.get(), 64}, 2, 0, 0), gmpi::halo_handle{}, &failed)
        .wait();
    return failed;
}
