// SPDX-License-Identifier: Apache-2.0
// The same random memory between threads of one process, where the sanitizers see both sides.
#include "array/attach_case.hpp"

#include <sode/threads.hpp>

namespace sode::internal::testing {
namespace {

TEST(random_attach_threads, every_channel_brings_every_element_and_nothing_else) {
    for (int ranks : {1, 2, 3, 4, 6})
        run_threads(ranks, [&](runtime& rt) {
            for (int c = 0; c < 10 && !HasFailure(); ++c) run_random_attach(rt, 815 + static_cast<std::uint64_t>(ranks), c);
        });
}

} // namespace
} // namespace sode::internal::testing
