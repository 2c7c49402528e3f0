// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/number_of.hpp"

#include <sode/gmpi.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

namespace sode::internal::testing {

using gmpi::code;

/// Where the bytes of a test lie.
enum class home { shared, own };

struct setup {
    char const* name;
    gmpi::options options;
};

inline std::vector<setup> setups() {
    std::vector<setup> all{
        {"one ring", {.deadline = 100}},
        {"three rings of one request, few requests", {.rings = 3, .entries = 1, .requests = 40, .deadline = 100}},
        {"words on the device", {.rings = 2, .entries = 4, .deadline = 100, .state_on_device = true}},
        {"two hops", {.rings = 2, .entries = 8, .deadline = 100, .two_hops = true}}};
    all.resize(
        static_cast<std::size_t>(number_of("TEST_CASES_DEFAULT", 4))); // under an MPI ranks that wait take all of a processor
    return all;
}

inline std::uint32_t element(int from, int to, int round, std::size_t i) {
    return static_cast<std::uint32_t>(from * 7919 + to * 104729 + round * 1299709) + static_cast<std::uint32_t>(i);
}

/// The length of each message, the same for both ends: empty ones, those that go with their envelope, those that do not.
inline std::size_t length(int from, int to, int round) {
    std::mt19937 random(static_cast<unsigned>(from * 31 + to * 17 + round));
    constexpr std::array<std::size_t, 8> lengths{0, 1, 8, 1000, 1008, 2041, 5000, 90000};
    return lengths[random() % lengths.size()];
}

/// Broadcasts from every rank, sums of whole numbers, and of fractions, whose bits have to be the same on all ranks.
struct collectives_in_kernels {
    static constexpr std::size_t n = 37;

    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, std::int64_t* data, double* real, std::atomic<int>* wrong) const {
        auto const g = t.block();
        auto const expect = [&](bool right) {
            if (!right) ++*wrong;
        };
        auto const for_each = [&](auto f) {
            g.sync();
            for (std::size_t i = g.thread_rank(); i < n; i += g.size()) f(i, static_cast<std::int64_t>(i));
            g.sync();
        };
        std::int64_t const p = ctx.size, me = ctx.rank;
        for (int root = 0; root < ctx.size; ++root) {
            for_each([&](std::size_t at, std::int64_t i) { data[at] = 1000 * me + i; });
            expect(gmpi::broadcast(g, ctx, data, n, root) == code::ok);
            for_each([&](std::size_t at, std::int64_t i) { expect(data[at] == 1000 * root + i); });
        }
        for (std::int64_t round = 0; round < 5; ++round) {
            for_each([&](std::size_t at, std::int64_t i) { data[at] = (me + 1) * (i + round); });
            expect(gmpi::allreduce(g, ctx, data, data + n, n, gmpi::sum_of{}) == code::ok);
            for_each([&](std::size_t at, std::int64_t i) { expect(data[at] == p * (p + 1) / 2 * (i + round)); });
        }
        for_each([&](std::size_t at, std::int64_t i) { real[at] = 1.0 / static_cast<double>(3 + me + i); });
        expect(gmpi::allreduce(g, ctx, real, real + n, n, gmpi::sum_of{}) == code::ok);
        for_each([&](std::size_t at, std::int64_t) { data[at] = std::bit_cast<std::int64_t>(real[at]); });
        expect(gmpi::allreduce(g, ctx, data, data + n, n, gmpi::least_of{}) == code::ok);
        for_each([&](std::size_t at, std::int64_t) { expect(data[at] == std::bit_cast<std::int64_t>(real[at])); });
        expect(gmpi::allreduce(g, ctx, data, data + n, n, gmpi::greatest_of{}) == code::ok);
        for_each([&](std::size_t at, std::int64_t) { expect(data[at] == std::bit_cast<std::int64_t>(real[at])); });
        expect(gmpi::broadcast(g, ctx, data, n, ctx.size) == code::usage);
    }
};

