// SPDX-License-Identifier: Apache-2.0
// The file of a profile: what goes in comes out, and nothing that is wrong with it passes.
#include "model/profile_file.hpp"

#include "base/whole_file.hpp"
#include "channel/ways.hpp"
#include "model/chooser.hpp"
#include "model/distance.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sys/stat.h>

namespace sode::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
    try {
        static_cast<void>(read_profile(text, "my.json"));
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage);
        return e.what();
    }
    return "";
}

struct temporary_folder {
    temporary_folder() : path(std::filesystem::temp_directory_path() / "sode-profile-XXXXXX") {
        auto text = path.string();
        path = ::mkdtemp(text.data());
    }
    temporary_folder(temporary_folder const&) = delete;
    temporary_folder& operator=(temporary_folder const&) = delete;
    ~temporary_folder() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
};

std::string many(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

// What reads deeper levels, quotes them or takes them apart would need a stack for each.
TEST(ProfileFile, IsNotNestedDeeply) {
    constexpr int deep = 500'000;
    for (auto const& [open, close] : {std::pair{"[", "]"}, {"{\"near\":", "}"}, {"{\"x\":", "}"}}) {
        auto const text = many(open, deep) + "1" + many(close, deep);
        EXPECT_THAT(refusal(text), HasSubstr("my.json is nested too deeply"));
        EXPECT_THAT(refusal("{\"near\":" + text + "}"), HasSubstr("my.json is nested too deeply"));
        EXPECT_THAT(refusal("{\"machine\":{\"cpu\":" + text + "}}"), HasSubstr("my.json is nested too deeply"));
        EXPECT_THAT(refusal(many(open, deep)), HasSubstr("my.json is nested too deeply"));
    }
    EXPECT_EQ(refusal("{\"name\":\"" + many("[", 100) + "\\\"" + many("{", 100) + "\"}"), "");
    EXPECT_THAT(refusal("{\"near\":[[[1,2],[3]]]}"), HasSubstr("\"near\" in the profile my.json is not an object"));
    EXPECT_THAT(refusal("{\"near\":{\"flag\":[[[1,2],[3]]]}}"), HasSubstr("is [[[1,2],[3]]]"));
}

TEST(ProfileFile, IsQuotedInAFewWords) {
    std::string const much(500'000, 'x');
    EXPECT_LT(refusal(much).size(), 1000U);
    EXPECT_LT(refusal("{\"near\":{\"flag\":\"" + much + "\"}}").size(), 1000U);
    EXPECT_LT(refusal("{\"" + much + "\":1}").size(), 1000U);
    EXPECT_LT(refusal("{\"near\":{\"flag\":[" + many("{},", 100'000) + "{}]}}").size(), 1000U);
    EXPECT_THAT(refusal("{\"networks\":[" + many("{},", 100'000) + "{}]}"), HasSubstr("networks[0]"));
    EXPECT_THAT(refusal("{\"machine\":{\"cpu\":\"\xff\xfe\"}}"), HasSubstr("is not JSON"));
}

TEST(ProfileFile, IsAnOrdinaryFileOfSensibleLength) {
    temporary_folder const folder;
    auto const refusal_of = [](std::string const& file) {
        try {
            static_cast<void>(load_profile(file));
        } catch (error const& e) {
            EXPECT_EQ(e.kind(), error_kind::usage);
            return std::string{e.what()};
        }
        return std::string{};
    };
    auto const pipe = folder.path / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(refusal_of(pipe), HasSubstr("the path is a device, a pipe or a socket"));
    EXPECT_THAT(refusal_of("/dev/zero"), HasSubstr("the path is a device, a pipe or a socket"));
    auto const large = folder.path / "large";
    replace_file(large, "profile", write_profile({}, {}));
    std::filesystem::resize_file(large, 100'000'000);
    EXPECT_THAT(refusal_of(large), HasSubstr("the file is longer than 1 MiB"));
}

TEST(ProfileFile, WhatIsWrittenIsReadBack) {
    profile p;
    p.name = "a \"machine\"";
    p.of(distance::near).memory.flag = 51.25;
    p.of(distance::far).memory.stage_byte = 0.1234;
    p.cached_pages = 1536;
    p.network.eager_bytes = 4096;
    auto const q = read_profile(write_profile(p, {.cpu = "Z80", .cores = 1}), "it");
    EXPECT_EQ(q.name, p.name);
    EXPECT_EQ(q.of(distance::near).memory.flag, 51.25);
    EXPECT_EQ(q.of(distance::far).memory.stage_byte, 0.1234);
    EXPECT_EQ(q.cached_pages, 1536);
    EXPECT_EQ(q.network.eager_bytes, 4096);
    EXPECT_EQ(write_profile(q, {}), write_profile(p, {})) << "and all the others too";
}

TEST(ProfileFile, WhatIsMissingKeepsItsDefault) {
    auto const p = read_profile(R"({"near": {"row": 7.5}, "cached_pages": 64})", "it");
    EXPECT_EQ(p.of(distance::near).memory.row, 7.5);
    EXPECT_EQ(p.of(distance::near).memory.flag, profile{}.of(distance::near).memory.flag);
    EXPECT_EQ(p.of(distance::far).memory.row, profile{}.of(distance::far).memory.row);
    EXPECT_EQ(p.cached_pages, 64);
    EXPECT_EQ(write_profile(read_profile("{}", "it"), {}), write_profile(profile{}, {}));
}

TEST(ProfileFile, ItChangesWhatIsPredictedAndChosen) {
    edge_features const strided{.bytes = 32768, .rows = 4096, .row_bytes = 8, .pitch = 544};
    profile const shipped;
    auto const dear = read_profile(R"({"near": {"stage_byte": 1.0}})", "it");
    EXPECT_EQ(choose(strided, shipped, nullptr).how, &ways::stage);
    EXPECT_NE(choose(strided, dear, nullptr).how, &ways::stage);
    EXPECT_GT(ways::stage.cost(strided, dear).microseconds(), ways::stage.cost(strided, shipped).microseconds());
}

TEST(ProfileFile, NamesTheKeyThatIsWrongAndTheNearest) {
    EXPECT_THAT(refusal(R"({"pack_raw": 1})"),
                AllOf(HasSubstr("my.json"), HasSubstr("\"pack_raw\""), HasSubstr("did you mean \"pack_row\"")));
    EXPECT_THAT(refusal(R"({"far": {"streambyte": 1}})"), AllOf(HasSubstr("\"far.streambyte\""), HasSubstr("\"stream_byte\"")));
    EXPECT_THAT(refusal(R"({"machine": {"cpus": "x"}})"), AllOf(HasSubstr("\"machine.cpus\""), HasSubstr("\"cpu\"")));
    EXPECT_THAT(refusal(R"({"quite_something_else": 1})"), HasSubstr("docs/profile.md"));
}

TEST(ProfileFile, RefusesWrongTypesAndNumbers) {
    EXPECT_THAT(refusal(R"({"pack_row": "1"})"), AllOf(HasSubstr("\"pack_row\""), HasSubstr("a number")));
    EXPECT_THAT(refusal(R"({"near": {"flag": -1}})"), AllOf(HasSubstr("\"near.flag\""), HasSubstr("negative")));
    EXPECT_THAT(refusal(R"({"near": 60})"), AllOf(HasSubstr("\"near\""), HasSubstr("object")));
    EXPECT_THAT(refusal(R"({"near": null})"), HasSubstr("\"near\""));
    EXPECT_THAT(refusal(R"({"name": 1})"), HasSubstr("\"name\""));
    EXPECT_THAT(refusal(R"({"cached_pages": 10.5})"), AllOf(HasSubstr("\"cached_pages\""), HasSubstr("whole")));
    EXPECT_THAT(refusal(R"({"cached_pages": 18446744073709551615})"), HasSubstr("\"cached_pages\""));
    EXPECT_THAT(refusal(R"({"cached_pages": -3})"), HasSubstr("\"cached_pages\""));
    EXPECT_THAT(refusal(R"({"machine": {"samples": {"near": "many"}}})"), HasSubstr("\"machine.samples.near\""));
    EXPECT_THAT(refusal(R"({"machine": {"unseen": "far"}})"), HasSubstr("\"machine.unseen\""));
    EXPECT_THAT(refusal("[1, 2]"), HasSubstr("object"));
}

TEST(ProfileFile, ListsNetworks) {
    profile p;
    p.networks = {{.name = "x", .protocols = {{.up_to_bytes = 64, .latency = 5}, {.byte = 0.25}}, .serial = true, .links = 3},
                  {.name = "y", .protocols = {{.overhead = 7}}, .strided_from = 48, .pack_row = 1.5}};
    auto const q = read_profile(write_profile(p, {}), "it");
    ASSERT_EQ(q.networks.size(), 2U);
    EXPECT_EQ(q.networks[0].protocols[0].up_to_bytes, 64);
    EXPECT_EQ(q.networks[0].protocols[1].byte, 0.25);
    EXPECT_TRUE(q.networks[0].serial);
    EXPECT_EQ(q.networks[1].pack_row, 1.5);
    EXPECT_EQ(write_profile(q, {}), write_profile(p, {}));
    EXPECT_TRUE(read_profile("{}", "it").networks.empty());
}

TEST(ProfileFile, RefusesNetworksThatMakeNoSense) {
    auto const with = [](std::string_view list) { return refusal(fmt::format(R"({{"networks": {}}})", list)); };
    EXPECT_EQ(with(R"([{"name": "x", "protocols": [{}]}])"), "");
    EXPECT_THAT(with(R"({"name": "x"})"), HasSubstr("\"networks\""));
    EXPECT_THAT(with(R"([{"protocols": [{}]}])"), AllOf(HasSubstr("networks[0]"), HasSubstr("no name")));
    EXPECT_THAT(with(R"([{"name": "x"}])"), HasSubstr("no protocol"));
    EXPECT_THAT(with(R"([{"name": "x", "protocols": [{}], "links": 0}])"), HasSubstr("no link"));
    EXPECT_THAT(with(R"([{"name": "x", "protocols": [{}], "serial": 1}])"),
                AllOf(HasSubstr("networks[0].serial"), HasSubstr("true")));
    EXPECT_THAT(with(R"([{"name": "x", "protocols": [{"latncy": 1}]}])"),
                AllOf(HasSubstr("networks[0].protocols[0].latncy"), HasSubstr("\"latency\"")));
    EXPECT_THAT(with(R"([{"name": "x", "protocols": [{}]}, {"name": "x", "protocols": [{}]}])"),
                AllOf(HasSubstr("networks[1]"), HasSubstr("\"x\"")));
    EXPECT_THAT(with(R"([{"name": "x", "protocols": [{"up_to_bytes": 8}]}])"), HasSubstr("large messages"));
    EXPECT_THAT(with(R"([{"name": "x", "protocols": [{}, {}]}])"), HasSubstr("without a bound"));
    EXPECT_THAT(with(R"([{"name": "x", "protocols": [{"up_to_bytes": 8}, {"up_to_bytes": 8}, {}]}])"),
                HasSubstr("unsorted protocols"));
}

TEST(ProfileFile, RefusesWhatIsNoJson) {
    for (char const* text : {"", "{", "near.flag = 3", R"({"pack_row": 1e999})", R"({"pack_row": nan})"})
        EXPECT_THAT(refusal(text), HasSubstr("my.json")) << text;
}

TEST(ProfileFile, IsReplacedAsAWhole) {
    temporary_folder const folder;
    auto const file = (folder.path / "new" / "folder" / "p.json").string();
    profile p;
    p.pack_row = 0.75;
    save_profile(file, p, {.date = "today", .unseen = {"far"}});
    EXPECT_EQ(load_profile(file).pack_row, 0.75);
    p.pack_row = 0.25;
    save_profile(file, p, {});
    EXPECT_EQ(load_profile(file).pack_row, 0.25);
    auto const entries = std::filesystem::directory_iterator{std::filesystem::path{file}.parent_path()};
    EXPECT_EQ(std::distance(begin(entries), end(entries)), 1) << "nothing is left beside it";
    auto const written = nlohmann::json::parse(read_file(file, "profile"));
    EXPECT_EQ(written["machine"]["samples"]["far"], 0);
}

TEST(ProfileFile, CannotBeReadOrWrittenEverywhere) {
    temporary_folder const folder;
    EXPECT_THROW(static_cast<void>(load_profile((folder.path / "none.json").string())), error);
    EXPECT_THROW(static_cast<void>(load_profile(folder.path.string())), error);
    EXPECT_THROW(save_profile(folder.path.string(), {}, {}), error);
    EXPECT_THROW(save_profile("/dev/null", {}, {}), error);
    struct stat device {};
    ASSERT_EQ(::stat("/dev/null", &device), 0);
    EXPECT_TRUE(S_ISCHR(device.st_mode)) << "a device is not replaced by a file";
}

TEST(ProfileFile, EveryKeyIsDocumented) {
    auto const page = read_file(std::string{SODE_SOURCE_DIR} + "/docs/profile.md", "page");
    std::size_t at = 0, rows = 0;
    while ((at = page.find("\n| `", at)) != std::string::npos) ++at, ++rows;
    auto const keys = profile_keys();
    for (auto const& key : keys) EXPECT_THAT(page, HasSubstr("\n| `" + key + "` | ")) << key;
    EXPECT_EQ(rows, keys.size()) << "and no other";
}

// The column "Built in" of the page, for every key outside of lists.
TEST(ProfileFile, ThePageShowsTheBuiltInValues) {
    auto const page = read_file(std::string{SODE_SOURCE_DIR} + "/docs/profile.md", "page");
    auto const built_in = nlohmann::json::parse(write_profile(profile{}, {}));
    int compared = 0;
    for (auto const& key : profile_keys()) {
        auto path = "/" + key;
        std::replace(path.begin(), path.end(), '.', '/');
        nlohmann::json::json_pointer const where{path};
        if (key.starts_with("machine.") || !built_in.contains(where) || !built_in[where].is_number()) continue;
        auto const row = page.find("\n| `" + key + "` | ");
        ASSERT_NE(row, page.npos) << key;
        auto const value = page.find(" | ", page.find(" | ", row) + 3) + 3;
        EXPECT_DOUBLE_EQ(std::stod(page.substr(value, 20)), built_in[where].get<double>()) << key;
        ++compared;
    }
    EXPECT_GT(compared, 60);
}

TEST(ProfileFile, ThePageSaysWhatNearAndFarMean) {
    auto const page = read_file(std::string{SODE_SOURCE_DIR} + "/docs/profile.md", "page");
    std::string const prose = std::regex_replace(page, std::regex{"\\s+"}, " "); // wherever its lines end
    EXPECT_THAT(prose, AllOf(HasSubstr(fmt::format("between the cores takes less than {} ns", near_below_ns)),
                             HasSubstr(fmt::format("between the cores takes more than {} ns", far_above_ns)),
                             HasSubstr(fmt::format("is above {} ns, half-way between", half_way_ns))));
    auto const bench = read_file(std::string{SODE_SOURCE_DIR} + "/bench/support/regime.hpp", "source");
    EXPECT_THAT(bench, HasSubstr(fmt::format("near_below_ns = {}, far_above_ns = {};", near_below_ns, far_above_ns)));
    auto const script = read_file(std::string{SODE_SOURCE_DIR} + "/bench/directives/measure.py", "source");
    EXPECT_THAT(script, HasSubstr(fmt::format("NEAR_BELOW, FAR_ABOVE = {}, {}", near_below_ns, far_above_ns)));
}

TEST(ProfileFile, TheUsualPlaceFollowsTheEnvironment) {
    ASSERT_EQ(::setenv("XDG_CONFIG_HOME", "/some/where", 1), 0);
    EXPECT_THAT(default_profile_path(), AllOf(::testing::StartsWith("/some/where/sode/profile-"), ::testing::EndsWith(".json")));
    ASSERT_EQ(::setenv("XDG_CONFIG_HOME", "relative", 1), 0);
    ASSERT_EQ(::setenv("HOME", "/home/me", 1), 0);
    EXPECT_THAT(default_profile_path(), ::testing::StartsWith("/home/me/.config/sode/profile-"));
    ASSERT_EQ(::unsetenv("HOME"), 0);
    EXPECT_EQ(default_profile_path(), "");
}

} // namespace
} // namespace sode::internal
