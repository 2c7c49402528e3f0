// SPDX-License-Identifier: Apache-2.0
// The same random copies between threads of one process, where the sanitizers see both sides.
#include "array/copy_case.hpp"
#include "base/message.hpp"
#include "support/cases.hpp"

#include <sode/grid.hpp>
#include <sode/threads.hpp>

namespace sode::internal::testing {
namespace {

TEST(random_copy_threads, every_channel_brings_every_element) {
    int const cases = random_cases(15);
    for (int ranks : {1, 2, 3, 4, 6, 8})
        run_threads(ranks, [&](runtime& rt) {
            for (int c = 0; c < cases && !HasFailure(); ++c) run_random_copy(rt, 5077 + static_cast<std::uint64_t>(ranks), c);
        });
}

TEST(copy_threads, have_no_messages) {
    run_threads(2, [](runtime& rt) {
        array<int, 1> a{grid<1>{rt, {8}}, {}, 0, "a"}, b{grid<1>{rt, {8}}, {}, 0, "b"};
        try {
            copy(b, a, {.channel = "mpi"});
            ADD_FAILURE() << "went by channel mpi";
        } catch (error const& e) {
            EXPECT_STREQ(quoted(e.what()).data(),
                         "copy of \"a\" to \"b\" cannot use channel mpi (ranks started by threads cannot send messages)\n"
                         "  start the program with mpirun, or select another channel");
        }
    });
}

} // namespace
} // namespace sode::internal::testing
