// SPDX-License-Identifier: Apache-2.0
// Halos that kernels exchange themselves hold what those of the host would: byte for byte on random arrays, by every channel,
// between exchanges of the host; and a program that is one kernel computes what it does on the host.
#include "array/drawn_halo.hpp"
#include "model/job.hpp"
#include "support/cases.hpp"
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/gmpi.hpp>
#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

struct exchanges {
    int count;
    bool by_grid; // or by block 0

    template <class Thread> void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::halo_handle h, int* failed) const {
        auto const block = t.block();
        if (!by_grid && t.block_rank() != 0) return;
        for (int n = 1; n <= count; ++n) {
            auto const number = static_cast<gmpi::word>(n);
            auto const how = by_grid ? gmpi::exchange(t, ctx, h, number) : gmpi::exchange(block, ctx, h, number);
            if (how != gmpi::code::ok && t.block_rank() == 0 && block.thread_rank() == 0) *failed = n;
        }
    }
};

template <class T, int N> class kernel_case {
public:
    kernel_case(runtime& rt, generator& g) : g_(g), drawn_(rt, g, N <= 2 ? 3 : 2), context_(rt, {.deadline = 100}), s_(rt) {}

    void run(std::string const& label, bool over_machines) {
        auto const layers = drawn_.layers(), fetched = drawn_.fetched();
        alignment<N> const where{drawn_.shape().map};
        auto options = drawn_.options();
        options.credits = false;
        buffered<T, N, sode::device> there{where, layers, T{}, "u"};
        array<T, N> given{where, layers}, wanted{where, layers}, got{where, layers};
        std::vector<char const*> channels{"", "device-push", "device-pull", "device-stage", "device-segments"};
        if (over_machines) channels.push_back("mpi");
        for (char const* channel : channels) {
            options.channel = channel;
            // Lives as long as the context.
            auto& halo = *halos_.emplace_back(std::make_unique<reflection>(reflect_init(options, width(there, fetched))));
            for (int turn = 0; turn < 3; ++turn) {
                int const count = static_cast<int>(pick(g_, 1, 3));
                auto const first = ++epoch_;
                fill_both(there, given);
                auto const handle = context_.device_handle(halo);
                by_kernel += handle.by_manager || handle.streams == 0 ? 0 : 1;
                auto* const failed = failures_.emplace_back(std::make_unique<int>(0)).get();
                auto const blocks = static_cast<std::uint32_t>(pick(g_, 1, 4));
                bool const by_grid = chance(g_, 60);
                gmpi::launch(context_, {.blocks = blocks, .threads = 3}, exchanges{count, by_grid}, context_.device_handle(),
                             handle, failed)
                    .wait();
                EXPECT_EQ(*failed, 0) << label;
                reflect_options by_reference = options;
                by_reference.channel = "reference";
                for (int n = 0; n < 2; ++n, there.flip()) {
                    if (n >= count) continue;
                    fill(*wanted, first + static_cast<unsigned>(n));
                    reflect_init(by_reference, width(wanted, fetched))();
                    download(there, got);
                    compare(*wanted, *got,
                            label + ", channel " + (*channel ? channel : "chosen") + ", exchange " + std::to_string(n));
                }
                if (count % 2 != 0) there.flip(); // as often as there were exchanges
                if (::testing::Test::HasFailure()) return;
                if (chance(g_, 50)) { // the host does one
                    halo.enqueue(s_);
                    s_.synchronize();
                    there.flip();
                }
            }
        }
    }

    int by_kernel = 0; ///< launches whose kernels took the steps themselves

private:
    // now() by this epoch, next() by the one behind it.
    void fill_both(buffered<T, N, sode::device>& there, array<T, N>& given) {
        for (unsigned n : {0U, 1U}) {
            fill(*given, epoch_ + n);
            upload(given, there);
            there.flip();
        }
        ++epoch_;
    }
    static box<N> whole(view<T, N> const& v) {
        box<N> b;
        for (std::size_t d = 0; d < N; ++d) b.lower[d] = v.lower(d), b.upper[d] = v.upper(d);
        return b;
    }
    void fill(view<T, N> v, unsigned epoch) {
        if (!v.data_handle()) return;
        auto const mine = drawn_.owned();
        for (auto const& i : whole(v)) element(v, i) = mine.contains(i) ? value_at<T, N>(i, 1, epoch) : poison<T>(epoch);
    }
    void compare(view<T, N> wanted, view<T, N> got, std::string const& label) {
        if (!wanted.data_handle()) return;
        for (auto const& i : whole(wanted)) {
            if (std::memcmp(&element(wanted, i), &element(got, i), sizeof(T)) == 0) continue;
            ADD_FAILURE() << label << ": at " << text_of(i);
            return;
        }
    }

    generator& g_;
    drawn_halo<N> drawn_;
    std::vector<std::unique_ptr<reflection>> halos_;
    std::vector<std::unique_ptr<int>> failures_;
    gmpi::context context_;
    sode::stream s_;
    unsigned epoch_ = 0;
};

