// SPDX-License-Identifier: Apache-2.0
// Collectives that users plan: right results in every epoch, with what is given changed before each, in memory of arrays and of the
// program's own, in place and not, by every algorithm, for every root; errors are the same on all ranks.
#include "collective/catalogue.hpp"
#include "model/job.hpp"
#include "support/cases.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr int epochs = 4;

long value(int rank, int epoch, std::size_t i) {
    return 1000003L * (rank + 1) + 7919L * epoch + static_cast<long>(i) * (rank + 3);
}

std::vector<long> given(int rank, int epoch, std::size_t n) {
    std::vector<long> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = value(rank, epoch, i);
    return v;
}

// Of ranks first to last - 1.
std::vector<long> summed(int first, int last, int epoch, std::size_t n) {
    std::vector<long> v(n);
    for (int r = first; r < last; ++r)
        for (std::size_t i = 0; i < n; ++i) v[i] += value(r, epoch, i);
    return v;
}

/// Memory that others can load, or only this rank.
class memory {
public:
    memory(runtime& rt, std::size_t n, bool shared) : own_(shared ? 0 : n) {
        if (shared && n > 0) block_ = detail::allocate(rt.job(), n * sizeof(long));
        all_ = shared ? std::span{reinterpret_cast<long*>(block_.get()), n} : std::span{own_};
    }
    [[nodiscard]] std::span<long> all() const { return all_; }
    void set(std::vector<long> const& v) const { std::ranges::copy(v, all_.begin()); }
    [[nodiscard]] std::vector<long> get() const { return {all_.begin(), all_.end()}; }

private:
    std::vector<long> own_;
    std::shared_ptr<std::byte> block_;
    std::span<long> all_;
};

struct way_to_run {
    std::size_t n;
    bool shared;
    bool in_place;
    std::string algorithm;
};

std::string text_of(way_to_run const& w) {
    return fmt::format("{} elements{}{} by {}", w.n, w.shared ? ", shared" : "", w.in_place ? ", in place" : "", w.algorithm);
}

// Every algorithm that serves, and the library's own choice; where cases are dear, as many of all that as random_cases() allows.
template <class Run> void try_all(Run run) {
    std::vector<std::string> names{""};
    for (auto const* a : all_algorithms()) names.emplace_back(a->name());
    for (auto const* by_leaders : {":2", "over-machines:2", "k-nomial:2", "ring:2", "two-trees:2", "trinary:3"})
        names.emplace_back(by_leaders);
    std::vector<way_to_run> ways;
    for (std::size_t const n : {1U, 6U, 7U, 100U, 5000U, 70000U})
        for (bool const shared : {false, true})
            for (bool const in_place : {false, true})
                for (auto const& name : names)
                    if (n <= 5000 || ranks().size() <= 4) ways.push_back({n, shared, in_place, name});
    auto const all = ways.size(), some = static_cast<std::size_t>(random_cases(static_cast<int>(all)));
    if (some < all) {
        std::shuffle(ways.begin(), ways.end(), std::mt19937_64{20260312}); // alike on all ranks
        ways.resize(some);
    }
    for (auto const& way : ways) run(way);
}

std::optional<planned> planned_or_refused(way_to_run const& w, auto plan) {
    try {
        return plan();
    } catch (error const& e) {
        EXPECT_FALSE(w.algorithm.empty()) << e.what();
        EXPECT_THAT(e.what(), AnyOf(HasSubstr("cannot use algorithm"), HasSubstr("leaders"))) << text_of(w);
        return {};
    }
}

TEST(Collectives, Broadcast) {
    auto& rt = ranks();
    try_all([&](way_to_run const& w) {
        if (w.in_place) return;
        int const root = static_cast<int>(w.n) % rt.size();
        memory const m{rt, w.n, w.shared};
        auto b = planned_or_refused(w, [&] { return broadcast_init(rt, m.all(), root, {.algorithm = w.algorithm}); });
        for (int e = 0; b && e < epochs; ++e) {
            m.set(given(rt.rank(), e, w.n));
            b->start();
            b->wait();
            ASSERT_EQ(m.get(), given(root, e, w.n)) << text_of(w) << " epoch " << e;
        }
    });
}

