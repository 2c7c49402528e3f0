// SPDX-License-Identifier: Apache-2.0
// Ranks find each other's pinned lines and stages: a ring through them brings every byte, with host memory before and behind it.
#include "engine/prepared.hpp"
#include "model/job.hpp"
#include "plan/builder.hpp"
#include "plan/verify.hpp"
#include "support/ranks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sode::internal::testing {
namespace {

constexpr std::int64_t bytes = 5000; // more than a page

// Each rank packs its array, and has that of the rank before it in a second one, through a stage and a flag of that kind.
plan ring(int rank, int ranks, memory_kind kind) {
    plan_builder b{"pinned ring", rank, ranks};
    auto& p = b.target();
    p.own_lines = 3; // the last two are used, or the first two
    p.own_stage = 64 + bytes;
    if (kind == memory_kind::pinned) p.own_pinned = {.lines = 2, .stage = bytes};
    int const before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
    auto const array = [&](std::uint32_t n) { return b.add(buffer{.host = rank, .ordinal = n, .bytes = bytes}); };
    auto const stage = [&](int r) {
        return b.add(buffer{.host = r, .role = buffer_role::stage, .offset = 64, .bytes = bytes, .memory = kind});
    };
    auto const flag = [&](int host, int writer, std::uint32_t index) {
        return b.add(counter{.host = host, .writer = writer, .index = index, .memory = kind});
    };
    auto const whole = [] { return compile(contiguous(0, bytes), contiguous(0, bytes)); };
    auto const own = b.add_stream(-1), other = b.add_stream(before == rank ? -1 : before);
    b.copy(own, operation::pack, stage(rank), array(0), whole()).signal = flag(rank, rank, 0);
    b.emit(own, operation::credit).trigger = flag(rank, after, 1);
    auto& d = b.copy(other, operation::unpack, array(1), stage(before), whole());
    d.trigger = flag(before, before, 0);
    d.signal = flag(before, rank, 1);
    p.deliveries.push_back({.source_rank = before,
                            .source_array = 0,
                            .source = contiguous(0, bytes),
                            .target_array = 1,
                            .target = contiguous(0, bytes)});
    return b.finish();
}

TEST(PinnedRing, BringsEveryByte) {
    auto& rt = ranks();
    for (auto const kind : {memory_kind::pinned, memory_kind::host}) {
        std::vector<plan> plans;
        std::vector<std::vector<array_model>> models;
        for (int r = 0; r < rt.size(); ++r) {
            plans.push_back(ring(r, rt.size(), kind));
            auto const all = contiguous(0, bytes);
            models.push_back({{.ordinal = 0, .bytes = bytes, .buffered = false, .owned = all, .readable = {}},
                              {.ordinal = 1, .bytes = bytes, .buffered = false, .owned = {}, .readable = all}});
        }
        for (auto const& f : verify(plans, models)) ADD_FAILURE() << f.message;
        std::vector<std::byte> given(bytes), got(bytes);
        bound_array const arrays[] = {{{given.data(), nullptr}, false}, {{got.data(), nullptr}, false}};
        prepared run{ring(rt.rank(), rt.size(), kind), rt.job().surroundings(), {.arrays = arrays, .fingerprint = 7}};
        auto const value = [](int rank, int epoch, std::size_t i) {
            return static_cast<std::byte>(static_cast<std::size_t>(31 * rank + 7 * epoch) + i + i / 251);
        };
        for (int epoch = 0; epoch < 5; ++epoch) {
            for (std::size_t i = 0; i < given.size(); ++i) given[i] = value(rt.rank(), epoch, i);
            run.start();
            run.wait();
            for (std::size_t i = 0; i < got.size(); ++i)
                ASSERT_EQ(got[i], value((rt.rank() + rt.size() - 1) % rt.size(), epoch, i)) << epoch << ' ' << i;
        }
    }
}

} // namespace
} // namespace sode::internal::testing
