// SPDX-License-Identifier: Apache-2.0
// Random fields, decompositions and boundary conditions, exchanged by every channel and in reverse, against a serial model.
#include "array/boundary_case.hpp"
#include "support/cases.hpp"
#include "support/ranks.hpp"

namespace sode::internal::testing {
namespace {

TEST(random_boundary, ghost_elements_hold_what_one_rank_would_put_there) {
    auto& rt = ranks();
    int const cases = random_cases(rt.size() <= 4 ? 100 : rt.size() <= 8 ? 40 : 10);
    std::uint64_t const seed = 20260401 + static_cast<std::uint64_t>(rt.size());
    if (rt.root()) std::printf("%d cases, seed %lu\n", cases, static_cast<unsigned long>(seed));
    for (int c = 0; c < cases && !HasFailure(); ++c) run_boundary_case(rt, seed, c);
}

} // namespace
} // namespace sode::internal::testing