// `init(in, out, options)` plans it; `expected(epoch)` says what this rank gets, or that its output stays what it was.
template <class Init, class Expected> void combine(way_to_run const& w, Init init, Expected expected) {
    auto& rt = ranks();
    memory const in{rt, w.n, w.shared};
    memory const other{rt, w.in_place ? 0 : w.n, w.shared};
    memory const& out = w.in_place ? in : other;
    auto c = planned_or_refused(
        w, [&] { return init(std::span<long const>{in.all()}, out.all(), collective_options{.algorithm = w.algorithm}); });
    for (int e = 0; c && e < epochs; ++e) {
        out.set(std::vector<long>(w.n, -1));
        in.set(given(rt.rank(), e, w.n));
        c->start();
        if (e % 2 == 0) static_cast<void>(c->test());
        c->wait();
        auto const wanted = expected(e);
        ASSERT_EQ(out.get(), wanted.empty() ? w.in_place ? given(rt.rank(), e, w.n) : std::vector<long>(w.n, -1) : wanted)
            << text_of(w) << " epoch " << e;
        ASSERT_TRUE(w.in_place || in.get() == given(rt.rank(), e, w.n)) << "what is given stays " << text_of(w);
    }
}

TEST(Collectives, Allreduce) {
    auto& rt = ranks();
    try_all([&](way_to_run const& w) {
        combine(
            w, [&](auto in, auto out, auto const& o) { return allreduce_init(rt, in, out, sum, o); },
            [&](int e) { return summed(0, rt.size(), e, w.n); });
    });
}

TEST(Collectives, Reduce) {
    auto& rt = ranks();
    try_all([&](way_to_run const& w) {
        int const root = static_cast<int>(w.n / 2) % rt.size();
        combine(
            w, [&](auto in, auto out, auto const& o) { return reduce_init(rt, in, out, sum, root, o); },
            [&](int e) { return rt.rank() == root ? summed(0, rt.size(), e, w.n) : std::vector<long>{}; });
    });
}

TEST(Collectives, Scan) {
    auto& rt = ranks();
    try_all([&](way_to_run const& w) {
        combine(
            w, [&](auto in, auto out, auto const& o) { return scan_init(rt, in, out, sum, o); },
            [&](int e) { return summed(0, rt.rank() + 1, e, w.n); });
    });
}

TEST(Collectives, Exscan) {
    auto& rt = ranks();
    try_all([&](way_to_run const& w) {
        combine(
            w, [&](auto in, auto out, auto const& o) { return exscan_init(rt, in, out, sum, o); },
            [&](int e) { return rt.rank() == 0 ? std::vector<long>{} : summed(0, rt.rank(), e, w.n); });
    });
}

TEST(Collectives, ReduceScatter) {
    auto& rt = ranks();
    auto const r = static_cast<std::size_t>(rt.rank()), p = static_cast<std::size_t>(rt.size());
    try_all([&](way_to_run const& w) {
        auto const first = w.n * r / p, last = w.n * (r + 1) / p;
        memory const in{rt, w.n, w.shared};
        memory const other{rt, last - first, w.shared};
        auto const out = w.in_place ? in.all().first(last - first) : other.all();
        auto c = planned_or_refused(
            w, [&] { return reduce_scatter_init(rt, std::span<long const>{in.all()}, out, sum, {.algorithm = w.algorithm}); });
        for (int e = 0; c && e < epochs; ++e) {
            in.set(given(rt.rank(), e, w.n));
            (*c)();
            auto const all = summed(0, rt.size(), e, w.n);
            ASSERT_EQ((std::vector<long>{out.begin(), out.end()}),
                      (std::vector<long>{all.begin() + static_cast<long>(first), all.begin() + static_cast<long>(last)}))
                << text_of(w) << " epoch " << e;
        }
    });
}

TEST(Collectives, BarrierHoldsEverybodyBack) {
    auto& rt = ranks();
    for (auto const* a : all_algorithms()) {
        auto const w = way_to_run{0, false, false, std::string{a->name()}};
        auto b = planned_or_refused(w, [&] { return barrier_init(rt, {.algorithm = w.algorithm}); });
        if (!b) continue;
        // Whoever leaves sees that all have come: each writes its count before, and reads those of all behind.
        auto const mine = detail::allocate(rt.job(), sizeof(long));
        auto* const count = reinterpret_cast<std::atomic<long>*>(mine.get());
        struct place {
            std::uint64_t at;
            block_place block;
        };
        std::vector<place> all(static_cast<std::size_t>(rt.size()));
        auto const& space = *rt.job().memory;
        place const here{space.offset(mine.get()), space.block_of(mine.get())};
        rt.job().boot->allgather(&here, sizeof here, all.data());
        std::vector<std::atomic<long> const*> counts;
        for (int r = 0; r < rt.size(); ++r)
            if (space.contains(r) && rt.job().ranks->machines().together(r, rt.rank())) {
                auto const& there = all[static_cast<std::size_t>(r)];
                space.open(r, there.block);
                counts.push_back(reinterpret_cast<std::atomic<long> const*>(space.at(r, there.at)));
            }
        for (long e = 1; e <= 200; ++e) {
            count->store(e, std::memory_order_relaxed);
            (*b)();
            for (auto const* const theirs : counts) ASSERT_GE(theirs->load(std::memory_order_relaxed), e) << a->name();
        }
        rt.barrier();
    }
}