TEST(HalosInKernels, AreThoseOfTheReference) {
    auto& rt = ranks();
    constexpr int many = 4; // ranks. More have a hundred threads, which mostly hand a processor on: 8 took 75 s of it for 12 cases
    int const cases = random_cases(rt.size() > many ? 5 : 12);
    std::uint64_t const seed = 20261128 + static_cast<std::uint64_t>(rt.size());
    if (rt.root()) std::printf("%d cases, seed %lu\n", cases, static_cast<unsigned long>(seed));
    int by_kernel = 0;
    bool const messages = !rt.job().ranks->machines().one();
    for (int c = 0; c < cases && !HasFailure(); ++c) {
        auto g = series(seed, c);
        int const dims = static_cast<int>(pick(g, 1, 3));
        auto const label = label_of(c, dims, dims);
        auto const run = [&](auto one) {
            one->run(label, messages);
            by_kernel += one->by_kernel;
        };
        switch (dims) {
        case 1: run(std::make_unique<kernel_case<char, 1>>(rt, g)); break;
        case 2: run(std::make_unique<kernel_case<double, 2>>(rt, g)); break;
        default: run(std::make_unique<kernel_case<float, 3>>(rt, g)); break;
        }
    }
    if (rt.root()) std::printf("%d kernels took the steps themselves\n", by_kernel);
    if (!messages && rt.size() > 1 && !HasFailure()) {
        EXPECT_GT(by_kernel, cases);
    }
}

/// Whole blocks of device memory to the right: by messages, and by puts into a window.
struct blocks_to_the_right {
    int window;
    std::size_t count;

    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, std::uint32_t* given, std::uint32_t* got, int* wrong) const {
        auto const block = t.block();
        int const right = (ctx.rank + 1) % ctx.size, left = (ctx.rank + ctx.size - 1) % ctx.size;
        auto const fill = [&](unsigned round) {
            for (std::size_t i = block.thread_rank(); i < count; i += block.size())
                given[i] = static_cast<std::uint32_t>(ctx.rank) * 1000003U + round * 7919U + static_cast<std::uint32_t>(i);
            block.sync();
        };
        auto const check = [&](unsigned round) {
            for (std::size_t i = block.thread_rank(); i < count; i += block.size())
                if (got[i] != static_cast<std::uint32_t>(left) * 1000003U + round * 7919U + static_cast<std::uint32_t>(i))
                    *wrong = 1;
            block.sync();
        };
        for (unsigned round = 0; round < 6; round += 2) {
            fill(round);
            if (gmpi::sendrecv(block, ctx, given, count, right, 0, got, count, left, 0) != gmpi::code::ok) *wrong = 2;
            check(round);
            if (gmpi::barrier(block, ctx) != gmpi::code::ok) *wrong = 3;
            fill(round + 1);
            auto const put = gmpi::put_signal(block, ctx, given, count, {window, 0}, 0, 1, right);
            if (gmpi::wait(block, ctx, put) != gmpi::code::ok) *wrong = 4;
            if (gmpi::signal_wait_until(block, ctx, 0, round / 2 + 1) != gmpi::code::ok) *wrong = 5;
            check(round + 1);
            if (gmpi::barrier(block, ctx) != gmpi::code::ok) *wrong = 6;
        }
    }
};

