// SPDX-License-Identifier: Apache-2.0
// A rank is killed while kernels of the others wait for it: they are told so by a code, and the rank by an error. With --halo they
// wait in an exchange that they make themselves. (Run by CMakeLists.txt, which looks for what it says.)
#include <sode/error.hpp>
#include <sode/gmpi.hpp>
#include <sode/sode.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string_view>
#include <thread>

namespace {

using sode::gmpi::code;

/// All wait for what rank `victim` should send, or for its signal.
struct wait_for_it {
    int victim;

    template <class Thread> void operator()(Thread const& t, gmpi::device_handle ctx, double* data, std::atomic<int>* told) const {
        code c = code::ok;
        if (t.block_rank() == 0)
            c = gmpi::recv(t.block(), ctx, data, 1, victim, 0);
        else
            c = gmpi::signal_wait_until(t.block(), ctx, 0, 1);
        if (t.thread_rank() == 0 && c == code::peer) ++*told;
    }
};

/// All ranks of a ring wait for the halo of rank `victim`.
struct exchange_with_it {
    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::halo_handle halo, std::atomic<int>* told) const {
        code const c = gmpi::exchange(t.block(), ctx, halo, 1);
        if (t.thread_rank() == 0 && c == code::peer) ++*told;
    }
};

} // namespace

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    constexpr int victim = 1;
    constexpr std::uint32_t blocks = 2;
    bool const of_halo = rt.flag("--halo");
    sode::grid<1> const ring{rt, {30}};
    std::optional<sode::buffered<double, 1, sode::device>> u;
    std::optional<sode::reflection> halo;
    if (of_halo) halo = sode::reflect_init({.periodic = true}, u.emplace(ring, sode::shadow{1}));
    gmpi::context ctx{rt};
    auto const data = ctx.allocate<double>(1);
    rt.barrier();
    if (rt.rank() == victim) std::raise(SIGKILL);
    auto const began = std::chrono::steady_clock::now();
    std::atomic<int> told{0};
    try {
        if (of_halo) {
            gmpi::launch(ctx, {.blocks = 1, .threads = 2}, exchange_with_it{}, ctx.device_handle(), ctx.device_handle(*halo), &told)
                .wait();
        } else {
            gmpi::launch(ctx, {.blocks = blocks, .threads = 2}, wait_for_it{victim}, ctx.device_handle(), data.get(), &told).wait();
        }
    } catch (sode::error const& e) {
        auto const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        bool const right = told == (of_halo ? 1 : static_cast<int>(blocks)) && e.kind() == sode::error_kind::peer &&
                           std::string_view{e.what()}.find("rank 1") != std::string_view::npos;
        std::printf("rank %d: %s after %.3f s: %s\n", rt.rank(), right ? "kernel and rank were told" : "WRONG", seconds, e.what());
        std::fflush(nullptr);
        throw;
    }
    std::puts("WRONG: no error");
    return 0;
}