struct affine { // x -> a x + b; composition does not commute
    std::uint64_t a, b;
    friend bool operator==(affine const&, affine const&) = default;
};

TEST(Collectives, OperationsOfTheUserAreAppliedInTheOrderOfRanks) {
    auto& rt = ranks();
    auto const after = operation_by<affine>("after", [](affine const& x, affine const& y) {
        return affine{x.a * y.a, x.a * y.b + x.b};
    });
    auto const of = [](int r, int e) { return affine{2U * static_cast<unsigned>(r) + 3, static_cast<unsigned>(r + 10 * e)}; };
    for (std::size_t const n : {1U, 50U, 3000U})
        for (auto const* a : all_algorithms()) {
            std::vector<affine> in(n), all(n), upto(n);
            auto const w = way_to_run{n, false, false, std::string{a->name()}};
            collective_options const o{.algorithm = w.algorithm};
            auto both =
                planned_or_refused(w, [&] { return allreduce_init(rt, std::span<affine const>{in}, std::span{all}, after, o); });
            auto prefix =
                planned_or_refused(w, [&] { return scan_init(rt, std::span<affine const>{in}, std::span{upto}, after, o); });
            for (int e = 0; e < epochs; ++e) {
                std::ranges::fill(in, of(rt.rank(), e));
                auto whole = of(0, e), mine = whole;
                for (int r = 1; r < rt.size(); ++r) {
                    auto const next = of(r, e);
                    whole = after.function(whole, next);
                    if (r <= rt.rank()) mine = whole;
                }
                if (both) {
                    (*both)();
                    ASSERT_EQ(all, std::vector<affine>(n, whole)) << a->name();
                }
                if (prefix) {
                    (*prefix)();
                    ASSERT_EQ(upto, std::vector<affine>(n, mine)) << a->name();
                }
            }
        }
}

TEST(Collectives, AllAlgorithmsGiveTheSameBits) {
    auto& rt = ranks();
    constexpr std::size_t n = 999;
    std::vector<double> in(n), first;
    for (std::size_t i = 0; i < n; ++i) in[i] = 1.0 / (static_cast<double>(i) + 3.7 * rt.rank() + 0.1);
    for (auto const* a : all_algorithms()) {
        std::vector<double> out(n);
        auto const w = way_to_run{n, false, false, std::string{a->name()}};
        auto c = planned_or_refused(
            w, [&] { return allreduce_init(rt, std::span<double const>{in}, std::span{out}, sum, {.algorithm = w.algorithm}); });
        if (!c) continue;
        (*c)();
        collective_terms like;
        like.kind = collective_kind::allreduce;
        if (a->regroups(like)) { // other bits, but the same on all ranks and every time
            std::vector<double> const before{out};
            (*c)();
            EXPECT_EQ(out, before) << a->name();
            std::vector<double> lowest(n), highest(n);
            allreduce_init(rt, std::span<double const>{out}, std::span{lowest}, min)();
            allreduce_init(rt, std::span<double const>{out}, std::span{highest}, max)();
            EXPECT_EQ(lowest, highest) << a->name();
            continue;
        }
        if (first.empty()) first = out;
        EXPECT_EQ(out, first) << a->name();
    }
}

TEST(Collectives, SeveralAtOnce) {
    auto& rt = ranks();
    std::vector<long> a(30), b(30), c{long{rt.rank()}};
    auto first = allreduce_init(rt, std::span<long const>{a}, std::span{b}, sum);
    auto second = broadcast_init(rt, std::span{c}, rt.size() - 1);
    auto third = barrier_init(rt);
    for (int e = 0; e < 50; ++e) {
        std::ranges::copy(given(rt.rank(), e, 30), a.begin());
        c[0] = rt.rank() * 100 + e;
        first.start();
        second.start();
        third.start();
        second.wait();
        third.wait();
        first.wait();
        ASSERT_EQ(b, summed(0, rt.size(), e, 30));
        ASSERT_EQ(c[0], (rt.size() - 1) * 100 + e);
    }
}

