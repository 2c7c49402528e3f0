// SPDX-License-Identifier: Apache-2.0
// Plans in which the kernel reads what others give: the words around the reads are proven with the reads as loads, and nothing of
// them can be left out. What the kernel runs has the same steps.
#include "array/exchange/exchange_spec.hpp"
#include "array/exchange/kernel_reads.hpp"
#include "array/random_messages.hpp"
#include "layout/copy_rows.hpp"
#include "layout/layout_algebra.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace sode::internal::testing {
namespace {

struct case_of_reads {
    std::vector<kernel_reads> parts;
    std::vector<std::vector<array_model>> models;
};

// Region 0 of a rank is what it gives, region 1 what it gets: pieces behind each other.
case_of_reads random_messages_of(generator& g, int ranks) {
    exchange_spec spec;
    spec.name = "reads";
    spec.machines = ranks;
    case_of_reads a;
    a.parts.resize(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
        spec.ends[r].regions = {{0, true}, {0, true}};
        a.parts[static_cast<std::size_t>(r)] = {.name = "reads", .rank = r, .ranks = ranks, .targets = {}, .gets = {}};
    }
    int tag = 0;
    for (int target = 0; target < ranks; ++target)
        for (int source = 0; source < ranks; ++source)
            for (auto messages = pick(g, -1, 2); messages > 0; --messages, ++tag) {
                auto const bytes = 8 * pick(g, 1, 4);
                auto const add = [&](int rank, std::uint32_t region, bool sends, int peer) {
                    auto& all = spec.ends[rank];
                    auto const where = contiguous(all.regions[region].bytes, bytes);
                    all.regions[region].bytes += bytes;
                    all.ends.push_back({.sends = sends, .peer = peer, .tag = tag, .region = region, .where = where});
                    return kernel_reads::place{.region = region, .region_bytes = 0, .where = where};
                };
                auto const from = add(source, 0, true, target), to = add(target, 1, false, source);
                a.parts[static_cast<std::size_t>(target)].gets.push_back({source, to, from});
                auto& targets = a.parts[static_cast<std::size_t>(source)].targets;
                if (source != target && (targets.empty() || targets.back() != target)) targets.push_back(target);
            }
    for (auto& part : a.parts)
        for (auto& m : part.gets) {
            m.from.region_bytes = spec.ends[m.source].regions[0].bytes;
            m.to.region_bytes = spec.ends[part.rank].regions[1].bytes;
        }
    for (int r = 0; r < ranks; ++r) a.models.push_back(exchange_models(spec, r));
    return a;
}

std::vector<plan> plans_of(case_of_reads const& a) {
    std::vector<plan> plans;
    for (auto const& part : a.parts) plans.push_back(plan_kernel_reads(part, reading::by_load));
    return plans;
}

TEST(kernel_reads, are_delivered_by_any_number_of_ranks) {
    for (int ranks : {1, 2, 3, 4, 7, 16, 17, 33})
        for (int c = 0; c < std::max(1, random_cases(60) / ranks) && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(1000 * ranks + c)};
            auto const a = random_messages_of(g, ranks);
            for (auto const& f : verify(plans_of(a), a.models)) ADD_FAILURE() << ranks << " ranks, case " << c << ": " << f.message;
        }
}

TEST(kernel_reads, need_all_of_their_words) {
    int changed = 0;
    for (int c = 0; c < 12; ++c) {
        generator g{static_cast<std::uint64_t>(c)};
        auto const a = random_messages_of(g, 3);
        auto const plans = plans_of(a);
        for (std::size_t r = 0; r < plans.size(); ++r)
            for (std::size_t i = 0; i < plans[r].descriptors.size(); ++i)
                for (bool const trigger : {true, false}) {
                    auto wrong = plans;
                    auto& word = trigger ? wrong[r].descriptors[i].trigger : wrong[r].descriptors[i].signal;
                    if (std::exchange(word, 0U) == 0) continue;
                    ++changed;
                    EXPECT_FALSE(verify(wrong, a.models).empty()) << "case " << c << ", rank " << r << ", descriptor " << i;
                }
    }
    EXPECT_GT(changed, 100);
}

TEST(kernel_reads, are_calls_in_the_order_of_the_messages) {
    generator g{7};
    for (auto const& part : random_messages_of(g, 5).parts) {
        auto const loads = plan_kernel_reads(part, reading::by_load), calls = plan_kernel_reads(part, reading::by_call);
        ASSERT_EQ(loads.descriptors.size(), calls.descriptors.size());
        std::vector<kernel_reads::message const*> of_others;
        for (auto const& m : part.gets)
            if (m.source != part.rank) of_others.push_back(&m);
        ASSERT_EQ(calls.calls.size(), of_others.size());
        std::size_t called = 0;
        for (std::size_t i = 0; i < loads.descriptors.size(); ++i) {
            auto const &load = loads.descriptors[i], &call = calls.descriptors[i];
            EXPECT_EQ(load.trigger, call.trigger);
            EXPECT_EQ(load.signal, call.signal);
            EXPECT_EQ(load.threshold, call.threshold);
            if (call.op != operation::call) {
                EXPECT_EQ(load.op, call.op);
                continue;
            }
            ++called;
            EXPECT_EQ(load.op, operation::copy);
            auto const& m = *of_others.at(call.argument);
            EXPECT_EQ(load.peer, m.source);
            EXPECT_EQ(calls.calls[call.argument].writes, m.to.where);
            EXPECT_EQ(reach_of(loads.programs[load.program]).target, m.to.where.extent());
        }
        EXPECT_EQ(called, of_others.size());
    }
}

} // namespace
} // namespace sode::internal::testing
