// SPDX-License-Identifier: Apache-2.0
// Every call that kernels can make, by blocks, warps, threads and CUDA's own groups, with the kernels of the tests: all words are
// looked at. Errors are made, too: what cannot be done, what nobody answers, and an end by the host. Ranks are threads of this
// process and share the device. With one rank, messages go to itself: no kernel waits for another one, so sanitizers that run
// kernels one by one can look at it.
//
//     gmpi_calls [--ranks 3] [-r ROUNDS] [--json FILE] [--html FILE]
#include "gmpi/kernels.hpp"
#include "named_checks.hpp"

#include <sode/collectives.hpp>
#include <sode/gmpi_names.hpp>
#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace {

using gmpi::code;
namespace kernels = sode::internal::testing;
using kernels::expect;

/// The names of the paper; a test that is repeated until the message is there.
struct by_the_papers_names {
    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, int* given, int* got, gmpi::word* wrong) const {
        auto const block = t.block();
        int const next = (ctx.rank + 1) % ctx.size, before = (ctx.rank + ctx.size - 1) % ctx.size;
        GMPI_Request out, in;
        for (int i = static_cast<int>(block.thread_rank()); i < 100; i += static_cast<int>(block.size())) given[i] = ctx.rank + i;
        block.sync();
        GMPI_Irecv(block, &ctx, got, 100, GMPI_INT, before, 7, GMPI_COMM_WORLD, &in);
        GMPI_Isend(block, &ctx, given, 100, GMPI_INT, next, 7, GMPI_COMM_WORLD, &out);
        int is_there = 0;
        GMPI_Status how;
        for (std::uint32_t polls = 0; is_there == 0; block.platform().pause(++polls))
            expect(block, GMPI_Test(block, &ctx, &in, &is_there, &how) == GMPI_SUCCESS, wrong);
        expect(block, block.thread_rank() != 0 || how.bytes == 100 * sizeof(int), wrong);
        expect(block, GMPI_Wait(block, &ctx, &out) == GMPI_SUCCESS, wrong);
        for (int i = static_cast<int>(block.thread_rank()); i < 100; i += static_cast<int>(block.size()))
            expect(block, got[i] == before + i, wrong);
    }
};

/// Each thread for itself, with a tag of its own, and a release for all.
struct by_threads {
    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, int* given, int* got, gmpi::word* wrong) const {
        auto const me = t.thread();
        auto const i = static_cast<int>(t.thread_rank());
        int const next = (ctx.rank + 1) % ctx.size, before = (ctx.rank + ctx.size - 1) % ctx.size;
        for (int round = 0; round < 4; ++round) {
            given[i] = 100 * ctx.rank + 10 * round + i;
            gmpi::release(me, ctx);
            gmpi::request const both[] = {gmpi::irecv(me, ctx, got + i, 1, before, i, gmpi::released()),
                                          gmpi::isend(me, ctx, given + i, 1, next, i, gmpi::released())};
            expect(me, gmpi::waitall(me, ctx, both, 2) == code::ok && got[i] == 100 * before + 10 * round + i, wrong);
        }
    }
};

/// Sums of all ranks by a plan of the host.
struct starts_sums {
    gmpi::plan_number sum;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, double* mine, double const* all, gmpi::word* wrong) const {
        auto const g = t.block();
        for (int round = 0; round < 10; ++round) {
            if (g.thread_rank() == 0) *mine = ctx.rank + round;
            expect(g, gmpi::wait(g, ctx, gmpi::start(g, ctx, sum)) == code::ok, wrong);
            int const ranks = ctx.size * (ctx.size - 1) / 2;
            expect(g, *all == ranks + ctx.size * round, wrong);
            g.sync();
        }
    }
};