/// Every rank sends to every rank, itself too; messages of one tag must not overtake each other.
struct all_to_all {
    int rounds;

    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, std::uint32_t* given, std::uint32_t* got, std::size_t most,
                    std::atomic<int>* wrong) const {
        auto const g = t.block();
        auto const p = static_cast<std::size_t>(ctx.size);
        std::array<gmpi::request, 32> requests;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t r = 0; r < p; ++r)
                for (std::size_t i = g.thread_rank(); i < most; i += g.size()) {
                    given[r * most + i] = element(ctx.rank, static_cast<int>(r), round, i);
                    got[r * most + i] = 0;
                }
            for (std::size_t r = 0; r < p; ++r) {
                auto const peer = static_cast<int>(r);
                requests[2 * r] = gmpi::irecv(g, ctx, got + r * most, most, peer, round % 2);
                requests[2 * r + 1] = gmpi::isend(g, ctx, given + r * most, length(ctx.rank, peer, round), peer, round % 2);
            }
            for (std::size_t r = 0; r < p; ++r) {
                gmpi::status how;
                auto const expected = length(static_cast<int>(r), ctx.rank, round);
                if (gmpi::wait(g, ctx, requests[2 * r], &how) != code::ok) ++*wrong;
                if (g.thread_rank() == 0 && how.bytes != expected * sizeof(std::uint32_t)) ++*wrong;
                if (gmpi::wait(g, ctx, requests[2 * r + 1]) != code::ok) ++*wrong;
                for (std::size_t i = g.thread_rank(); i < most; i += g.size())
                    if (got[r * most + i] != (i < expected ? element(static_cast<int>(r), ctx.rank, round, i) : 0)) ++*wrong;
            }
            g.sync();
        }
    }
};

/// Blocks of a kernel, each with a tag of its own, go round the ranks at the same time.
struct rings {
    int rounds;

    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, std::uint64_t* words, std::atomic<int>* wrong) const {
        auto const tag = static_cast<int>(t.block_rank());
        auto* const mine = words + 2 * t.block_rank();
        int const next = (ctx.rank + 1) % ctx.size, before = (ctx.rank + ctx.size - 1) % ctx.size;
        for (int round = 0; round < rounds; ++round) {
            if (t.thread_rank() == 0) mine[0] = static_cast<std::uint64_t>(ctx.rank * 1000003 + round * 31 + tag);
            if (gmpi::sendrecv(t.block(), ctx, mine, 1, next, tag, mine + 1, 1, before, tag) != code::ok) ++*wrong;
            if (mine[1] != static_cast<std::uint64_t>(before * 1000003 + round * 31 + tag)) ++*wrong;
            t.block().sync();
        }
    }
};

/// Puts into the window of the next rank, and a signal behind them; then a wait for the signal of the rank before.
struct puts {
    int rounds;
    std::size_t n;
    int window;

    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, std::uint32_t* given, std::uint32_t* got,
                    std::atomic<int>* wrong) const {
        auto const g = t.block();
        int const next = (ctx.rank + 1) % ctx.size, before = (ctx.rank + ctx.size - 1) % ctx.size;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = g.thread_rank(); i < n; i += g.size()) given[i] = element(ctx.rank, next, round, i);
            auto const half = n / 2;
            auto const first = gmpi::put(g, ctx, given, half, {window, 0}, next);
            auto const rest = gmpi::put_signal(g, ctx, given + half, n - half, {window, half * sizeof(std::uint32_t)}, 3, 5, next,
                                               gmpi::released());
            if (gmpi::wait(g, ctx, first) != code::ok || gmpi::wait(g, ctx, rest) != code::ok) ++*wrong;
            if (gmpi::signal_wait_until(g, ctx, 3, static_cast<gmpi::word>(5 * (round + 1))) != code::ok) ++*wrong;
            for (std::size_t i = g.thread_rank(); i < n; i += g.size())
                if (got[i] != element(before, ctx.rank, round, i)) ++*wrong;
            if (gmpi::barrier(g, ctx) != code::ok) ++*wrong; // before anybody writes there again
        }
        if (gmpi::signal(g, ctx, 4, next) != code::ok || gmpi::signal_wait_until(g, ctx, 4, 1) != code::ok) ++*wrong;
        gmpi::request const outside[] = {gmpi::put(g, ctx, given, n, {window, 4}, next),
                                         gmpi::put(g, ctx, given, 1, {window + 1, 0}, next)};
        for (auto const& r : outside)
            if (gmpi::wait(g, ctx, r) != code::usage) ++*wrong;
    }
};

