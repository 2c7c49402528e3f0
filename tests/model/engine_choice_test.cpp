// SPDX-License-Identifier: Apache-2.0
// Engines beside the ranks are chosen where processors are spare, for plans that move enough, and for no others.
#include "model/engine_choice.hpp"

#include "engine/one_rank.hpp"
#include "engine/prepared.hpp"
#include "plan/builder.hpp"
#include "support/late_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace sode::internal {
namespace {

using ::testing::HasSubstr;

machine_share share_of(int ranks, std::string const& used) {
    return {ranks, ranks, processor_set::parse(used)};
}

TEST(engine_choice, processors_are_spare_that_are_declared_and_not_used) {
    EXPECT_EQ(lacks_spare_processors("4-7", share_of(4, "0-3")), "");
    EXPECT_THAT(lacks_spare_processors("", share_of(1, "0")), HasSubstr("names none"));
    EXPECT_THAT(lacks_spare_processors("4-6", share_of(4, "0-3")), HasSubstr("names 3, for 4 ranks"));
    EXPECT_THAT(lacks_spare_processors("3-6", share_of(4, "0-3")), HasSubstr("may also run on processor 3"));
}

TEST(engine_choice, several_spare_processors_are_several_interfaces) {
    EXPECT_EQ(spare_for_each_rank("4-7", share_of(4, "0-3")), 1);
    EXPECT_EQ(spare_for_each_rank("4-11", share_of(4, "0-3")), 2);
    EXPECT_EQ(spare_for_each_rank("4-63", share_of(2, "0-3")), 4);
}

TEST(engine_choice, a_hand_over_costs_a_tenth) {
    profile costs;
    auto const before = bytes_worth_an_engine(costs);
    EXPECT_GT(before, 0);
    costs.of(distance::near).memory.flag *= 2;
    EXPECT_EQ(bytes_worth_an_engine(costs), 2 * before);
    costs.of(distance::near).memory.stream_byte *= 4;
    EXPECT_EQ(bytes_worth_an_engine(costs), before / 2);
}

// Machines that nobody has: the more work there is beside, the smaller what is handed over.
TEST(engine_choice, overlap_that_is_asked_for_lowers_the_amount) {
    profile costs;
    auto const all = bytes_worth_an_engine(costs, 1), half = bytes_worth_an_engine(costs, 0.5);
    EXPECT_NEAR(static_cast<double>(half), 2.0 * static_cast<double>(all), 2);
    EXPECT_EQ(bytes_worth_an_engine(costs, 0), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(bytes_worth_an_engine(costs, 1e-300), std::numeric_limits<std::int64_t>::max());
    EXPECT_LT(all, bytes_worth_an_engine(costs)) << "nobody has said";
    costs.of(distance::near).memory.flag = 0;
    EXPECT_EQ(bytes_worth_an_engine(costs, 1), 1);
    // Two processors for two ranks: nothing is spare, whatever is asked for.
    EXPECT_THAT(lacks_spare_processors("0-1", share_of(2, "0-1")), HasSubstr("may also run on processor 0"));
}

class chosen_by_bytes : public ::testing::Test, protected testing::one_rank {
protected:
    chosen_by_bytes() : one_rank(8192) {}

    // 10 copies of 100 B in a loop, and one of 24 B.
    std::string runs(std::int64_t worth, executor e = {}) {
        plan_builder b{"copies", 0, 1};
        auto const s = b.add_stream(-1, e);
        auto const array = b.add(buffer{.host = 0, .bytes = 8192});
        b.emit(s, operation::loop).argument = 10;
        b.copy(s, operation::copy, array, array, compile(contiguous(0, 100), contiguous(4096, 100)));
        b.emit(s, operation::end_loop);
        b.copy(s, operation::copy, array, array, compile(contiguous(0, 24), contiguous(6000, 24)));
        auto around = this->around();
        around.engines = &late_;
        around.worth_engines = worth;
        bound_array const arrays[] = {{{array_, nullptr}}};
        prepared run{b.finish(), around, {.arrays = arrays, .fingerprint = 1}};
        run.start();
        run.wait();
        return run.explain();
    }
    testing::late_engines late_;
};

TEST_F(chosen_by_bytes, what_moves_enough_is_handed_over) {
    EXPECT_THAT(runs(1024), HasSubstr("engine: late\n"));
    EXPECT_EQ(late_.started, 1);
    EXPECT_THAT(runs(1025), HasSubstr("engine: inline (it moves 1024 B, and late is faster only from 1025 B on)"));
    EXPECT_EQ(late_.started, 1);
    EXPECT_THAT(runs(0), HasSubstr("engine: late\n"));
    EXPECT_THAT(runs(5000, {executor_kind::thread, 0}), HasSubstr("engine: late\n")) << "nobody else has that executor";
}

} // namespace
} // namespace sode::internal
