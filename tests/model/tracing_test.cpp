// SPDX-License-Identifier: Apache-2.0
// SODE_TRACE: the file follows Chrome's trace event format, and has what happened.
#include "base/whole_file.hpp"
#include "model/traced_program.hpp"

#include <sode/threads.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using json = nlohmann::json;

class tracing_test : public ::testing::TestWithParam<int> {
protected:
    tracing_test() {
        auto name = (std::filesystem::temp_directory_path() / "sode-trace-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        file_ = folder_ / "out.json";
        ::setenv("SODE_TRACE", file_.c_str(), 1);
    }
    ~tracing_test() override {
        ::unsetenv("SODE_TRACE");
        ::unsetenv("SODE_TRACE_EVENTS");
        std::filesystem::remove_all(folder_);
    }
    [[nodiscard]] static int ranks() { return GetParam(); }

    /// Under `sode run`; the exit status.
    static int run_program(std::string const& arguments = "") {
        auto const command =
            fmt::format("{} run -n {} --timeout 60 -- {} {} 2> {}", SODE_COMMAND, ranks(), TRACED_PROGRAM, arguments,
                        std::filesystem::path{std::getenv("SODE_TRACE")}.replace_extension("err").string());
        int const status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    [[nodiscard]] std::string said() const { return read_file((folder_ / "out.err").string(), "output"); }

    [[nodiscard]] json events() const {
        auto const entries = std::filesystem::directory_iterator{folder_};
        for (auto const& e : entries) EXPECT_NE(e.path().extension(), ".new") << "is left beside it";
        return json::parse(read_file(file_.string(), "trace"))["traceEvents"];
    }

    std::filesystem::path folder_;
    std::filesystem::path file_;
};

bool is_slice(json const& e) {
    return e["ph"] == "X";
}

void expect_format(json const& events) {
    ASSERT_TRUE(events.is_array());
    for (auto const& e : events) {
        ASSERT_TRUE(e["name"].is_string() && e["ph"].is_string()) << e;
        ASSERT_TRUE(e["pid"].is_number_integer() && e["tid"].is_number_integer()) << e;
        EXPECT_EQ(e["pid"], 1) << "one process";
        auto const phase = e["ph"].get<std::string>();
        ASSERT_TRUE(phase == "X" || phase == "M" || phase == "i") << e;
        if (phase == "M") {
            ASSERT_TRUE(e["args"].is_object()) << e;
            continue;
        }
        ASSERT_TRUE(e["ts"].is_number() && e["ts"].get<double>() >= 0) << e;
        if (phase == "X") {
            ASSERT_TRUE(e["dur"].is_number() && e["dur"].get<double>() >= 0) << e;
            ASSERT_TRUE(e["args"]["epoch"].is_number_integer()) << e;
        } else {
            EXPECT_EQ(e["s"], "t") << e;
        }
    }
}

/// Slices of a row either lie in one another or have nothing in common.
void expect_nested(json const& events) {
    struct slice {
        std::int64_t begin, end; // ns
        std::string name;
    };
    auto const ns = [](json const& us) { return static_cast<std::int64_t>(std::llround(us.get<double>() * 1000)); };
    std::map<int, std::vector<slice>> rows;
    for (auto const& e : events)
        if (is_slice(e)) {
            auto const begin = ns(e["ts"]);
            rows[e["tid"].get<int>()].push_back({begin, begin + ns(e["dur"]), e["name"].get<std::string>()});
        }
    for (auto& [row, slices] : rows) {
        std::sort(slices.begin(), slices.end(), [](slice const& a, slice const& b) {
            return std::pair{a.begin, -a.end} < std::pair{b.begin, -b.end};
        });
        std::vector<slice> open;
        for (auto const& s : slices) {
            while (!open.empty() && open.back().end <= s.begin && s.end > open.back().end) open.pop_back();
            if (!open.empty()) {
                EXPECT_LE(s.end, open.back().end) << s.name << " in row " << row << " sticks out of " << open.back().name;
            }
            open.push_back(s);
        }
    }
}

/// Rows by number; the first ones are the ranks.
std::map<int, std::string> rows(json const& events) {
    std::map<int, std::string> names;
    for (auto const& e : events)
        if (e["name"] == "thread_name") {
            EXPECT_TRUE(names.emplace(e["tid"].get<int>(), e["args"]["name"].get<std::string>()).second) << e;
        }
    return names;
}

std::vector<json> exchanges(json const& events, std::string const& plan, int row = -1) {
    std::vector<json> list;
    for (auto const& e : events)
        if (is_slice(e) && e["cat"] == "exchange" && e["name"] == plan && (row < 0 || e["tid"] == row)) list.push_back(e);
    return list;
}

void expect_what_happened(json const& events, int ranks) {
    expect_format(events);
    expect_nested(events);
    auto const all = rows(events);
    for (int r = 0; r < ranks; ++r) {
        EXPECT_EQ(all.at(1 + r), fmt::format("rank {}", r));
        auto const mine = exchanges(events, "halo of \"u\"", 1 + r);
        ASSERT_EQ(mine.size(), traced_exchanges + 1U);
        for (std::size_t i = 0; i < mine.size(); ++i) {
            EXPECT_EQ(mine[i]["args"]["epoch"], i + 1);
            auto const& edges = mine[i]["args"]["edges"];
            EXPECT_EQ(edges.size(), 4U) << "periodic, without corners";
            std::int64_t bytes = 0;
            for (auto const& e : edges) {
                EXPECT_TRUE(e["direction"].is_string() && e["channel"].is_string() && e["rank"].is_number_integer());
                bytes += e["bytes"].get<std::int64_t>();
            }
            EXPECT_EQ(mine[i]["args"]["bytes"], bytes);
        }
    }
    EXPECT_EQ(exchanges(events, "halo of \"v \"quoted\"\"").size(), static_cast<std::size_t>(ranks));
    // Each neighbour's boxes arrive by some piece of work that names it, in every exchange.
    std::map<std::pair<int, std::string>, int> seen;
    for (auto const& e : events)
        if (is_slice(e) && e["cat"] == "work" && e["args"].contains("edges"))
            for (auto const& edge : e["args"]["edges"])
                ++seen[{e["tid"].get<int>(), fmt::format("{} {}", edge["rank"].get<int>(), edge["direction"].get<std::string>())}];
    for (auto const& first : exchanges(events, "halo of \"u\""))
        for (auto const& edge : first["args"]["edges"]) {
            auto const key = fmt::format("{} {}", edge["rank"].get<int>(), edge["direction"].get<std::string>());
            int const count = seen[{first["tid"].get<int>(), key}];
            EXPECT_GE(count, traced_exchanges) << key;
        }
}

TEST_P(tracing_test, ranks_that_are_processes) {
    ASSERT_EQ(run_program(), 0) << said();
    expect_what_happened(events(), ranks());
}

TEST_P(tracing_test, ranks_that_are_threads) {
    run_threads(ranks(), [](runtime& rt) { traced_program(rt); });
    expect_what_happened(events(), ranks());
}

TEST_P(tracing_test, the_oldest_events_go_first_and_it_is_told) {
    ::setenv("SODE_TRACE_EVENTS", "5", 1);
    ASSERT_EQ(run_program(), 0);
    auto const list = events();
    expect_format(list);
    expect_nested(list);
    std::map<int, int> kept;
    for (auto const& e : list)
        if (is_slice(e)) ++kept[e["args"].contains("epoch") ? (e["tid"].get<int>() - 1) % ranks() : -1];
    for (int r = 0; r < ranks(); ++r) EXPECT_EQ(kept[r], 5);
    EXPECT_THAT(said(), ::testing::HasSubstr("SODE_TRACE_EVENTS"));
    EXPECT_EQ(exchanges(list, "halo of \"v \"quoted\"\"").size(), static_cast<std::size_t>(ranks())) << "the last is there";
}

TEST_P(tracing_test, a_rank_that_dies_ends_the_job_and_leaves_what_rank_0_knows) {
    if (ranks() == 1) return; // who dies is rank 0, and nobody is left to write
    EXPECT_NE(run_program("--dies-at 4"), 0);
    auto const list = events();
    expect_format(list);
    expect_nested(list);
    EXPECT_EQ(exchanges(list, "halo of \"u\"", 1).size(), 5U) << "the fifth was given up";
    bool told = false;
    for (auto const& e : list) told |= e["ph"] == "i" && e["name"] == "gave up";
    EXPECT_TRUE(told);
}

TEST_P(tracing_test, a_place_that_cannot_be_written_is_told_before_anything_runs) {
    auto const wrong = (folder_ / "no" / "such" / "folder.json").string();
    auto const everywhere = [&] { run_threads(ranks(), [](runtime& rt) { traced_program(rt); }); };
    ::setenv("SODE_TRACE", wrong.c_str(), 1);
    try {
        everywhere();
        FAIL() << "went on";
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::environment);
        EXPECT_THAT(e.what(), ::testing::HasSubstr("cannot write the trace " + wrong));
    }
}

INSTANTIATE_TEST_SUITE_P(ranks, tracing_test, ::testing::Values(1, 2, 3));

} // namespace
} // namespace sode::internal::testing
