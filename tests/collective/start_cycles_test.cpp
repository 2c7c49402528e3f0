// SPDX-License-Identifier: Apache-2.0
// Plans of all kinds, of which several are under way at any time, started and waited for very often: TEST_CYCLES starts in all,
// with other values before each. What comes out is compared each time, and memory stays as it was.
#include "support/number_of.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <malloc.h>
#include <memory>
#include <random>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sode::internal::testing {
namespace {

using numbers = std::span<long>;

long value(int rank, int epoch, std::size_t i) {
    return 1000003L * (rank + 1) + 7919L * epoch + static_cast<long>(i) * (rank + 3);
}
// Of ranks first to last - 1 together.
long sum_of(int first, int last, int epoch, std::size_t i) {
    long all = 0;
    for (int r = first; r < last; ++r) all += value(r, epoch, i);
    return all;
}

/// A plan, and how to tell that it is right.
struct cycle {
    std::string name;
    std::function<void(int epoch, std::size_t i)> give; ///< element i of each block
    std::function<long(int epoch, std::size_t i)> wrong;
    std::size_t elements = 0; ///< of a block
    std::function<void()> start, wait;
    std::function<bool()> test;
    int epoch = 0;
    bool started = false;

    /// Long blocks are written and compared as a whole now and then, and else at a place that changes.
    template <class Do> void at_some(Do f) const {
        constexpr std::size_t few = 64;
        constexpr int now_and_then = 251;
        bool const all = elements <= few || epoch % now_and_then == 1;
        if (all)
            for (std::size_t i = 0; i < elements; ++i) f(i);
        else
            f(static_cast<std::size_t>(epoch) * 37 % elements), f(elements - 1); // primes, so that all come
    }
};

/// Plans of one rank, in memory that others can load by turns, and in its own.
class cycles {
public:
    explicit cycles(runtime& rt) : rt_(rt), me_(rt.rank()), p_(rt.size()), ranks_(static_cast<std::size_t>(rt.size())) {
        for (auto const n : {std::size_t{1}, std::size_t{100}, std::size_t{3000}}) {
            add_barrier();
            add_broadcast(n, static_cast<int>(n) % p_);
            add_reductions(n);
            add_blocks(n);
        }
        add_halo();
        add_ring();
    }
    [[nodiscard]] std::vector<cycle>& all() { return all_; }

private:
    [[nodiscard]] numbers memory(std::size_t n) {
        shared_ = !shared_;
        auto const block = shared_
                               ? detail::allocate(rt_.job(), n * sizeof(long))
                               : std::shared_ptr<std::byte>{new std::byte[n * sizeof(long)], std::default_delete<std::byte[]>{}};
        kept_.push_back(block);
        return {reinterpret_cast<long*>(block.get()), n};
    }
    template <class Plan> cycle& add(std::string name, std::size_t n, Plan made) {
        auto const plan = std::make_shared<Plan>(std::move(made));
        return all_.emplace_back(cycle{.name = fmt::format("{} of {}", name, n),
                                       .give = [](int, std::size_t) {},
                                       .wrong = [](int, std::size_t) { return 0L; },
                                       .elements = n,
                                       .start = [plan] { plan->start(); },
                                       .wait = [plan] { plan->wait(); },
                                       .test = [plan] { return plan->test(); }});
    }