/// What there is no room for, what is too long, and what does not exist.
struct makes_mistakes {
    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, int* given, int* got, gmpi::word* wrong) const {
        auto const g = t.block();
        gmpi::status how;
        auto const cut = gmpi::irecv(g, ctx, got, 2, ctx.rank, 0);
        auto const first = gmpi::try_isend(g, ctx, given, 4, ctx.rank, 0), second = gmpi::try_isend(g, ctx, given, 4, ctx.rank, 0);
        if (g.thread_rank() == 0) { // two requests of two are in progress
            expect(g, first.begun == code::ok && second.begun == code::would_block, wrong);
        }
        expect(g, gmpi::wait(g, ctx, cut, &how) == code::truncated, wrong);
        expect(g, g.thread_rank() != 0 || how.bytes == 2 * sizeof(int), wrong);
        expect(g, gmpi::wait(g, ctx, first) == code::ok, wrong);
        expect(g, gmpi::send(g, ctx, given, 1, ctx.size, 0) == code::usage, wrong);
        expect(g, gmpi::send(g, ctx, given, 1, 0, -1) == code::usage, wrong);
        expect(g, gmpi::signal_wait_until(g, ctx, -1, 1) == code::usage, wrong);
        expect(g, gmpi::wait(g, ctx, gmpi::put(g, ctx, given, 1, {0, 0}, 0)) == code::usage, wrong);
        expect(g, gmpi::wait(g, ctx, gmpi::start(g, ctx, {7})) == code::usage, wrong);
    }
};

/// Waits for what nobody sends.
struct waits_in_vain {
    bool tests;

    template <class Thread> SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, int* got, gmpi::word* last) const {
        auto const g = t.block();
        auto const never = gmpi::irecv(g, ctx, got, 1, ctx.rank, 0);
        auto c = code::would_block;
        for (std::uint32_t polls = 0; c == code::would_block; g.platform().pause(++polls))
            c = tests ? gmpi::test(g, ctx, never) : gmpi::wait(g, ctx, never);
        if (g.thread_rank() == 0) g.platform().store(*last, static_cast<gmpi::word>(c));
    }
};

#if defined(__CUDACC__)
/// By groups of CUDA, which the emulated device has not.
struct by_cooperative_groups {
    template <class Thread>
    SODE_GPU void operator()([[maybe_unused]] Thread const& t, [[maybe_unused]] gmpi::device_handle ctx,
                             [[maybe_unused]] int* given, [[maybe_unused]] int* got, [[maybe_unused]] gmpi::word* wrong) const {
#if defined(__CUDA_ARCH__)
        auto const block = cooperative_groups::this_thread_block();
        auto const tile = cooperative_groups::tiled_partition<16>(block);
        int const next = (ctx.rank + 1) % ctx.size, before = (ctx.rank + ctx.size - 1) % ctx.size;
        auto const all = static_cast<int>(block.size()), i = static_cast<int>(block.thread_rank());
        int const first = i - static_cast<int>(tile.thread_rank());
        for (int round = 0; round < 4; ++round) {
            given[i] = 1000 * ctx.rank + 100 * round + i;
            expect(t.thread(), gmpi::sendrecv(block, ctx, given, all, next, 0, got, all, before, 0) == code::ok, wrong);
            expect(t.thread(), got[i] == 1000 * before + 100 * round + i, wrong);
            block.sync();
            given[i] += 7;
            auto const c = gmpi::sendrecv(tile, ctx, given + first, 16, next, 1 + first, got + first, 16, before, 1 + first);
            expect(t.thread(), c == code::ok && got[i] == 1000 * before + 100 * round + i + 7, wrong);
            block.sync();
        }
#endif
    }
};
#endif

