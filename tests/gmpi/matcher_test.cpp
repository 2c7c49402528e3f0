// SPDX-License-Identifier: Apache-2.0
// Messages and receives meet in the order of both, for each rank, tag and communicator, whichever comes first: as a plain list has
// it.
#include "gmpi/matcher.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <random>
#include <utility>

namespace sode::internal::testing {

using namespace kernels;

TEST(GmpiMatcher, AsAListHasIt) {
    int const cases = random_cases(300);
    for (int seed = 1; seed <= cases; ++seed) {
        std::mt19937 random(static_cast<unsigned>(seed));
        auto const pick = [&](unsigned n) { return static_cast<int>(random() % n); };
        matcher m;
        std::list<std::pair<envelope, std::uint32_t>> receives, messages;
        for (std::uint32_t i = 1; i <= 200; ++i) {
            envelope const of{static_cast<std::uint16_t>(pick(2)), pick(3), static_cast<std::uint32_t>(pick(2))};
            auto const is_same = [&](auto const& one) { return one.first == of; };
            if (pick(40) == 0) {
                auto const given_up = m.give_up(of.peer);
                auto const before = receives.size();
                receives.remove_if([&](auto const& one) { return one.first.peer == of.peer; });
                ASSERT_EQ(given_up.size(), before - receives.size()) << "seed " << seed;
            } else if (pick(2) == 0) {
                auto const found = m.match(of, {goal::request(i), nullptr, 0});
                auto const expected = std::ranges::find_if(messages, is_same);
                ASSERT_EQ(found.has_value(), expected != messages.end()) << "seed " << seed;
                if (!found) {
                    receives.emplace_back(of, i);
                    continue;
                }
                ASSERT_EQ(found->said.from, expected->second) << "seed " << seed;
                messages.erase(expected);
            } else {
                auto const found = m.match(of);
                auto const expected = std::ranges::find_if(receives, is_same);
                ASSERT_EQ(found.has_value(), expected != receives.end()) << "seed " << seed;
                if (!found) {
                    m.keep(of, {.said = {.from = i}});
                    messages.emplace_back(of, i);
                    continue;
                }
                ASSERT_EQ(found->whose.number, expected->second) << "seed " << seed;
                receives.erase(expected);
            }
            ASSERT_EQ(m.waiting(), receives.size());
            ASSERT_EQ(m.kept(), messages.size());
        }
    }
    std::printf("%d cases\n", cases);
}

} // namespace sode::internal::testing
