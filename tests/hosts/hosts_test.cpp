// SPDX-License-Identifier: Apache-2.0
// Ranks on several hosts: what they know of each other, and that both ways, by memory and by messages, are in use.
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

namespace sode::internal::testing {
namespace {

int hosts() {
    char const* const text = std::getenv("TEST_HOSTS");
    return text != nullptr ? std::atoi(text) : 1;
}

TEST(hosts, each_is_a_machine) {
    std::string const machines = hosts() == 1 ? "1 machine," : fmt::format("{} machines,", hosts());
    EXPECT_THAT(ranks().describe(), ::testing::HasSubstr(machines));
}

TEST(hosts, neighbours_of_other_hosts_send_messages) {
    auto& rt = ranks();
    int const on_host = rt.size() / hosts();
    grid<1> g{rt, {index_t{64} * rt.size()}};
    array<double, 1> u{g, shadow{1}, 0.0, "u"};
    auto halo = reflect_init(u);
    bool const messages = hosts() > 1 && (rt.rank() % on_host == 0 || rt.rank() % on_host == on_host - 1) &&
                          // The ends of the line have no neighbour beyond them.
                          (on_host > 1 ? rt.rank() != 0 && rt.rank() != rt.size() - 1 : rt.size() > 1);
    EXPECT_EQ(halo.explain().find(" mpi ") != std::string::npos, messages) << halo.explain();

    loop(g.all(), [a = u.view()](auto i) { a(i) = static_cast<double>(i); });
    halo();
    auto const wrong = reduce(g.inner(), 0, sum, [a = u.view()](auto i) {
        return a(i - 1) == static_cast<double>(i - 1) && a(i + 1) == static_cast<double>(i + 1) ? 0 : 1;
    });
    EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace sode::internal::testing