struct barriers_in_kernels {
    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, std::atomic<int>* entered, int size, std::atomic<int>* wrong) const {
        for (int round = 1; round <= 20; ++round) {
            entered->fetch_add(1);
            if (gmpi::barrier(t.thread(), ctx) != code::ok) ++*wrong;
            if (entered->load() < round * size) ++*wrong;
            if (gmpi::barrier(t.thread(), ctx) != code::ok) ++*wrong;
        }
    }
};

/// Parts that leave in any order, and are read as they come.
struct parts_in_kernels {
    gmpi::plan_number out;
    gmpi::arrivals in;
    std::size_t each;

    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, std::uint32_t* given, std::uint32_t* got,
                    std::atomic<int>* wrong) const {
        auto const g = t.block();
        int const next = (ctx.rank + 1) % ctx.size, before = (ctx.rank + ctx.size - 1) % ctx.size;
        for (int round = 1; round <= 5; ++round) {
            auto const coming = gmpi::start(g, ctx, in.plan), leaving = gmpi::start(g, ctx, out);
            for (std::uint32_t k = 0; k < in.parts; ++k) {
                auto const part =
                    (k * 5 + static_cast<std::uint32_t>(round)) % in.parts; // their number and 5 have no common divisor
                for (std::size_t i = g.thread_rank(); i < each; i += g.size())
                    given[part * each + i] = element(ctx.rank, next, round, part * each + i);
                if (gmpi::pready(g, ctx, out, part) != code::ok) ++*wrong;
            }
            for (std::uint32_t part = 0; part < in.parts; ++part) {
                code c = code::would_block;
                while (c == code::would_block) {
                    c = gmpi::parrived(g, ctx, in, part, static_cast<gmpi::word>(round));
                    if (c == code::would_block) g.platform().pause(100);
                }
                for (std::size_t i = g.thread_rank(); i < each; i += g.size())
                    if (got[part * each + i] != element(before, ctx.rank, round, part * each + i)) ++*wrong;
            }
            if (gmpi::wait(g, ctx, coming) != code::ok || gmpi::wait(g, ctx, leaving) != code::ok) ++*wrong;
            if (gmpi::barrier(g, ctx) != code::ok) ++*wrong;
        }
    }
};

/// Steps of a rod's heat in one kernel, whose halos it asks for itself.
struct heat {
    gmpi::plan_number halo, sum;
    int steps;

    template <class Thread, class View>
    void operator()(Thread const& t, gmpi::device_handle ctx, View u, long first, long last, double* warm,
                    std::atomic<int>* wrong) const {
        auto const g = t.block();
        for (int s = 0; s < steps; ++s) {
            if (gmpi::wait(g, ctx, gmpi::start(g, ctx, halo)) != code::ok) ++*wrong;
            if (g.thread_rank() == 0) {
                double before = u(first - 1);
                for (long i = first; i < last; ++i) {
                    double const here = u(i);
                    u(i) = 0.5 * here + 0.25 * (before + u(i + 1));
                    before = here;
                }
                warm[0] = 0;
                for (long i = first; i < last; ++i) warm[0] += u(i);
            }
            if (gmpi::wait(g, ctx, gmpi::start(g, ctx, sum)) != code::ok) ++*wrong;
        }
    }
};

/// Each element becomes that to its left in the step before, plus one: halos of the half that the kernel is at.
struct shifts {
    gmpi::plan_number halo;
    int steps;

    template <class Thread, class View>
    void operator()(Thread const& t, gmpi::device_handle ctx, View now, View next, long first, long last,
                    std::atomic<int>* wrong) const {
        auto const g = t.block();
        for (int s = 0; s < steps; ++s) {
            if (gmpi::wait(g, ctx, gmpi::start(g, ctx, halo)) != code::ok) ++*wrong;
            for (long i = first + static_cast<long>(g.thread_rank()); i < last; i += static_cast<long>(g.size()))
                next(i) = now(i - 1) + 1;
            g.sync();
            auto const before = now;
            now = next;
            next = before;
        }
    }
};

} // namespace sode::internal::testing