    void add_barrier() { add("barrier", 0, barrier_init(rt_)); }
    void add_broadcast(std::size_t n, int root) {
        auto const x = memory(n);
        auto& c = add("broadcast", n, broadcast_init(rt_, x, root));
        c.give = [=, me = me_](int e, std::size_t i) { x[i] = me == root ? value(root, e, i) : -1; };
        c.wrong = [=](int e, std::size_t i) { return x[i] - value(root, e, i); };
    }
    void add_reductions(std::size_t n) {
        auto const combine = [&](char const* name, std::size_t blocks, int first, int last, std::size_t skipped, auto init) {
            auto const in = memory(blocks * n), out = memory(n);
            auto& c = add(name, n, init(std::span<long const>{in}, out));
            c.give = [=, me = me_](int e, std::size_t i) {
                for (std::size_t at = i; at < in.size(); at += n) in[at] = value(me, e, at);
                out[i] = -1;
            };
            if (first < last) c.wrong = [=](int e, std::size_t i) { return out[i] - sum_of(first, last, e, skipped + i); };
        };
        using given = std::span<long const>;
        int const root = p_ - 1;
        combine("reduce", 1, 0, me_ == root ? p_ : 0, 0,
                [&](given in, numbers out) { return reduce_init(rt_, in, out, sum, root); });
        combine("allreduce", 1, 0, p_, 0, [&](given in, numbers out) { return allreduce_init(rt_, in, out, sum); });
        combine("scan", 1, 0, me_ + 1, 0, [&](given in, numbers out) { return scan_init(rt_, in, out, sum); });
        combine("exscan", 1, 0, me_, 0, [&](given in, numbers out) { return exscan_init(rt_, in, out, sum); });
        combine("reduce_scatter", ranks_, 0, p_, static_cast<std::size_t>(me_) * n,
                [&](given in, numbers out) { return reduce_scatter_init(rt_, in, out, sum); });
    }
    // in: of this rank; out: block b is of rank b, and began there behind `skipped` elements.
    void add_exchange(char const* name, std::size_t n, numbers in, numbers out, std::size_t skipped, int first, exchange made) {
        auto& c = add(name, n, std::move(made));
        c.give = [=, me = me_](int e, std::size_t i) {
            for (std::size_t at = i; at < in.size(); at += n) in[at] = value(me, e, at);
            for (std::size_t at = i; at < out.size(); at += n) out[at] = -1;
        };
        c.wrong = [=](int e, std::size_t i) {
            long all = 0;
            for (std::size_t b = 0; b * n < out.size(); ++b)
                all += std::abs(out[b * n + i] - value(first + static_cast<int>(b), e, skipped + i));
            return all;
        };
    }
    void add_blocks(std::size_t n) {
        auto const mine = static_cast<std::size_t>(me_) * n;
        {
            auto const in = memory(n), out = memory(n * ranks_);
            add_exchange("allgather", n, in, out, 0, 0, allgather_init(rt_, in, out));
        }
        {
            auto const in = memory(n * ranks_), out = memory(n * ranks_);
            add_exchange("alltoall", n, in, out, mine, 0, alltoall_init(rt_, in, out));
        }
        {
            auto const in = memory(n), out = memory(me_ == 0 ? n * ranks_ : 0);
            add_exchange("gather", n, in, out, 0, 0, gather_init(rt_, in, out));
        }
        int const root = p_ - 1;
        auto const in = memory(me_ == root ? n * ranks_ : 0), out = memory(n);
        add_exchange("scatter", n, in, out, mine, root, scatter_init(rt_, in, out, root));
    }
    void add_halo() {
        constexpr index_t rows = 12, columns = 40;
        auto const u = std::make_shared<array<long, 2>>(grid<2>{rt_, {rows * p_, columns}}, shadow{1});
        kept_.push_back(u);
        auto& c = add("halo", 1, reflect_init({.corners = true, .periodic = true}, *u));
        auto const at = [](index_t i, index_t j, int e) { return 100 * i + j + 7919L * e; };
        c.give = [=](int e, std::size_t) { loop(u->all(), [=, v = **u](auto i, auto j) { v(i, j) = at(i, j, e); }); };
        c.wrong = [=, ranks = p_](int e, std::size_t) {
            long all = 0;
            auto const wrapped = [](index_t i, index_t n) { return (i + n) % n; };
            for (auto const& [i, j] : u->allocated())
                all += std::abs((**u)(i, j) - at(wrapped(i, rows * ranks), wrapped(j, columns), e));
            return all;
        };
    }
    void add_ring() {
        constexpr std::size_t n = 50;
        auto const out = memory(2 * n), in = memory(n);
        int const next = (me_ + 1) % p_, before = (me_ + p_ - 1) % p_;
        auto& c = add("ring", n,
                      exchange_init(rt_, {send_init(out.data(), datatype::contiguous(8).repeated(n, 16), next),
                                          recv_init(in.data(), datatype::contiguous(8 * n), before)}));
        c.give = [=, me = me_](int e, std::size_t i) { out[2 * i] = value(me, e, i), in[i] = -1; };
        c.wrong = [=](int e, std::size_t i) { return in[i] - value(before, e, i); };
    }

    runtime& rt_;
    int me_, p_;
    std::size_t ranks_;
    bool shared_ = false;
    std::vector<std::shared_ptr<void>> kept_;
    std::vector<cycle> all_;
};

struct memory_use {
    long resident, allocated; // bytes
};
memory_use memory_now() {
    long all = 0, resident = 0;
    if (auto* const file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
        std::fclose(file);
    }
    return {resident * sysconf(_SC_PAGESIZE), static_cast<long>(mallinfo2().uordblks)};
}

TEST(StartCycles, OfPlansOfAllKindsThatOverlap) {
    auto& rt = ranks();
    cycles plans{rt};
    auto& all = plans.all();
    long const most = number_of("TEST_CYCLES", 20'000);
    // All ranks start and wait in the same order, and ask in between for whatever is under way.
    std::mt19937 same{7}, own{static_cast<unsigned>(rt.rank())};
    auto const end = [](cycle& c) {
        c.wait();
        c.started = false;
        long wrong = 0;
        c.at_some([&](std::size_t i) { wrong += std::abs(c.wrong(c.epoch, i)); });
        ASSERT_EQ(wrong, 0) << c.name << ", epoch " << c.epoch;
    };
    memory_use before{};
    for (long starts = 0; starts < most;) {
        auto& c = all[same() % all.size()];
        if (c.started) {
            ASSERT_NO_FATAL_FAILURE(end(c));
        } else {
            ++c.epoch, ++starts;
            c.at_some([&](std::size_t i) { c.give(c.epoch, i); });
            c.start();
            c.started = true;
            if (starts == most / 5) before = memory_now();
        }
        if (auto& other = all[own() % all.size()]; other.started && own() % 4 == 0) other.test();
    }
    auto const after = memory_now();
    for (auto& c : all) {
        if (!c.started) continue;
        ASSERT_NO_FATAL_FAILURE(end(c));
    }
    EXPECT_LE(after.resident, before.resident + (1 << 20));
    EXPECT_LE(after.allocated, before.allocated + (64 << 10));
    if (rt.rank() == 0) std::printf("%ld starts of %zu plans, %ld KiB resident\n", most, all.size(), after.resident >> 10);
}

} // namespace
} // namespace sode::internal::testing
