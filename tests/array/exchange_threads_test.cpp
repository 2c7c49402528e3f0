// SPDX-License-Identifier: Apache-2.0
// The same random messages between threads of one process, where the sanitizers see both sides.
#include "array/messages_case.hpp"
#include "support/cases.hpp"

#include <sode/threads.hpp>

namespace sode::internal::testing {
namespace {

TEST(random_messages_threads, arrive_by_every_channel) {
    int const cases = random_cases(15);
    for (int ranks : {1, 2, 3, 4, 6, 8})
        run_threads(ranks, [&](runtime& rt) {
            for (int c = 0; c < cases && !HasFailure(); ++c) run_random_messages(rt, 7919 + static_cast<std::uint64_t>(ranks), c);
        });
}

} // namespace
} // namespace sode::internal::testing
