// SPDX-License-Identifier: Apache-2.0
// What goes wrong in a kernel is told to it by a code, and to the host by an error that says where.
#include <sode/error.hpp>
#include <sode/gmpi.hpp>
#include <sode/threads.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>

namespace sode::internal::testing {

namespace {

using gmpi::code;

void expect_error(error_kind kind, std::string const& words, std::function<void()> const& f) {
    try {
        f();
        ADD_FAILURE() << "no error";
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), kind) << e.what();
        EXPECT_NE(std::string{e.what()}.find(words), std::string::npos) << e.what();
    }
}

/// A kernel of one thread that does f.
struct once {
    std::function<void(gmpi::emulated_thread const&, gmpi::device_handle const&)> f;
    void operator()(gmpi::emulated_thread const& t, gmpi::device_handle ctx) const { f(t, ctx); }
};

class GmpiErrors : public ::testing::Test {
protected:
    runtime rt{0, nullptr};
};

} // namespace

TEST_F(GmpiErrors, RanksTagsAndSignalsThatDoNotExist) {
    gmpi::context ctx{rt, {.signals = 4}};
    double x = 0;
    std::array<code, 7> got{};
    gmpi::launch(ctx, {}, once{[&](auto const& t, auto const& h) {
                     auto const g = t.thread();
                     got = {gmpi::send(g, h, &x, 1, 1, 0),           gmpi::recv(g, h, &x, 1, -1, 0),
                            gmpi::send(g, h, &x, 1, 0, -1),          gmpi::signal(g, h, 4, 0),
                            gmpi::signal_wait_until(g, h, -1, 1),    gmpi::wait(g, h, gmpi::put(g, h, &x, 1, {0, 0}, 0)),
                            gmpi::wait(g, h, gmpi::start(g, h, {7}))};
                 }},
                 ctx.device_handle())
        .wait();
    for (auto const c : got) EXPECT_EQ(c, code::usage);
}

TEST_F(GmpiErrors, LongerThanItsReceive) {
    gmpi::context ctx{rt};
    for (std::size_t const n : {std::size_t{4}, std::size_t{100000}}) {
        std::vector<int> given(n, 3), got(n, 0);
        gmpi::status how;
        code sent = code::stale;
        gmpi::launch(ctx, {}, once{[&](auto const& t, auto const& h) {
                         auto const g = t.thread();
                         auto const s = gmpi::isend(g, h, given.data(), n, 0, 1);
                         auto const r = gmpi::irecv(g, h, got.data(), n / 2, 0, 1);
                         static_cast<void>(gmpi::wait(g, h, r, &how));
                         sent = gmpi::wait(g, h, s);
                     }},
                     ctx.device_handle())
            .wait();
        EXPECT_EQ(how.result, code::truncated);
        EXPECT_EQ(how.bytes, n / 2 * sizeof(int));
        EXPECT_EQ(sent, code::ok);
        EXPECT_EQ(got[n / 2 - 1], 3);
        EXPECT_EQ(got[n / 2], 0) << "beyond the end of the receive";
    }
}

TEST_F(GmpiErrors, AWaitInVainIsAnErrorOfTheHostToo) {
    gmpi::context ctx{rt, {.deadline = 0.05}};
    code c = code::ok;
    double x = 0;
    expect_error(error_kind::timeout, "waited 0.05 s for a request (nobody has completed the request)", [&] {
        gmpi::launch(ctx, {}, once{[&](auto const& t, auto const& h) { c = gmpi::recv(t.thread(), h, &x, 1, 0, 0); }},
                     ctx.device_handle())
            .wait();
    });
    EXPECT_EQ(c, code::timeout);
    gmpi::context other{rt, {.deadline = 0.05}};
    auto const waits = once{[&](auto const& t, auto const& h) { c = gmpi::signal_wait_until(t.thread(), h, 0, 7); }};
    expect_error(error_kind::timeout, "waited 0.05 s for a signal (it is 0, and the thread needs 7)",
                 [&] { gmpi::launch(other, {}, waits, other.device_handle()).wait(); });
    expect_error(error_kind::usage, "(the kernel has no threads)\n  launch one block",
                 [&] { gmpi::launch(other, {.blocks = 0}, waits, other.device_handle()).wait(); });
}

TEST_F(GmpiErrors, TheHostEndsAKernel) {
    gmpi::context ctx{rt};
    code c = code::ok;
    double x = 0;
    auto run = gmpi::launch(ctx, {}, once{[&](auto const& t, auto const& h) { c = gmpi::recv(t.thread(), h, &x, 1, 0, 0); }},
                            ctx.device_handle());
    EXPECT_FALSE(run.test());
    ctx.abort();
    run.wait();
    EXPECT_EQ(c, code::aborted);
}

// Who only tests, and never waits, is told too.
TEST_F(GmpiErrors, TheHostEndsALoopOfTests) {
    gmpi::context ctx{rt};
    std::vector<int> got(2);
    auto const in = ctx.precv_init(std::span{got}, 2, 0, 0);
    std::array<code, 2> last{};
    double x = 0;
    auto run = gmpi::launch(ctx, {.blocks = 2, .threads = 1}, once{[&](auto const& t, auto const& h) {
                                auto const g = t.block();
                                auto& c = last[t.block_rank()];
                                if (t.block_rank() == 0) {
                                    auto const r = gmpi::irecv(g, h, &x, 1, 0, 0);
                                    while ((c = gmpi::test(g, h, r)) == code::would_block) std::this_thread::yield();
                                } else {
                                    while ((c = gmpi::parrived(g, h, in, 1, 1)) == code::would_block) std::this_thread::yield();
                                }
                            }},
                            ctx.device_handle());
    EXPECT_FALSE(run.test());
    ctx.abort();
    run.wait();
    EXPECT_EQ(last[0], code::aborted);
    EXPECT_EQ(last[1], code::aborted);
}

