// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/number_of.hpp"

#include <sode/gmpi.hpp>

#include <array>
#include <bit>
#include <cstdint>
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

/// Tells the test, in memory that both sides read.
template <class Group> SODE_GPU void expect(Group const& g, bool right, gmpi::word* wrong) {
    if (!right) g.platform().store(*wrong, 1);
}

SODE_GPU inline std::uint32_t element(int from, int to, int round, std::size_t i) {
    return static_cast<std::uint32_t>(from * 7919 + to * 104729 + round * 1299709) + static_cast<std::uint32_t>(i);
}

/// The length of each message, the same for both ends: empty ones, those that go with their envelope, those that do not.
SODE_GPU inline std::size_t length(int from, int to, int round) {
    constexpr std::size_t lengths[]{0, 1, 8, 9, 1008, 2041, 5000, 90000};
    constexpr std::uint32_t mixes = 0x9e3779b1;
    return lengths[(static_cast<std::uint32_t>(from * 31 + to * 17 + round) * mixes) >> 29];
}

/// Broadcasts from every rank, sums of whole numbers, and of fractions, whose bits have to be the same on all ranks.
struct collectives_in_kernels {
    static constexpr std::size_t n = 37;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, std::int64_t* data, double* real, gmpi::word* wrong) const {
        auto const g = t.block();
        auto const expect = [&](bool right) { testing::expect(g, right, wrong); };
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
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, std::uint32_t* given, std::uint32_t* got, std::size_t most,
                             gmpi::word* wrong) const {
        auto const g = t.block();
        auto const p = static_cast<std::size_t>(ctx.size);
        gmpi::request requests[32];
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
                expect(g, gmpi::wait(g, ctx, requests[2 * r], &how) == code::ok, wrong);
                expect(g, g.thread_rank() != 0 || how.bytes == expected * sizeof(std::uint32_t), wrong);
                expect(g, gmpi::wait(g, ctx, requests[2 * r + 1]) == code::ok, wrong);
                for (std::size_t i = g.thread_rank(); i < most; i += g.size())
                    expect(g, got[r * most + i] == (i < expected ? element(static_cast<int>(r), ctx.rank, round, i) : 0), wrong);
            }
            g.sync();
        }
    }
};

/// Blocks of a kernel, each with a tag of its own, go round the ranks at the same time.
struct rings {
    int rounds;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, std::uint64_t* words, gmpi::word* wrong) const {
        auto const g = t.block();
        auto const tag = static_cast<int>(t.block_rank());
        auto* const mine = words + 2 * t.block_rank();
        int const next = (ctx.rank + 1) % ctx.size, before = (ctx.rank + ctx.size - 1) % ctx.size;
        for (int round = 0; round < rounds; ++round) {
            if (t.thread_rank() == 0) mine[0] = static_cast<std::uint64_t>(ctx.rank * 1000003 + round * 31 + tag);
            expect(g, gmpi::sendrecv(g, ctx, mine, 1, next, tag, mine + 1, 1, before, tag) == code::ok, wrong);
            expect(g, mine[1] == static_cast<std::uint64_t>(before * 1000003 + round * 31 + tag), wrong);
            g.sync();
        }
    }
};

/// Puts into the window of the next rank, and a signal behind them; then a wait for the signal of the rank before.
struct puts {
    int rounds;
    std::size_t n;
    int window;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, std::uint32_t* given, std::uint32_t* got,
                             gmpi::word* wrong) const {
        auto const g = t.block();
        int const next = (ctx.rank + 1) % ctx.size, before = (ctx.rank + ctx.size - 1) % ctx.size;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = g.thread_rank(); i < n; i += g.size()) given[i] = element(ctx.rank, next, round, i);
            auto const half = n / 2;
            auto const first = gmpi::put(g, ctx, given, half, {window, 0}, next);
            auto const rest = gmpi::put_signal(g, ctx, given + half, n - half, {window, half * sizeof(std::uint32_t)}, 3, 5, next,
                                               gmpi::released());
            expect(g, gmpi::wait(g, ctx, first) == code::ok, wrong);
            expect(g, gmpi::wait(g, ctx, rest) == code::ok, wrong);
            expect(g, gmpi::signal_wait_until(g, ctx, 3, static_cast<gmpi::word>(5 * (round + 1))) == code::ok, wrong);
            for (std::size_t i = g.thread_rank(); i < n; i += g.size())
                expect(g, got[i] == element(before, ctx.rank, round, i), wrong);
            expect(g, gmpi::barrier(g, ctx) == code::ok, wrong); // before anybody writes there again
        }
        expect(g, gmpi::signal(g, ctx, 4, next) == code::ok, wrong);
        expect(g, gmpi::signal_wait_until(g, ctx, 4, 1) == code::ok, wrong);
        gmpi::request const outside[] = {gmpi::put(g, ctx, given, n, {window, 4}, next),
                                         gmpi::put(g, ctx, given, 1, {window + 1, 0}, next)};
        for (auto const& r : outside) expect(g, gmpi::wait(g, ctx, r) == code::usage, wrong);
    }
};

