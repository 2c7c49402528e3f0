// SPDX-License-Identifier: Apache-2.0
// verify() is content with correct plans, on any number of ranks and over many epochs, and fast.
#include "plan/toy_plans.hpp"

#include <gtest/gtest.h>

#include <ctime>

namespace sode::internal {
namespace {

std::string listed(std::vector<finding> const& findings) {
    std::string text;
    for (auto const& f : findings) text += std::string{to_string(f.kind)} + ": " + f.message + "\n";
    return text;
}

struct toy_case {
    char const* name;
    toy::job (*make)(int ranks);
};
void PrintTo(toy_case const& c, std::ostream* out) {
    *out << c.name;
}

class toys : public testing::TestWithParam<toy_case> {};

TEST_P(toys, are_clean_on_any_number_of_ranks) {
    for (int ranks : {1, 2, 3, 8, 127}) {
        auto const j = GetParam().make(ranks);
        auto const findings = verify(j.plans, j.arrays);
        EXPECT_TRUE(findings.empty()) << ranks << " ranks\n" << listed(findings);
    }
}

TEST_P(toys, are_clean_over_many_epochs) {
    auto const j = GetParam().make(3);
    auto const findings = verify(j.plans, j.arrays, {.epochs = 9});
    EXPECT_TRUE(findings.empty()) << listed(findings);
}

INSTANTIATE_TEST_SUITE_P(all, toys,
                         testing::Values(toy_case{"ring_pull", [](int p) { return toy::ring_pull(p); }},
                                         toy_case{"ring_staged", toy::ring_staged}, toy_case{"ring_two_ways", toy::ring_two_ways},
                                         toy_case{"ring_in_line", toy::ring_in_line}, toy_case{"ring_buffered", toy::ring_buffered},
                                         toy_case{"ring_joined", toy::ring_joined}, toy_case{"chain_pipeline", toy::chain_pipeline},
                                         toy_case{"conveyor", toy::conveyor}, toy_case{"carousel", toy::carousel},
                                         toy_case{"one_slot", [](int p) { return toy::epochs_ahead(p, 1); }},
                                         toy_case{"two_slots", [](int p) { return toy::epochs_ahead(p, 2); }},
                                         toy_case{"three_slots", [](int p) { return toy::epochs_ahead(p, 3); }},
                                         toy_case{"four_slots", [](int p) { return toy::epochs_ahead(p, 4); }},
                                         toy_case{"couriers", toy::couriers}, toy_case{"ring_put", toy::ring_put},
                                         toy_case{"parcels", toy::parcels}, toy_case{"scan", toy::scan},
                                         toy_case{"allreduce", toy::allreduce}, toy_case{"sum_by_chunks", toy::sum_by_chunks}),
                         [](auto const& instance) { return std::string{instance.param.name}; });

// A source that runs one epoch too far ahead is found out by as many epochs as that takes, whatever was asked for.
TEST(verify, proves_as_many_slots_as_there_are) {
    for (std::uint16_t const slots : std::initializer_list<std::uint16_t>{1, 2, 3, 4, 9, 62}) {
        auto j = toy::epochs_ahead(2, slots);
        EXPECT_TRUE(verify(j.plans, j.arrays, {.epochs = 1}).empty()) << slots << " slots";
        for (auto& d : j.plans[0].descriptors)
            if (d.op == operation::pack) --d.threshold;
        EXPECT_FALSE(verify(j.plans, j.arrays, {.epochs = 1}).empty()) << slots << " slots";
    }
}

TEST(verify, refuses_slots_that_are_none_or_too_many) {
    for (std::uint16_t const slots : std::initializer_list<std::uint16_t>{0, 63, 65535})
        for (bool const of_counter : {false, true}) {
            auto j = toy::epochs_ahead(2, 2);
            auto& p = j.plans[1];
            (of_counter ? p.counters[2].slots : p.buffers[1].slots) = slots;
            auto const findings = verify(j.plans, j.arrays);
            ASSERT_FALSE(findings.empty()) << slots;
            EXPECT_EQ(findings.front().kind, finding::type::malformed) << listed(findings);
        }
}

TEST(verify, takes_seconds_for_127_ranks_with_27_streams) {
    auto const j = toy::ring_pull(127, 13);
    ASSERT_EQ(j.plans.front().streams.size(), 27U);
    auto const begin = std::clock(); // processor time: the machine may be busy with other tests
    auto const findings = verify(j.plans, j.arrays);
    auto const seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_TRUE(findings.empty()) << listed(findings);
    EXPECT_LT(seconds, 10); // 0.1 s without sanitizers
}

TEST(verify, has_nothing_to_say_about_nothing) {
    EXPECT_TRUE(verify({}, {}).empty());
}

TEST(verify, plan_without_streams_is_legal) {
    plan p;
    p.counters.emplace_back();
    std::vector<std::vector<array_model>> const arrays{{}};
    EXPECT_TRUE(verify({&p, 1}, arrays).empty());
}

} // namespace
} // namespace sode::internal
