// SPDX-License-Identifier: Apache-2.0
// The registry of ways: each has a name of its own, docs/environment.md names all of them and no other, and what is forced on an
// edge that cannot go so ends at a way that can, or with the model.
#include "channel/ways.hpp"

#include <sode/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

namespace sode::internal {
namespace {

std::set<std::string> names() {
    std::set<std::string> all;
    for (auto const* w : all_ways()) all.emplace(w->name());
    return all;
}

TEST(ways, are_known_by_their_names) {
    EXPECT_EQ(names().size(), all_ways().size());
    for (auto const* w : all_ways()) {
        EXPECT_EQ(way_named(w->name()), w);
        EXPECT_THAT(names_of_ways(), testing::HasSubstr(std::string{w->name()}));
    }
    EXPECT_EQ(way_named("pigeon"), nullptr);
    EXPECT_EQ(way_named(""), nullptr);
}

TEST(ways, that_are_none_are_refused_with_those_that_are) {
    auto const said = [](std::string_view name) -> std::string {
        try {
            static_cast<void>(required_way(name, "SODE_CHANNEL asks for it"));
        } catch (error const& e) {
            EXPECT_EQ(e.kind(), error_kind::usage);
            return e.what();
        }
        return {};
    };
    EXPECT_EQ(&required_way("pull", ""), &ways::pull);
    EXPECT_THAT(
        said("carrier-pigeon"),
        testing::HasSubstr("unknown channel \"carrier-pigeon\" (SODE_CHANNEL asks for it)\n  the channels are " + names_of_ways()));
    EXPECT_THAT(said("stage-wine"), testing::HasSubstr("did you mean \"stage-wide\"?"));
}

TEST(ways, are_documented) {
    std::ifstream page{SODE_SOURCE_DIR "/docs/environment.md"};
    std::set<std::string> described;
    bool in_table = false;
    for (std::string line; std::getline(page, line);) {
        in_table = line.starts_with("| Channel |") || (in_table && line.starts_with("|"));
        if (!in_table || !line.starts_with("| `")) continue;
        auto const end = line.find('`', 3);
        described.insert(line.substr(3, end - 3));
    }
    EXPECT_EQ(described, names());
}

// Every kind of edge, between two ranks.
std::vector<edge_features> some_edges() {
    std::vector<edge_features> all;
    for (auto const apart : {distance::near, distance::far, distance::other_machine})
        for (bool const shared : {false, true})
            for (std::int64_t const chunks : {0, 4})
                for (std::int64_t const together : {0, 32, 4096})
                    for (bool const on_device : {false, true})
                        all.push_back({.bytes = 32,
                                       .rows = 4,
                                       .row_bytes = 8,
                                       .pitch = 64,
                                       .apart = apart,
                                       .shared = shared,
                                       .chunks = chunks,
                                       .on_device = on_device,
                                       .together = together});
    return all;
}

TEST(ways, know_who_takes_what_they_cannot) {
    for (auto const& e : some_edges())
        for (auto const* forced : all_ways()) {
            std::set<way const*> tried;
            auto const* w = forced;
            while (w && !w->can(e)) {
                ASSERT_TRUE(tried.insert(w).second) << w->name() << " comes back to itself";
                w = w->instead(e);
            }
        }
}

TEST(ways, offer_one_for_every_edge_and_only_what_they_can) {
    for (auto const& e : some_edges()) {
        std::size_t offered = 0;
        for (auto const* w : all_ways()) {
            if (!w->offered(e)) continue;
            ++offered;
            EXPECT_TRUE(w->can(e)) << w->name();
            EXPECT_GT(w->cost(e, profile{}).total(), 0) << w->name();
        }
        EXPECT_GE(offered, 1U);
    }
}

TEST(ways, over_machines_need_no_common_memory) {
    edge_features const e{.bytes = 8, .row_bytes = 8, .apart = distance::other_machine};
    EXPECT_TRUE(ways::reference.over_machines().can(e));
    EXPECT_EQ(&ways::pull.over_machines(), &ways::pull);
}

} // namespace
} // namespace sode::internal
