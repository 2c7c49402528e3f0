// SPDX-License-Identifier: Apache-2.0
// Random reverse exchanges between threads of one process, where the sanitizers see both sides.
#include "array/reverse_case.hpp"
#include "support/cases.hpp"

#include <sode/threads.hpp>

namespace sode::internal::testing {
namespace {

TEST(reverse_threads, combines_every_copy) {
    int const cases = random_cases(15);
    for (int ranks : {1, 2, 3, 4, 6})
        run_threads(ranks, [&](runtime& rt) {
            for (int c = 0; c < cases && !HasFailure(); ++c) run_random_reverse(rt, 997 + static_cast<std::uint64_t>(ranks), c);
        });
}

// A buffered array is pulled from without acknowledgement; that reverse() writes to the same half is safe all the same.
TEST(reverse_threads, follows_an_unacknowledged_pull) {
    for (int ranks : {2, 4, 6})
        run_threads(ranks, [&](runtime& rt) {
            grid<2> g{rt, {4 * rt.size(), 4 * rt.size()}};
            buffered<int, 2> u{g, shadow{1}, 0, "u"};
            auto halo = reflect_init({.corners = true, .periodic = true, .channel = "pull"}, u);
            auto const mine = u.owned(), all = u.allocated();
            auto const distant = [](index_t i, index_t lower, index_t upper) { return i != lower && i + 1 != upper; };
            for (int step = 1; step <= 40; ++step, u.flip()) {
                auto const v = u.now();
                for (auto const& [i, j] : mine) v(i, j) = step;
                halo();
                for (auto const& [i, j] : all) ASSERT_EQ(v(i, j), step);
                halo.reverse(sode::sum);
                for (auto const& [i, j] : mine) {
                    bool const inside_i = distant(i, mine.lower[0], mine.upper[0]);
                    bool const inside_j = distant(j, mine.lower[1], mine.upper[1]);
                    // Copies: of an edge one, of a corner three.
                    ASSERT_EQ(v(i, j), step * (inside_i ? 1 : 2) * (inside_j ? 1 : 2));
                }
            }
        });
}

} // namespace
} // namespace sode::internal::testing
