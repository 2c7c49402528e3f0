// SPDX-License-Identifier: Apache-2.0
// The same random exchanges between threads of one process, where the sanitizers see all sides, and devices of several ranks share
// an address space; what a job without a device says; how much memory there is.
#include "device_case.hpp"
#include "support/cases.hpp"
#include "support/message.hpp"
#include "support/with_variable.hpp"

#include <sode/threads.hpp>

#include <gmock/gmock.h>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(device_halo_threads, is_that_of_the_reference) {
    int const cases = random_cases(6);
    for (int n : {1, 2, 3, 4, 6})
        run_threads(n, [&](runtime& rt) {
            for (int c = 0; c < cases && !HasFailure(); ++c) run_device_case(rt, 815 + static_cast<std::uint64_t>(n), c);
        });
}

std::string makes_an_array(error_kind kind) {
    std::string text;
    run_threads(1, [&](runtime& rt) {
        grid<1> g{rt, {1000}};
        text = message([&] { return array<double, 1, sode::device>{g}, 0; }, kind);
    });
    return text;
}

TEST(device_settings, a_job_without_a_device_says_how_to_have_one) {
    {
        with_variable const none{"SODE_DEVICE", "none"};
        EXPECT_THAT(makes_an_array(error_kind::environment), HasSubstr("this rank has no device (SODE_DEVICE is none)"));
    }
    with_variable const far{"SODE_DEVICE", "cuda:60"};
    EXPECT_THAT(makes_an_array(error_kind::environment),
                ::testing::AnyOf(HasSubstr("this machine has no device"), HasSubstr("there is no device cuda:60")));
}

TEST(device_settings, memory_comes_to_an_end) {
    with_variable const device{"SODE_DEVICE", "emulated"};
    with_variable const room{"SODE_DEVICE_MEMORY", "64K"};
    run_threads(2, [&](runtime& rt) {
        grid<1> g{rt, {16000}};
        for (int again = 0; again < 3; ++again) array<double, 1, sode::device>{g}; // 64000 bytes, which come back
        array<double, 1, sode::device> const kept{g};
        EXPECT_THAT(message([&] { return array<double, 1, sode::device>{g}, 0; }, error_kind::environment),
                    AllOf(HasSubstr("no room for 62 KiB in the memory of emulated device 0 (64 KiB of 64 KiB are in use)"),
                          HasSubstr("SODE_DEVICE_MEMORY")));
    });
}

TEST(device_settings, ranks_take_devices_by_turns) {
    with_variable const device{"SODE_DEVICE", "emulated:2"};
    run_threads(
        3, [&](runtime& rt) { EXPECT_EQ(sode::stream{rt}.device_name(), "emulated device " + std::to_string(rt.rank() % 2)); });
}

TEST(device_settings, are_read_with_care) {
    auto const read = [](char const* value) {
        with_variable const device{"SODE_DEVICE", value};
        return message([] { return config::from_environment().device; });
    };
    EXPECT_EQ(read("emulated:3"), "no error");
    EXPECT_EQ(read("cuda:0"), "no error");
    EXPECT_THAT(read("emulated:0"), HasSubstr("SODE_DEVICE=emulated:0 is invalid"));
    EXPECT_THAT(read("emulate"), HasSubstr("did you mean \"emulated\"?"));
    EXPECT_THAT(read("none:1"), HasSubstr("is invalid"));
}

// With a real device it is the same, but for the words.
TEST(device_memory_death_test, a_host_that_touches_it_dies_and_is_told_why) {
    with_variable const device{"SODE_DEVICE", "emulated"};
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_DEATH(run_threads(1,
                             [](runtime& rt) {
                                 grid<1> g{rt, {100}};
                                 array<double, 1, sode::device> u{g};
                                 sode::stream s{rt};
                                 loop(s, u.all(), [v = u.view()](index_t i) { v(i) = 1; });
                                 s.synchronize();
                                 u.view()(7) = 2;
                             }),
                 "the host has accessed device memory");
}

} // namespace
} // namespace sode::internal::testing
