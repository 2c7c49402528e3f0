// SPDX-License-Identifier: Apache-2.0
// Memory of random layouts, exchanged by every channel.
#include "array/attach_case.hpp"
#include "support/cases.hpp"
#include "support/ranks.hpp"

namespace sode::internal::testing {
namespace {

TEST(random_attach, every_channel_brings_every_element_and_nothing_else) {
    auto& rt = ranks();
    int const cases = random_cases(ranks().size() <= 4 ? 120 : 40);
    std::uint64_t const seed = 20260301 + static_cast<std::uint64_t>(rt.size());
    if (rt.root()) std::printf("%d cases, seed %lu\n", cases, static_cast<unsigned long>(seed));
    for (int c = 0; c < cases && !HasFailure(); ++c) run_random_attach(rt, seed, c);
}

} // namespace
} // namespace sode::internal::testing
