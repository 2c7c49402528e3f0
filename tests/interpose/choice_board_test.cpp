// SPDX-License-Identifier: Apache-2.0
// What ranks of a machine tell each other of messages.
#include "interpose/transport/choice_board.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace sode::internal::interpose {
namespace {

using entries = std::array<choice_board::entry, choice_board::places>;

measured_choice choice(std::uint64_t pattern, double ns) {
    measured_choice c{.pattern = pattern, .ns = {}, .bytes = 64, .rows = 8, .far = true};
    c.ns.fill(ns);
    return c;
}

TEST(ChoiceBoard, TellsTheOthers) {
    auto const shared = std::make_unique<entries>();
    choice_board one{*shared}, other{*shared};
    EXPECT_FALSE(other.find(5));
    one.put(choice(5, 1000));
    one.put(choice(5 + choice_board::places, 2000)); // belongs to the same place
    EXPECT_EQ(other.find(5), choice(5, 1000));
    EXPECT_EQ(other.find(5 + choice_board::places), choice(5 + choice_board::places, 2000));
    other.put(choice(5, 3000));
    EXPECT_EQ(one.find(5), choice(5, 3000));
    EXPECT_EQ(one.all().size(), 2U);
}

TEST(ChoiceBoard, OfNobodyForgets) {
    choice_board board;
    board.put(choice(5, 1));
    EXPECT_FALSE(board.find(5));
    EXPECT_TRUE(board.all().empty());
}

TEST(ChoiceBoard, ThatIsFullTakesNoMore) {
    auto const shared = std::make_unique<entries>();
    choice_board board{*shared};
    for (std::uint64_t i = 0; i < 100; ++i) board.put(choice(1 + i * choice_board::places, 1));
    EXPECT_LT(board.all().size(), 100U);
    EXPECT_TRUE(board.find(1));
}

TEST(ChoiceBoard, NobodyReadsWhatIsHalfWritten) {
    auto const shared = std::make_unique<entries>();
    choice_board board{*shared};
    auto const write = [&](std::stop_token const& end) {
        for (int i = 1; !end.stop_requested(); ++i) board.put(choice(7, i % 1000 + 1));
    };
    std::jthread const a{write}, b{write};
    for (int i = 0; i < 100'000; ++i) {
        auto const c = board.find(7);
        if (!c) continue;
        for (double const ns : c->ns) ASSERT_EQ(ns, c->ns[0]);
    }
}

} // namespace
} // namespace sode::internal::interpose
