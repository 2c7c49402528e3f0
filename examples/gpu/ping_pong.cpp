// SPDX-License-Identifier: Apache-2.0
// Two ranks throw a message to and fro, without either kernel ending in between (figure 12 of the paper on GMPI).
//
//     sode run -n 2 ./ping_pong_gpu -n 1024 -s 1000
#include <sode/error.hpp>
#include <sode/gmpi_names.hpp>

#include <chrono>
#include <cstdio>

/// The kernel. `seen` counts throws that came back as they should.
struct ping_pong {
    template <class Thread>
    SODE_GPU void operator()(Thread const& t, GMPI_Context context, int* source, int* target, int count, int throws,
                             long* seen) const {
        auto const block = t.block();
        int const other = 1 - context.rank;
        GMPI_Request request;
        for (int i = 0; i < throws; ++i) {
            if (context.rank == 0) {
                for (auto k = block.thread_rank(); k < static_cast<std::uint32_t>(count); k += block.size())
                    source[k] = i + static_cast<int>(k);
                if (GMPI_Isend(block, &context, source, count, GMPI_INT, other, i, GMPI_COMM_WORLD, &request) != GMPI_SUCCESS)
                    return;
                if (GMPI_Wait(block, &context, &request) != GMPI_SUCCESS) return;
            }
            if (GMPI_Irecv(block, &context, target, count, GMPI_INT, other, i, GMPI_COMM_WORLD, &request) != GMPI_SUCCESS) return;
            if (GMPI_Wait(block, &context, &request) != GMPI_SUCCESS) return;
            if (context.rank == 1) {
                if (GMPI_Isend(block, &context, target, count, GMPI_INT, other, i, GMPI_COMM_WORLD, &request) != GMPI_SUCCESS)
                    return;
                if (GMPI_Wait(block, &context, &request) != GMPI_SUCCESS) return;
            }
            if (block.thread_rank() == 0 && target[0] == i && target[count - 1] == i + count - 1) ++*seen;
            block.sync();
        }
    }
};

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    auto const count = rt.arg("-n", 1024), throws = rt.arg("-s", 1000);
    if (rt.size() != 2 || count < 1)
        throw sode::error{sode::error_kind::usage, "ping-pong cannot run", "it needs two ranks and a message",
                          "sode run -n 2 ./ping_pong_gpu -n 1024"};

    gmpi::context ctx{rt, {.two_hops = rt.flag("--two-hops")}};
    auto const source = ctx.allocate<int>(static_cast<std::size_t>(count)),
               target = ctx.allocate<int>(static_cast<std::size_t>(count));
    auto const seen = ctx.allocate_mapped<long>(1);
    auto const began = std::chrono::steady_clock::now();
    gmpi::launch(ctx, {.blocks = 1, .threads = 4}, ping_pong{}, ctx.device_handle(), source.get(), target.get(), count, throws,
                 seen.get())
        .wait();
    std::chrono::duration<double, std::micro> const took = std::chrono::steady_clock::now() - began;
    if (rt.root()) std::printf("%s\n%.1f us there and back\n", ctx.describe().c_str(), took.count() / throws);
    std::printf("rank %d: %ld of %d throws came as they should\n", rt.rank(), seen[0], throws);
    return seen[0] == throws ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