/// A grid exchanges a halo, by all its blocks or by one.
struct exchanges {
    int steps;
    bool by_grid;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::halo_handle halo, sode::view<int, 1> now,
                             sode::view<int, 1> next, sode::box<1> own, gmpi::word* wrong) const {
        auto const g = t.block();
        for (int s = 1; s <= steps; ++s) {
            auto const number = static_cast<gmpi::word>(s);
            auto c = code::ok;
            if (by_grid) {
                c = gmpi::exchange(t, ctx, halo, number);
            } else {
                t.grid().sync();
                if (t.block_rank() == 0) c = gmpi::exchange(g, ctx, halo, number);
                t.grid().sync();
            }
            expect(g, c == code::ok, wrong);
            for (auto i = own.lower[0] + t.block_rank() * t.threads() + t.thread_rank(); i < own.upper[0];
                 i += t.blocks() * t.threads())
                next(i) = now(i - 1) + 1;
            auto const before = now;
            now = next;
            next = before;
        }
    }
};

class calls {
public:
    calls(sode::runtime& rt, bench::keep_results<bench::checked> const& keep)
        : rt_(rt), rounds_(rt.arg("-r", 4)),
          on_gpu_(gmpi::context{rt}.of_device().name() == "CUDA"), all_{rt, on_gpu_ ? std::string{"CUDA"} : std::string{"emulated"},
                                                                        keep} {}

    bench::checked run(gmpi::word* entered) {
        for (auto const& s : kernels::setups()) {
            check("messages", s, [&](auto& ctx, auto* wrong) { messages(ctx, wrong); });
            check("blocks at the same time", s, [&](auto& ctx, auto* wrong) {
                auto const words = ctx.template allocate<std::uint64_t>(8);
                launch(ctx, {4, threads(2)}, kernels::rings{10 * rounds_}, words.get(), wrong);
            });
            for (std::size_t const n : {std::size_t{2}, std::size_t{3000}, std::size_t{100000}})
                check("puts and signals, " + std::to_string(n) + " words", s, [&](auto& ctx, auto* wrong) {
                    auto const given = ctx.template allocate<std::uint32_t>(n), got = ctx.template allocate<std::uint32_t>(n);
                    int const window = ctx.window(std::span{got.get(), n});
                    launch(ctx, {1, threads(3)}, kernels::puts{rounds_, n, window}, given.get(), got.get(), wrong);
                });
            check("parts", s, [&](auto& ctx, auto* wrong) { parts(ctx, wrong); });
            check("collectives", s, [&](auto& ctx, auto* wrong) {
                auto const whole = ctx.template allocate<std::int64_t>(2 * kernels::collectives_in_kernels::n);
                auto const real = ctx.template allocate<double>(2 * kernels::collectives_in_kernels::n);
                launch(ctx, {1, threads(3)}, kernels::collectives_in_kernels{}, whole.get(), real.get(), wrong);
            });
            check("plans of the host", s, [&](auto& ctx, auto* wrong) {
                auto const both = ctx.template allocate_mapped<double>(2);
                auto sum =
                    sode::allreduce_init(rt_, std::span<double const>{both.get(), 1}, std::span{both.get() + 1, 1}, sode::sum);
                launch(ctx, {1, threads(2)}, starts_sums{ctx.add(sum)}, both.get(), both.get() + 1, wrong);
            });
        }
        auto const usual = kernels::setups().front();
        check("barriers", usual, [&](auto& ctx, auto* wrong) { launch(ctx, {}, kernels::barriers_in_kernels{}, entered, wrong); });
        check("warps", usual, [&](auto& ctx, auto* wrong) {
            auto const data = ctx.template allocate<int>(2 * 37);
            launch(ctx, {1, 37}, kernels::ring_of_warps{}, data.get(), data.get() + 37, before(), next(), wrong);
        });
        on_ints("threads", threads(4), by_threads{});
        on_ints("names of the paper", threads(4), by_the_papers_names{});
#if defined(__CUDACC__)
        if (on_gpu_) on_ints("cooperative groups", 64, by_cooperative_groups{});
#endif
        check("mistakes", {"two requests", {.requests = 2}}, [&](auto& ctx, auto* wrong) {
            auto const data = ctx.template allocate<int>(8);
            launch(ctx, {1, threads(2)}, makes_mistakes{}, data.get(), data.get() + 4, wrong);
        });
        check("a wait in vain", {"a deadline of 0.2 s", {.deadline = 0.2}}, [&](auto& ctx, auto*) { in_vain(ctx, false); });
        for (bool const tests : {false, true})
            check(tests ? "the host ends a loop of tests" : "the host ends a wait", usual,
                  [&](auto& ctx, auto*) { ended(ctx, tests); });
        check("a grid that is too large", usual, [&](auto& ctx, auto* wrong) { too_large(ctx, wrong); });
        for (char const* const channel : {"device-push", "device-pull", "device-stage", "device-segments"})
            for (bool const by_grid : {true, false})
                all_.check(std::string{"halos by "} + channel + (by_grid ? ", by a grid" : ", by a block"),
                           [&] { halo(channel, by_grid); });
        return all_.found();
    }

private:
    template <class F> void check(std::string const& name, kernels::setup const& s, F const& what) {
        all_.check(name + ", " + s.name, [&] {
            auto o = s.options;
            if (o.deadline > 1) o.deadline = rt_.arg("--deadline", 0.0);
            gmpi::context ctx{rt_, o};
            auto const wrong = ctx.allocate_mapped<gmpi::word>(1);
            what(ctx, wrong.get());
            bench::named_checks::must(wrong[0] == 0, "a word or a code was wrong");
        });
    }
    template <class Kernel> void on_ints(char const* name, std::uint32_t threads, Kernel const& kernel) {
        check(name, kernels::setups().front(), [&](auto& ctx, auto* wrong) {
            auto const data = ctx.template allocate<int>(2 * 128);
            launch(ctx, {1, threads}, kernel, data.get(), data.get() + 128, wrong);
        });
    }
    template <class Kernel, class... Arguments>
    void launch(gmpi::context& ctx, gmpi::launch_shape shape, Kernel const& kernel, Arguments... arguments) {
        gmpi::launch(ctx, shape, kernel, ctx.device_handle(), arguments...).wait();
    }
    [[nodiscard]] std::uint32_t threads(std::uint32_t emulated) const {
        return on_gpu_ ? 96 : emulated;
    }
    [[nodiscard]] int next() const {
        return (rt_.rank() + 1) % rt_.size();
    }
    [[nodiscard]] int before() const {
        return (rt_.rank() + rt_.size() - 1) % rt_.size();
    }

