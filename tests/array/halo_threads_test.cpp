// SPDX-License-Identifier: Apache-2.0
// The same random exchanges between threads of one process, where the sanitizers see both sides of every copy.
#include "array/exchange_case.hpp"
#include "support/cases.hpp"

#include <sode/threads.hpp>

namespace sode::internal::testing {
namespace {

TEST(random_halo_threads, every_channel_brings_every_element) {
    int const cases = random_cases(15);
    for (int ranks : {1, 2, 3, 4, 6})
        run_threads(ranks, [&](runtime& rt) {
            for (int c = 0; c < cases && !HasFailure(); ++c) run_random_case(rt, 4711 + static_cast<std::uint64_t>(ranks), c);
        });
}

TEST(random_halo_threads, a_rank_that_throws_ends_the_others) {
    EXPECT_THROW(run_threads(3,
                             [](runtime& rt) {
                                 grid<1> g{rt, {30}};
                                 array<double, 1> u{g, shadow{1}, 0.0, "u"};
                                 auto halo = reflect_init({.periodic = true}, u);
                                 for (int i = 0; i < 100; ++i) {
                                     if (rt.rank() == 1 && i == 50) throw std::runtime_error{"enough"};
                                     halo();
                                 }
                             }),
                 std::runtime_error);
}

} // namespace
} // namespace sode::internal::testing