TEST_F(GmpiErrors, AThreadThatThrowsEndsItsKernel) {
    gmpi::context ctx{rt};
    std::atomic<int> ended{0};
    struct thrower {
        void operator()(gmpi::emulated_thread const& t, gmpi::device_handle ctx, std::atomic<int>* ended) const {
            if (t.block_rank() == 1 && t.thread_rank() == 2) throw std::runtime_error{"a step too far"};
            double x = 0;
            if (t.block_rank() == 1) t.block().sync();                               // with the one that throws
            if (gmpi::recv(t.thread(), ctx, &x, 1, 0, 0) == code::aborted) ++*ended; // what nobody sends
        }
    };
    EXPECT_THROW(gmpi::launch(ctx, {.blocks = 2, .threads = 4}, thrower{}, ctx.device_handle(), &ended).wait(), std::runtime_error);
    EXPECT_EQ(ended, 4);
}

TEST_F(GmpiErrors, GridsThatCouldNotBeResident) {
    gmpi::context ctx{rt};
    auto const nothing = once{[](auto const&, auto const&) {}};
    expect_error(error_kind::usage, "room for 64 blocks and 1024 threads",
                 [&] { gmpi::launch(ctx, {.blocks = 65, .threads = 1}, nothing, ctx.device_handle()).wait(); });
    expect_error(error_kind::usage, "1024 threads",
                 [&] { gmpi::launch(ctx, {.blocks = 2, .threads = 1000}, nothing, ctx.device_handle()).wait(); });
    expect_error(error_kind::usage, "no threads", [&] { gmpi::launch(ctx, {.blocks = 0}, nothing, ctx.device_handle()).wait(); });
    gmpi::launch(ctx, {.blocks = 4, .threads = 8}, nothing, ctx.device_handle()).wait();
}

// Ranks that are threads share a device: each kernel fits, both do not.
TEST_F(GmpiErrors, GridsThatCouldNotBeResidentTogether) {
    gmpi::context first{rt}, second{rt};
    std::atomic<bool> go{false};
    auto const waits = once{[&go](auto const&, auto const&) {
        while (!go) std::this_thread::yield();
    }};
    auto const nothing = once{[](auto const&, auto const&) {}};
    auto one = gmpi::launch(first, {.blocks = 40, .threads = 1}, waits, first.device_handle());
    expect_error(error_kind::usage, "other kernels of this process occupy 62 % of the device",
                 [&] { gmpi::launch(second, {.blocks = 40, .threads = 1}, nothing, second.device_handle()).wait(); });
    gmpi::launch(second, {.blocks = 24, .threads = 16}, nothing, second.device_handle()).wait();
    go = true;
    one.wait();
    gmpi::launch(second, {.blocks = 64, .threads = 1}, nothing, second.device_handle()).wait();
}

TEST_F(GmpiErrors, OptionsThatCannotBe) {
    expect_error(error_kind::usage, "options::rings is 9", [&] { gmpi::context{rt, {.rings = 9}}; });
    expect_error(error_kind::usage, "options::entries is 3", [&] { gmpi::context{rt, {.entries = 3}}; });
    expect_error(error_kind::usage, "options::requests is 0", [&] { gmpi::context{rt, {.requests = 0}}; });
    expect_error(error_kind::usage, "options::deadline is -1 (the value must be from 0", [&] {
        gmpi::context{rt, {.deadline = -1}};
    });
    gmpi::context ctx{rt, {.parts = 4}};
    std::vector<int> data(8);
    expect_error(error_kind::usage, "no rank 1", [&] { static_cast<void>(ctx.precv_init(std::span{data}, 2, 1, 0)); });
    expect_error(error_kind::usage, "3 equal parts", [&] { static_cast<void>(ctx.precv_init(std::span{data}, 3, 0, 0)); });
    expect_error(error_kind::usage, "tag is 32768", [&] { static_cast<void>(ctx.precv_init(std::span{data}, 2, 0, 32768)); });
    expect_error(error_kind::usage, "no room for 8 more parts",
                 [&] { static_cast<void>(ctx.precv_init(std::span{data}, 8, 0, 0)); });
}

// try_isend() says that there is no room; what was refused can be said again.
TEST_F(GmpiErrors, WhoTriesIsRefusedAndTriesAgain) {
    gmpi::context ctx{rt, {.requests = 2}};
    int refused = 0, x = 1, y[3] = {};
    gmpi::launch(ctx, {}, once{[&](auto const& t, auto const& h) {
                     auto const g = t.thread();
                     auto const a = gmpi::try_isend(g, h, &x, 1, 0, 0), b = gmpi::try_isend(g, h, &x, 1, 0, 0);
                     auto const c = gmpi::try_isend(g, h, &x, 1, 0, 0);
                     refused += c.begun == code::would_block;
                     if (gmpi::wait(g, h, a) != code::ok || gmpi::wait(g, h, b) != code::ok) refused = 99;
                     if (gmpi::send(g, h, &x, 1, 0, 0) != code::ok) refused = 99;
                     for (auto& one : y)
                         if (gmpi::recv(g, h, &one, 1, 0, 0) != code::ok) refused = 99;
                 }},
                 ctx.device_handle())
        .wait();
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(y[0] + y[1] + y[2], 3);
    EXPECT_NE(ctx.describe().find("6 requests from kernels: 3 sends, 3 receives"), std::string::npos) << ctx.describe();
}

} // namespace sode::internal::testing