TEST(Collectives, WhatMovesOnly) {
    auto& rt = ranks();
    auto const p = static_cast<std::size_t>(rt.size()), me = static_cast<std::size_t>(rt.rank());
    for (std::size_t const n : {1U, 33U, 4000U})
        for (bool const shared : {false, true}) {
            memory const one{rt, n, shared}, all{rt, n * p, shared}, other{rt, n * p, shared};
            int const root = static_cast<int>(n) % rt.size();
            auto gather = gather_init(rt, std::span<long const>{one.all()}, all.all(), root);
            auto scatter = scatter_init(rt, std::span<long const>{other.all()}, one.all(), root);
            auto allgather = allgather_init(rt, std::span<long const>{one.all()}, other.all());
            auto alltoall = alltoall_init(rt, std::span<long const>{all.all()}, other.all());
            auto const of_all = [&](int e) {
                std::vector<long> list;
                for (int r = 0; r < rt.size(); ++r) {
                    auto const v = given(r, e, n);
                    list.insert(list.end(), v.begin(), v.end());
                }
                return list;
            };
            for (int e = 0; e < epochs; ++e) {
                one.set(given(rt.rank(), e, n));
                gather();
                ASSERT_TRUE(rt.rank() != root || all.get() == of_all(e));
                allgather();
                ASSERT_EQ(other.get(), of_all(e));
                scatter();
                ASSERT_EQ(one.get(), given(rt.rank(), e, n));
                for (std::size_t r = 0; r < p; ++r)
                    for (std::size_t i = 0; i < n; ++i) all.all()[r * n + i] = value(rt.rank(), e + static_cast<int>(r), i);
                alltoall();
                for (std::size_t r = 0; r < p; ++r)
                    for (std::size_t i = 0; i < n; ++i)
                        ASSERT_EQ(other.all()[r * n + i], value(static_cast<int>(r), e + static_cast<int>(me), i));
            }
        }
}

TEST(Collectives, PiecesOfAnyShape) {
    auto& rt = ranks();
    auto const p = rt.size(), me = rt.rank();
    // Rank r gives rank q r + q + 1 elements, two apart; they arrive packed.
    std::vector<long> from(static_cast<std::size_t>(4 * p * p + 4 * p)), to(from.size());
    auto const count = [](int a, int b) { return static_cast<index_t>(a + b + 1); };
    std::vector<piece> given_pieces, got_pieces;
    std::size_t at = 0, behind = 0;
    std::vector<std::size_t> begins;
    for (int q = 0; q < p; ++q) {
        given_pieces.emplace_back(static_cast<void const*>(&from[at]), datatype::contiguous(8).repeated(count(me, q), 16));
        at += 2 * static_cast<std::size_t>(count(me, q));
        begins.push_back(behind);
        got_pieces.emplace_back(static_cast<void*>(&to[behind]), datatype::contiguous(8 * count(q, me)));
        behind += static_cast<std::size_t>(count(q, me));
    }
    auto exchange = alltoall_init(rt, std::span<piece const>{given_pieces}, std::span<piece const>{got_pieces});
    for (int e = 0; e < epochs; ++e) {
        at = 0;
        for (int q = 0; q < p; ++q)
            for (index_t i = 0; i < count(me, q); ++i, at += 2) from[at] = value(me, e * 10 + q, static_cast<std::size_t>(i));
        exchange();
        for (int q = 0; q < p; ++q)
            for (index_t i = 0; i < count(q, me); ++i)
                ASSERT_EQ(to[begins[static_cast<std::size_t>(q)] + static_cast<std::size_t>(i)],
                          value(q, e * 10 + me, static_cast<std::size_t>(i)));
    }
}

TEST(Collectives, Neighbourhoods) {
    auto& rt = ranks();
    int const p = rt.size(), up = (rt.rank() + 1) % p, down = (rt.rank() + p - 1) % p;
    std::vector<long> mine(5), above(5), below(5), twice(5), self(5);
    auto ring = neighbour_allgather_init(rt, piece{std::span{mine}}, std::array{up, down, up, rt.rank()},
                                         std::array{neighbour{down, {std::span{below}}}, neighbour{up, {std::span{above}}},
                                                    neighbour{down, {std::span{twice}}}, neighbour{rt.rank(), {std::span{self}}}});
    for (int e = 0; e < epochs; ++e) {
        std::ranges::copy(given(rt.rank(), e, 5), mine.begin());
        ring();
        EXPECT_EQ(above, given(up, e, 5));
        EXPECT_EQ(below, given(down, e, 5));
        EXPECT_EQ(twice, given(down, e, 5));
        EXPECT_EQ(self, given(rt.rank(), e, 5));
    }
}

std::string complaint(auto plan) {
    try {
        static_cast<void>(plan());
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage) << e.what();
        return e.what();
    }
    return "nothing";
}

