// SPDX-License-Identifier: Apache-2.0
#include "datatypes/places.hpp"
#include "support/limit.hpp"
#include "support/race.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sode::internal::bench {
namespace {

TEST(TouchedLines, CountsEveryLineOnce) {
    EXPECT_EQ(touched_lines({}), 0);
    EXPECT_EQ(touched_lines({{0, 64}}), 1);
    EXPECT_EQ(touched_lines({{60, 8}}), 2) << "across a boundary";
    EXPECT_EQ(touched_lines({{0, 8, 100, 16}}), 25) << "four blocks a line";
    EXPECT_EQ(touched_lines({{0, 8, 100, 128}}), 100) << "a block a line";
    EXPECT_EQ(touched_lines({{0, 0, 5, 64}}), 0) << "blocks of nothing";
    EXPECT_EQ(touched_lines({{640, 64}, {0, 128}, {32, 64}, {0, 64 * 11}}), 11) << "in any order, and overlapping";
}

TEST(TouchedLines, OfAMatrixTransposedByHalfLines) {
    // Every other half line of the sender, every half line of the receiver: the same bytes.
    places const sent{{0, 32, 100, 64}}, received{{0, 32, 100, 32}};
    EXPECT_EQ(total_bytes(sent), total_bytes(received));
    EXPECT_EQ(touched_lines(sent), 100);
    EXPECT_EQ(touched_lines(received), 50);
}

/// Alone: the barrier of one rank.
class one_rank {
public:
    one_rank() : memory_(control::bytes(1)) {}
    [[nodiscard]] control& shared() { return control_; }

private:
    std::vector<char> memory_;
    control control_{memory_.data(), 0, 1, false};
};

TEST(TimedPhases, RunsEveryPhaseInOrderAndLetsRanksMeetAfterEach) {
    one_rank alone;
    tick_rate const rate;
    std::vector<int> order;
    EXPECT_GE(timed_phases(rate, alone.shared(), 3, [&](int p) { order.push_back(p); }), 0);
    EXPECT_EQ(order, (std::vector{0, 1, 2}));
}

/// Counts in which way it is run.
class counted final : public subject {
public:
    [[nodiscard]] std::string const& name() const noexcept override { return name_; }
    void rewrite(std::uint64_t round, bool /*everything*/) override { written_ = round; }
    void exchange() override { ADD_FAILURE() << "a limit is run by its phases"; }
    [[nodiscard]] double timed(tick_rate const& rate, control& shared) override {
        return timed_phases(rate, shared, 2, [this](int p) { delivered_ = p == 0 ? 0 : written_; });
    }
    void poison() override { delivered_ = 0; }
    [[nodiscard]] long mismatches(std::uint64_t round) override { return delivered_ == round ? 0 : 1; }

private:
    std::string name_ = "limit:counted";
    std::uint64_t written_ = 0, delivered_ = 0;
};

TEST(Race, ChecksWhatALimitDelivers) {
    one_rank alone;
    tick_rate const rate;
    race r{alone.shared(), rate, false};
    counted limit;
    EXPECT_EQ(r.verify(limit), 0);
    EXPECT_EQ(r.block(limit, 9).where, regime::unprobed);
    EXPECT_EQ(r.wrong(), 0);
}

} // namespace
} // namespace sode::internal::bench
