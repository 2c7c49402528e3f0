// SPDX-License-Identifier: Apache-2.0
// collect() with ranks that ask for different parts: each is told so.
#include <sode/collect.hpp>
#include <sode/grid.hpp>
#include <sode/threads.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace sode::internal::testing {
namespace {

TEST(CollectAgreement, RanksThatDisagreeAreToldSo) {
    setenv("SODE_CHECK", "collective", 1);
    auto const collect_as = [](auto part_of, auto root_of) {
        run_threads(3, [&](runtime& rt) {
            grid<1> const g{rt, {30}};
            array<int, 1> const a{g};
            static_cast<void>(collect(a, part_of(rt.rank()), root_of(rt.rank())));
        });
    };
    auto const whole = [](int) { return box<1>{{0}, {30}}; };
    auto const first = [](int) { return 0; };
    auto const differ = [&](auto part_of, auto root_of) {
        try {
            collect_as(part_of, root_of);
        } catch (error const& e) {
            return e.kind() == error_kind::usage && std::string{e.what()}.find("collect different parts") != std::string::npos;
        }
        return false;
    };
    EXPECT_NO_THROW(collect_as(whole, first));
    EXPECT_TRUE(differ(whole, [](int rank) { return rank == 1 ? 1 : 0; }));
    EXPECT_TRUE(differ([](int rank) { return box<1>{{0}, {30 - rank}}; }, first));
    unsetenv("SODE_CHECK");
}

} // namespace
} // namespace sode::internal::testing