    void messages(gmpi::context& ctx, gmpi::word* wrong) {
        constexpr std::size_t most = 90000;
        auto const n = static_cast<std::size_t>(rt_.size()) * most;
        auto const data = ctx.allocate<std::uint32_t>(2 * n);
        launch(ctx, {1, threads(2)}, kernels::all_to_all{rounds_}, data.get(), data.get() + n, most, wrong);
    }
    void parts(gmpi::context& ctx, gmpi::word* wrong) {
        constexpr std::uint32_t parts = 8;
        for (std::size_t const each : {std::size_t{1}, std::size_t{3000}}) {
            auto const n = parts * each;
            auto const given = ctx.allocate<std::uint32_t>(n), got = ctx.allocate<std::uint32_t>(n);
            auto const tag = static_cast<int>(each);
            auto const out = ctx.psend_init(std::span<std::uint32_t const>{given.get(), n}, parts, next(), tag);
            auto const in = ctx.precv_init(std::span<std::uint32_t>{got.get(), n}, parts, before(), tag);
            launch(ctx, {1, threads(2)}, kernels::parts_in_kernels{out, in, each}, given.get(), got.get(), wrong);
        }
    }
    void in_vain(gmpi::context& ctx, bool tests) {
        auto const got = ctx.allocate<int>(1);
        auto const last = ctx.allocate_mapped<gmpi::word>(1);
        bool told = false;
        try {
            launch(ctx, {}, waits_in_vain{tests}, got.get(), last.get());
        } catch (sode::error const& e) {
            told = e.kind() == sode::error_kind::timeout;
        }
        bench::named_checks::must(told && last[0] == static_cast<gmpi::word>(code::timeout),
                                  "nobody was told that the time was over");
    }
    void ended(gmpi::context& ctx, bool tests) {
        auto const got = ctx.allocate<int>(1);
        auto const last = ctx.allocate_mapped<gmpi::word>(1);
        auto kernel = gmpi::launch(ctx, {}, waits_in_vain{tests}, ctx.device_handle(), got.get(), last.get());
        bool const early = kernel.test();
        ctx.abort();
        kernel.wait();
        bench::named_checks::must(!early && last[0] == static_cast<gmpi::word>(code::aborted), "the kernel was not told");
    }
    void too_large(gmpi::context& ctx, gmpi::word* wrong) {
        bool refused = false;
        try {
            gmpi::launch(ctx, {1000000, 32}, kernels::barriers_in_kernels{}, ctx.device_handle(), wrong, wrong).wait();
        } catch (sode::error const& e) {
            refused = e.kind() == sode::error_kind::usage;
        }
        bench::named_checks::must(refused, "it was launched");
    }
    // Each element becomes the one to its left in the step before, plus one.
    void halo(char const* channel, bool by_grid) {
        int const n = 1000 * rt_.size(), steps = 5;
        sode::grid<1> const g{rt_, {n}};
        sode::buffered<int, 1> here{g, sode::shadow{1}};
        sode::buffered<int, 1, sode::device> there{g, sode::shadow{1}};
        sode::loop(g.all(), [v = here.now()](sode::index_t i) { v(i) = static_cast<int>(i); });
        upload(here, there);
        auto plan = sode::reflect_init({.periodic = true, .channel = channel}, there);
        gmpi::context ctx{rt_, {.deadline = rt_.arg("--deadline", 0.0)}};
        auto const wrong = ctx.allocate_mapped<gmpi::word>(1);
        gmpi::launch(ctx, {3, threads(2)}, exchanges{steps, by_grid}, ctx.device_handle(), ctx.device_handle(plan), there.now(),
                     there.next(), g.all().part(), wrong.get())
            .wait();
        for (int s = 0; s < steps; ++s) there.flip();
        download(there, here);
        auto const bad = sode::reduce(g.all(), 0, sode::max, [v = here.now(), n](sode::index_t i) {
            return v(i) == static_cast<int>((i + n - steps) % n) + steps ? 0 : 1;
        });
        bench::named_checks::must(bad == 0 && wrong[0] == 0, "an element is wrong");
    }

    sode::runtime& rt_;
    int rounds_;
    bool on_gpu_;
    bench::named_checks all_;
};

} // namespace

int main(int argc, char** argv) try {
    int ranks = 3;
    for (int i = 1; i + 1 < argc; ++i)
        if (std::strcmp(argv[i], "--ranks") == 0) ranks = std::atoi(argv[i + 1]);
    bench::checked all;
    bench::result_files files;
    std::atomic<bool> right{true};
    std::atomic<gmpi::word*> entered{nullptr};
    sode::run_threads(
        ranks,
        [&](sode::runtime& rt) {
            bench::result_files const mine{rt};
            gmpi::context memory{rt};
            auto const words = memory.allocate_mapped<gmpi::word>(static_cast<std::size_t>(ranks));
            if (rt.rank() == 0) entered = words.get(); // kernels of all ranks write there
            rt.barrier();
            auto found = calls{
                rt, [&](bench::checked so_far) {
                    if (rt.rank() == 0) mine.write(so_far);
                }}.run(entered);
            if (!found.right) right = false;
            if (rt.rank() != 0) return;
            all = std::move(found);
            files = mine;
        },
        argc, argv);
    all.right = right;
    return files.report(all);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