TEST(Collectives, ErrorsAreThoseOfAllRanks) {
    auto& rt = ranks();
    std::vector<long> a(8), b(8);
    auto const in = std::span<long const>{a};
    EXPECT_THAT(complaint([&] { return broadcast_init(rt, std::span{a}, rt.size()); }),
                HasSubstr(fmt::format("there is no rank {} (the job has ranks 0 to {})", rt.size(), rt.size() - 1)));
    EXPECT_THAT(complaint([&] { return allreduce_init(rt, in, std::span{b}.first(7), sum); }),
                HasSubstr("has 64 bytes of input and 56 of output"));
    EXPECT_THAT(complaint([&] { return allreduce_init(rt, in.first(6), std::span{a}.subspan(2), sum); }),
                HasSubstr("overlaps its input"));
    EXPECT_THAT(complaint([&] { return allreduce_init(rt, in, std::span{b}, sum, {.algorithm = "magic"}); }),
                AllOf(HasSubstr("there is no such algorithm"), HasSubstr("in-lines, staged, direct")));
    EXPECT_THAT(complaint([&] { return reduce_scatter_init(rt, in, std::span{b}.first(0), sum); }),
                HasSubstr("the outputs of all ranks have 0 bytes, and the input has 64"));
    EXPECT_THAT(complaint([&] { return alltoall_init(rt, std::span<piece const>{}, std::span<piece const>{}); }),
                HasSubstr("passes 0 pieces"));
    if (rt.size() == 1) return;
    EXPECT_THAT(
        complaint([&] { return allreduce_init(rt, in.first(rt.root() ? 8 : 4), std::span{b}.first(rt.root() ? 8 : 4), sum); }),
        AllOf(HasSubstr("ranks 0 and 1 plan different collectives"), HasSubstr("allreduce of 64 bytes by sum of i64")));
    EXPECT_THAT(complaint([&] { return rt.root() ? barrier_init(rt) : broadcast_init(rt, std::span{a}); }),
                HasSubstr("plan different collectives"));
    EXPECT_THAT(complaint([&] { return allreduce_init(rt, in, std::span{b}.first(rt.rank() == 1 ? 4 : 8), sum); }),
                HasSubstr("rank 1 has 64 bytes of input and 32 of output"));
    // And after all that the ranks are still in step.
    auto fine = allreduce_init(rt, in, std::span{b}, sum);
    std::ranges::fill(a, 1);
    fine();
    EXPECT_EQ(b, std::vector<long>(8, rt.size()));
}

TEST(Collectives, CanBeLookedAt) {
    auto& rt = ranks();
    std::vector<double> a(100), b(100);
    auto c = allreduce_init(rt, std::span<double const>{a}, std::span{b}, sum, {.name = "residual"});
    EXPECT_THAT(c.dump(), HasSubstr("residual"));
    EXPECT_THAT(c.explain(), HasSubstr("residual"));
    EXPECT_EQ(c.explain().find("800 B") != std::string::npos, rt.size() > 1) << c.explain();
    EXPECT_EQ(c.epochs(), 0U);
    c();
    EXPECT_EQ(c.epochs(), 1U);
    EXPECT_GT(c.executed(), 0U);
}

// Random kinds, sizes, roots, placements, in place or not, several at once.
TEST(Collectives, RandomCases) {
    auto& rt = ranks();
    std::uint64_t const seed = broadcast(rt, std::random_device{}(), 0);
    std::mt19937_64 random{seed};
    int const cases = random_cases(40);
    for (int k = 0; k < cases; ++k) {
        auto const kind = random() % 5;
        auto const n = static_cast<std::size_t>(1) << random() % 14;
        auto const length = n + random() % n;
        way_to_run const w{length, random() % 2 == 0, random() % 2 == 0, ""};
        int const root = static_cast<int>(random() % static_cast<unsigned>(rt.size()));
        auto const init = [&](auto in, auto out, auto const& o) {
            switch (kind) {
            case 0: return allreduce_init(rt, in, out, sum, o);
            case 1: return reduce_init(rt, in, out, sum, root, o);
            case 2: return scan_init(rt, in, out, sum, o);
            default: return exscan_init(rt, in, out, sum, o);
            }
        };
        combine(w, init, [&](int e) -> std::vector<long> {
            int const me = rt.rank(), p = rt.size();
            if (kind == 1 && me != root) return {};
            if (kind > 2 && me == 0) return {};
            return summed(0, kind < 2 ? p : kind == 2 ? me + 1 : me, e, length);
        });
        if (HasFatalFailure()) FAIL() << "seed " << seed << ", case " << k << ", kind " << kind;
    }
}

} // namespace
} // namespace sode::internal::testing
