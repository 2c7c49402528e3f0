// SPDX-License-Identifier: Apache-2.0
// Random copies between random distributions over the ranks of a job, by every channel.
#include "array/copy_case.hpp"
#include "support/cases.hpp"
#include "support/ranks.hpp"

namespace sode::internal::testing {
namespace {

TEST(random_copy, every_channel_brings_every_element) {
    auto& rt = ranks();
    int const cases = random_cases(ranks().size() <= 4 ? 120 : 40);
    std::uint64_t const seed = 20260301 + static_cast<std::uint64_t>(rt.size());
    if (rt.root()) std::printf("%d cases, seed %lu\n", cases, static_cast<unsigned long>(seed));
    for (int c = 0; c < cases && !HasFailure(); ++c) run_random_copy(rt, seed, c);
}

} // namespace
} // namespace sode::internal::testing
