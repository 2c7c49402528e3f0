// SPDX-License-Identifier: Apache-2.0
// Programs that read a halo wrongly are told which array, which element and which exchange.
#include "run.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace sode::internal::testing {
namespace {

struct mistake {
    std::string name, message; ///< a regular expression for the whole line
};

class WrongHalo : public ::testing::TestWithParam<mistake> {};
INSTANTIATE_TEST_SUITE_P(
    Mistakes, WrongHalo,
    ::testing::Values(
        mistake{
            "missing",
            R"(sode: error: rank \d: halo element \(\d+, \d+\) of array "temperature" is stale on rank \d \(this halo has never been exchanged\)\n  .*)"
            R"(reflect_init.*)"},
        mistake{
            "wide",
            R"(sode: error: rank \d: element \(\d+, \d+\) of array "temperature" is not on rank \d \(the owner is rank \d; .*\)\n  )"
            R"(give the array a wider shadow and exchange its halo.*)"},
        mistake{"stale", R"(sode: error: rank \d: halo element \(\d+, \d+\) of array "temperature" is stale on rank \d )"
                         R"(\(the array was written since its last exchange\)\n  run the exchange of the array again.*)"},
        mistake{"corner", R"(sode: error: rank \d: halo element \(\d+, \d+\) of array "temperature" is stale on rank \d )"
                          R"(\(the last exchange omitted corners\)\n  plan the exchange with \{\.corners = true\}.*)"}),
    [](auto const& one) { return one.param.name; });

TEST_P(WrongHalo, IsNamed) {
    auto const r = run(on_ranks(4, {"env", "SODE_CHECK=halo", WRONG_HALO, GetParam().name}));
    EXPECT_EQ(r.status, 1) << r.err;
    EXPECT_TRUE(std::regex_search(r.err, std::regex{GetParam().message})) << r.err;
}

TEST(WrongHaloControl, UncheckedProgramsRun) {
    for (auto const* const name : {"missing", "stale", "corner"}) {
        auto const r = run(on_ranks(4, {WRONG_HALO, name}));
        EXPECT_EQ(r.status, 0) << r.err;
    }
}

TEST(WrongHaloControl, TheRightProgramPasses) {
    for (int const ranks : {1, 3, 4}) {
        auto const r = run(on_ranks(ranks, {"env", "SODE_CHECK=halo", WRONG_HALO, "right"}));
        EXPECT_EQ(r.status, 0) << r.err;
        EXPECT_EQ(r.err, "");
    }
}

} // namespace
} // namespace sode::internal::testing
