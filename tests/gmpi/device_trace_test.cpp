// SPDX-License-Identifier: Apache-2.0
// SODE_TRACE: queues of devices, streams of the program and managers of kernels have rows of their own, with what they did.
#include "base/whole_file.hpp"

#include <sode/gmpi.hpp>
#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

namespace sode::internal::testing {
namespace {

using json = nlohmann::json;
constexpr int ranks = 2, steps = 100, letters = 7; // more steps than a queue has stamps at a time

struct pass_on {
    template <class Thread> void operator()(Thread const& t, gmpi::device_handle ctx, double* data, int* failed) const {
        auto const block = t.block();
        for (int n = 0; n < letters; ++n)
            if (gmpi::sendrecv(block, ctx, data, 1, 1 - ctx.rank, n, data + 1, 1, 1 - ctx.rank, n) != gmpi::code::ok) *failed = 1;
        if (gmpi::barrier(block, ctx) != gmpi::code::ok) *failed = 1;
    }
};

constexpr int exchanges = 9;

struct exchange_often {
    template <class Thread> void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::halo_handle h, int* failed) const {
        for (int n = 1; n <= exchanges; ++n)
            if (gmpi::exchange(t, ctx, h, static_cast<gmpi::word>(n)) != gmpi::code::ok) *failed = 1;
    }
};

void program(runtime& rt) {
    grid<1> g{rt, {40}};
    array<double, 1, device> u{g, shadow{1}, 0.0, "u"};
    auto halo = reflect_init({.periodic = true, .channel = "device-push"}, u);
    {
        stream s{rt};
        for (int n = 0; n < steps; ++n) {
            halo.enqueue(s);
            loop(s, g.all(), [v = u.view()](index_t i) { v(i) += 1; });
            if (n % 10 == 9) s.synchronize();
        }
        s.synchronize();
    }
    gmpi::context ctx{rt, {.deadline = 60}};
    auto const data = ctx.allocate<double>(2);
    int failed = 0;
    gmpi::launch(ctx, {}, pass_on{}, ctx.device_handle(), data.get(), &failed).wait();
    gmpi::launch(ctx, {.blocks = 2, .threads = 2}, exchange_often{}, ctx.device_handle(), ctx.device_handle(halo), &failed).wait();
    EXPECT_EQ(failed, 0);
}

struct slice {
    double begin, end;
    std::string name, kind;
};

class device_trace_test : public ::testing::Test {
protected:
    device_trace_test() {
        auto name = (std::filesystem::temp_directory_path() / "sode-trace-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        ::setenv("SODE_TRACE", (folder_ / "out.json").c_str(), 1);
        ::setenv("SODE_DEVICE", "emulated", 1);
        run_threads(ranks, program);
        auto const trace = json::parse(read_file((folder_ / "out.json").string(), "trace"));
        for (auto const& e : trace["traceEvents"]) {
            auto const row = e["tid"].get<int>();
            if (e["name"] == "thread_name") names_[row] = e["args"]["name"].get<std::string>();
            if (e["ph"] == "X")
                slices_[row].push_back({e["ts"].get<double>(), e["ts"].get<double>() + e["dur"].get<double>(),
                                        e["name"].get<std::string>(), e["cat"].get<std::string>()});
        }
    }
    ~device_trace_test() override {
        ::unsetenv("SODE_TRACE");
        std::filesystem::remove_all(folder_);
    }
    /// All rows whose name begins so, one after another.
    std::vector<slice> of(std::string const& name) {
        std::vector<slice> all;
        for (auto const& [row, called] : names_)
            if (called.starts_with(name)) all.insert(all.end(), slices_[row].begin(), slices_[row].end());
        return all;
    }
    static long count(std::vector<slice> const& all, std::string const& name) {
        return std::count_if(all.begin(), all.end(), [&](slice const& s) { return s.name == name; });
    }

    std::filesystem::path folder_;
    std::map<int, std::string> names_;
    std::map<int, std::vector<slice>> slices_;
};

TEST_F(device_trace_test, has_rows_of_queues_streams_and_managers_that_do_one_thing_after_another) {
    for (int r = 0; r < ranks; ++r) {
        auto const me = "rank " + std::to_string(r), other = "rank " + std::to_string(1 - r);
        auto const queues = of(me + ", device queue ");
        EXPECT_EQ(count(queues, "store at " + other), steps);
        EXPECT_EQ(count(queues, "wait for " + other), 2 * steps) << "until it may store, and until the other has";
        for (auto const& s : queues) EXPECT_EQ(s.kind, s.name.starts_with("wait") ? "wait" : "work") << s.name;
        auto const stream = of(me + ", stream of emulated device 0");
        EXPECT_EQ(count(stream, "kernel"), steps);
        EXPECT_EQ(count(stream, "halo of \"u\""), steps);
        auto const kernel = of(me + ", kernel, halo of \"u\"");
        EXPECT_EQ(count(kernel, "store at " + other), 2 * exchanges) << "each of its steps";
        for (auto const& s : kernel) EXPECT_EQ(s.kind, "work") << s.name;
        auto const manager = of(me + ", manager");
        EXPECT_EQ(count(manager, "send"), letters);
        EXPECT_EQ(count(manager, "receive"), letters);
        EXPECT_EQ(count(manager, "barrier"), 1);
        EXPECT_GT(count(manager, "messages of other ranks"), 0);
    }
    for (auto& [row, all] : slices_) {
        if (names_[row].find(',') == std::string::npos) continue; // of ranks: nested
        std::sort(all.begin(), all.end(), [](slice const& a, slice const& b) { return a.begin < b.begin; });
        for (std::size_t i = 1; i < all.size(); ++i)
            EXPECT_LE(all[i - 1].end, all[i].begin + 0.002) << names_[row] << ": " << all[i - 1].name << ", then " << all[i].name;
    }
}

} // namespace
} // namespace sode::internal::testing