/// Whoever comes out of a barrier sees that all have come in. A word of each rank is in `entered`.
struct barriers_in_kernels {
    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::word* entered, gmpi::word* wrong) const {
        auto const g = t.thread();
        auto const p = g.platform();
        for (gmpi::word round = 1; round <= 20; ++round) {
            p.store(entered[ctx.rank], round);
            expect(g, gmpi::barrier(g, ctx) == code::ok, wrong);
            for (int r = 0; r < ctx.size; ++r) expect(g, p.load(entered[r]) >= round, wrong);
            expect(g, gmpi::barrier(g, ctx) == code::ok, wrong);
        }
    }
};

/// Parts that leave in any order, and are read as they come.
struct parts_in_kernels {
    gmpi::plan_number out;
    gmpi::arrivals in;
    std::size_t each;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, std::uint32_t* given, std::uint32_t* got,
                             gmpi::word* wrong) const {
        auto const g = t.block();
        int const next = (ctx.rank + 1) % ctx.size, before = (ctx.rank + ctx.size - 1) % ctx.size;
        for (int round = 1; round <= 5; ++round) {
            auto const coming = gmpi::start(g, ctx, in.plan), leaving = gmpi::start(g, ctx, out);
            for (std::uint32_t k = 0; k < in.parts; ++k) {
                auto const part =
                    (k * 5 + static_cast<std::uint32_t>(round)) % in.parts; // their number and 5 have no common divisor
                for (std::size_t i = g.thread_rank(); i < each; i += g.size())
                    given[part * each + i] = element(ctx.rank, next, round, part * each + i);
                expect(g, gmpi::pready(g, ctx, out, part) == code::ok, wrong);
            }
            for (std::uint32_t part = 0; part < in.parts; ++part) {
                auto c = gmpi::parrived(g, ctx, in, part, static_cast<gmpi::word>(round));
                for (std::uint32_t polls = 0; c == code::would_block;
                     c = gmpi::parrived(g, ctx, in, part, static_cast<gmpi::word>(round)))
                    g.platform().pause(++polls);
                expect(g, c == code::ok, wrong);
                for (std::size_t i = g.thread_rank(); i < each; i += g.size())
                    expect(g, got[part * each + i] == element(before, ctx.rank, round, part * each + i), wrong);
            }
            expect(g, gmpi::wait(g, ctx, coming) == code::ok, wrong);
            expect(g, gmpi::wait(g, ctx, leaving) == code::ok, wrong);
            expect(g, gmpi::barrier(g, ctx) == code::ok, wrong);
        }
    }
};

/// Steps of a rod's heat in one kernel, whose halos it asks for itself.
struct heat {
    gmpi::plan_number halo, sum;
    int steps;

    template <class Thread, class View>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, View u, long first, long last, double* warm,
                             gmpi::word* wrong) const {
        auto const g = t.block();
        for (int s = 0; s < steps; ++s) {
            expect(g, gmpi::wait(g, ctx, gmpi::start(g, ctx, halo)) == code::ok, wrong);
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
            expect(g, gmpi::wait(g, ctx, gmpi::start(g, ctx, sum)) == code::ok, wrong);
        }
    }
};

/// Each element becomes that to its left in the step before, plus one: halos of the half that the kernel is at.
struct shifts {
    gmpi::plan_number halo;
    int steps;

    template <class Thread, class View>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, View now, View next, long first, long last,
                             gmpi::word* wrong) const {
        auto const g = t.block();
        for (int s = 0; s < steps; ++s) {
            expect(g, gmpi::wait(g, ctx, gmpi::start(g, ctx, halo)) == code::ok, wrong);
            for (long i = first + static_cast<long>(g.thread_rank()); i < last; i += static_cast<long>(g.size()))
                next(i) = now(i - 1) + 1;
            g.sync();
            auto const before = now;
            now = next;
            next = before;
        }
    }
};

/// Of a warp one thread posts, what all of its threads have written goes, and all of them see what has come. A block's last warp
/// may have fewer threads.
struct ring_of_warps {
    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, int* given, int* got, int below, int above,
                             gmpi::word* wrong) const {
        auto const g = t.warp();
        auto const first = t.thread_rank() - g.thread_rank();
        auto const tag = static_cast<int>(first);
        for (int round = 1; round <= 3; ++round) {
            given[t.thread_rank()] = 1000 * ctx.rank + 100 * round + static_cast<int>(t.thread_rank());
            auto const c = gmpi::sendrecv(g, ctx, given + first, g.size(), above, tag, got + first, g.size(), below, tag);
            expect(g, c == code::ok && got[t.thread_rank()] == 1000 * below + 100 * round + static_cast<int>(t.thread_rank()),
                   wrong);
            g.sync();
        }
    }
};

} // namespace sode::internal::testing
