// SPDX-License-Identifier: Apache-2.0
// Random messages between the ranks of a job, by every channel.
#include "array/messages_case.hpp"
#include "support/cases.hpp"
#include "support/ranks.hpp"

namespace sode::internal::testing {
namespace {

TEST(random_messages, arrive_by_every_channel) {
    auto& rt = ranks();
    int const cases = random_cases(ranks().size() <= 4 ? 60 : 20);
    std::uint64_t const seed = 20261120 + static_cast<std::uint64_t>(rt.size());
    if (rt.root()) std::printf("%d cases, seed %lu\n", cases, static_cast<unsigned long>(seed));
    for (int c = 0; c < cases && !HasFailure(); ++c) run_random_messages(rt, seed, c);
}

} // namespace
} // namespace sode::internal::testing
