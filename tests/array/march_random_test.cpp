// SPDX-License-Identifier: Apache-2.0
// Random marches, several steps at a time, against single steps: the same bits in both halves of every field.
#include "array/march_case.hpp"
#include "support/cases.hpp"
#include "support/ranks.hpp"

namespace sode::internal::testing {
namespace {

TEST(random_march, several_steps_at_a_time_are_the_same_bits) {
    auto& rt = ranks();
    int const cases = random_cases(rt.size() <= 4 ? 50 : 20);
    std::uint64_t const seed = 20261125 + static_cast<std::uint64_t>(rt.size());
    int tiled = 0, overlaps = 0, handed = 0;
    for (int c = 0; c < cases && !HasFailure(); ++c) {
        auto const told = run_march_case(rt, seed, c);
        tiled += told.tiled ? 1 : 0;
        overlaps += told.overlaps ? 1 : 0;
        handed += told.handed ? 1 : 0;
    }
    if (rt.root())
        std::printf("%d cases, seed %lu, %d of them several steps at a time, %d with an exchange under way, %d with rows handed\n",
                    cases, static_cast<unsigned long>(seed), tiled, overlaps, handed);
    if (!HasFailure()) {
        EXPECT_GE(tiled, cases / 5);
        // By levels_cost_nothing.json the model always hands rows, where it is possible.
        if (rt.size() > 1 && rt.job().costs.name == "levels cost nothing") {
            EXPECT_GE(handed, cases / 10);
        }
    }
}

} // namespace
} // namespace sode::internal::testing