// Where others can map the memory of a device, messages and puts are one copy, from block to block.
TEST(DeviceMemory, GoesFromBlockToBlock) {
    auto& rt = ranks();
    constexpr std::size_t count = 90000;
    auto const mapped = [] {
        std::ifstream maps{"/proc/self/maps"};
        int n = 0;
        for (std::string line; std::getline(maps, line);) n += line.find("memfd:sode-device") != std::string::npos ? 1 : 0;
        return n;
    };
    grid<1> const g{rt, {static_cast<index_t>(count) * rt.size()}};
    array<std::uint32_t, 1, sode::device> given{g, shadow{0}}, got{g, shadow{0}};
    int const before = mapped();
    {
        gmpi::context ctx{rt, {.deadline = 100}};
        int const window = ctx.window(std::span{got.view().data_handle(), count});
        auto const wrong = std::make_unique<int>(0);
        gmpi::launch(ctx, {.blocks = 1, .threads = 3}, blocks_to_the_right{window, count}, ctx.device_handle(),
                     given.view().data_handle(), got.view().data_handle(), wrong.get())
            .wait();
        EXPECT_EQ(*wrong, 0);
        if (rt.job().memory->name() == "segment" && rt.job().ranks->machines().one()) {
            EXPECT_GT(mapped(), before);
        }
        rt.barrier();
    }
}

struct mean_of_neighbours {
    int steps;
    bool by_grid;

    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::halo_handle h, view<double, 2> now, view<double, 2> next,
                    box<2> mine, int* failed) const {
        auto const block = t.block();
        for (int s = 1; s <= steps; ++s) {
            auto const number = static_cast<gmpi::word>(s);
            if (by_grid) { // blocks meet nowhere else
                if (gmpi::exchange(t, ctx, h, number) != gmpi::code::ok) {
                    if (t.block_rank() == 0 && block.thread_rank() == 0) *failed = s;
                    return;
                }
            } else {
                if (t.block_rank() == 0 && gmpi::exchange(block, ctx, h, number) != gmpi::code::ok && block.thread_rank() == 0)
                    *failed = s;
                t.grid().sync();
                if (*failed != 0) return;
            }
            for (auto i = mine.lower[0] + t.block_rank(); i < mine.upper[0]; i += t.blocks())
                for (auto j = mine.lower[1] + block.thread_rank(); j < mine.upper[1]; j += block.size())
                    next(i, j) = 0.25 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1));
            auto const before = now;
            now = next;
            next = before;
            if (!by_grid) t.grid().sync();
        }
    }
};

TEST(HalosInKernels, OfAProgramThatIsOneKernel) {
    auto& rt = ranks();
    grid<2> g{rt, {37, 29}};
    buffered<double, 2> u{g, shadow{1}}, got{g, shadow{1}};
    loop(u.all(), [v = u.now()](index_t i, index_t j) { v(i, j) = std::sin(static_cast<double>(3 * i + 7 * j)); });
    auto on_host = reflect_init({.periodic = true}, u);
    buffered<double, 2, sode::device> d{g, shadow{1}};
    upload(u, d);
    auto halo = reflect_init({.periodic = true}, d);
    gmpi::context ctx{rt, {.deadline = 100}};
    if (rt.job().ranks->machines().one()) {
        EXPECT_FALSE(ctx.device_handle(halo).by_manager);
    }
    auto const failed = std::make_unique<int>(0);
    for (int const steps : {25, 14}) {
        for (int t = 0; t < steps; ++t, u.flip()) {
            on_host();
            loop(u.all(), [a = u.now(), b = u.next()](index_t i, index_t j) {
                b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
            });
        }
        gmpi::launch(ctx, {.blocks = 2, .threads = 2}, mean_of_neighbours{steps, steps % 2 == 0}, ctx.device_handle(),
                     ctx.device_handle(halo), d.now(), d.next(), d.all().part(), failed.get())
            .wait();
        EXPECT_EQ(*failed, 0);
        if (steps % 2 != 0) d.flip();
        download(d, got);
        EXPECT_EQ(reduce(u.all(), 0.0, sode::max,
                         [a = u.now(), b = got.now()](index_t i, index_t j) { return std::abs(a(i, j) - b(i, j)); }),
                  0.0)
            << steps;
    }
    EXPECT_EQ(halo.epochs(), 39U);
    EXPECT_THAT(message([&] { return ctx.device_handle(on_host).before; }),
                HasSubstr("has no handle for kernels (the arrays of the exchange are in host memory)"));
}

} // namespace
} // namespace sode::internal::testing
