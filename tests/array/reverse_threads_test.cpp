// SPDX-License-Identifier: Apache-2.0
// Random reverse exchanges between threads of one process, where the sanitizers see both sides.
#include "array/reverse_case.hpp"

#include <sode/threads.hpp>

#include <cstdlib>

namespace sode::testing {
namespace {

TEST(reverse_threads, combines_every_copy) {
    auto const* const more = std::getenv("TEST_CASES");
    int const cases = more ? std::atoi(more) : 15;
    for (int ranks : {1, 2, 3, 4, 6})
        run_threads(ranks, [&](runtime& rt) {
            for (int c = 0; c < cases && !HasFailure(); ++c) run_random_reverse(rt, 997 + static_cast<std::uint64_t>(ranks), c);
        });
}

} // namespace
} // namespace sode::testing
