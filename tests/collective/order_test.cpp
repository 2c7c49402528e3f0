// SPDX-License-Identifier: Apache-2.0
// Ranks that communicate in different orders are told so by SODE_CHECK=collective, and nobody else is.
#include "model/job.hpp"

#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <stdexcept>

#include <sched.h>
#include <time.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Order : public ::testing::Test {
protected:
    Order() { setenv("SODE_CHECK", "collective", 1); }
    ~Order() override { unsetenv("SODE_CHECK"); }
};

struct fields {
    explicit fields(runtime& job, std::string const& channel = {})
        : rt(job), g(rt, {60}), a(g, shadow{1}, 0.0, "a"), b(g, shadow{1}, 0.0, "b"),
          ha(reflect_init({.periodic = true, .channel = channel}, a)), hb(reflect_init({.periodic = true, .channel = channel}, b)) {
    }
    double total() {
        return reduce(g.all(), 0.0, sum, [a = *a](auto i) { return a(i); });
    }

    runtime& rt;
    grid<1> g;
    array<double, 1> a, b;
    reflection ha, hb;
};

std::string what_is_said(int ranks, std::function<void(fields&)> const& program, std::string const& channel = {}) {
    try {
        run_threads(ranks, [&](runtime& rt) {
            fields f{rt, channel};
            program(f);
        });
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage) << e.what();
        return e.what();
    }
    return "nothing";
}

auto const names_order = AllOf(HasSubstr("which will never arrive"), HasSubstr("same order on every rank"));

TEST_F(Order, TwoExchanges) {
    for (int const ranks : {2, 3, 4, 6})
        for (std::string const channel : {"pull", "stage", "reference"}) {
            auto const said = what_is_said(
                ranks,
                [](fields& f) {
                    if (f.rt.rank() % 2 != 0) {
                        f.ha();
                        f.hb();
                    } else {
                        f.hb();
                        f.ha();
                    }
                },
                channel);
            EXPECT_THAT(said,
                        AllOf(names_order, HasSubstr("in epoch 1 of halo of \"a\""), HasSubstr("in epoch 1 of halo of \"b\"")))
                << ranks << ' ' << channel;
        }
}

TEST_F(Order, AnExchangeAndAReduction) {
    for (int const ranks : {2, 3, 4})
        EXPECT_THAT(what_is_said(ranks,
                                 [](fields& f) {
                                     static_cast<void>(f.total());
                                     if (f.rt.rank() == 1) {
                                         f.ha();
                                         static_cast<void>(f.total());
                                     } else {
                                         static_cast<void>(f.total());
                                         f.ha();
                                     }
                                 }),
                    AllOf(names_order, HasSubstr("in epoch 1 of halo of \"a\""), HasSubstr(" of reduce")));
}

TEST_F(Order, OneExchangeMore) {
    for (int const ranks : {2, 3, 4})
        EXPECT_THAT(what_is_said(ranks,
                                 [](fields& f) {
                                     static_cast<void>(f.total());
                                     f.ha();
                                     if (f.rt.rank() == 1) f.ha();
                                     static_cast<void>(f.total());
                                 }),
                    AllOf(names_order, HasSubstr("in epoch 2 of halo of \"a\""), HasSubstr(" of reduce")));
}

TEST_F(Order, OneExchangeFewer) {
    EXPECT_THAT(what_is_said(3,
                             [](fields& f) {
                                 for (int t = 0; t < (f.rt.rank() == 1 ? 3 : 4); ++t) f.ha();
                                 f.rt.barrier();
                             }),
                AllOf(names_order, HasSubstr("in epoch 4 of halo of \"a\""), HasSubstr("in a barrier")));
}

TEST_F(Order, ARankThatHasComeToItsEnd) {
    EXPECT_THAT(what_is_said(3,
                             [](fields& f) {
                                 if (f.rt.root()) f.ha();
                             }),
                AllOf(names_order, HasSubstr("in epoch 1 of halo of \"a\""), HasSubstr("in the end of the job")));
}

TEST_F(Order, GatherAndPlanningAreNamed) {
    EXPECT_THAT(what_is_said(2,
                             [](fields& f) {
                                 if (f.rt.root())
                                     f.ha();
                                 else
                                     static_cast<void>(reflect_init(f.a));
                             }),
                AllOf(names_order, HasSubstr("during planning of halo of \"a\"")));
}

TEST_F(Order, ExchangesThatAreStartedInAnotherOrderAndThenAllWaitedForPass) {
    for (int const ranks : {2, 3, 4})
        EXPECT_EQ(what_is_said(ranks,
                               [](fields& f) {
                                   for (int t = 0; t < 50; ++t) {
                                       if (f.rt.rank() % 2 != 0) {
                                           f.ha.start();
                                           f.hb.start();
                                       } else {
                                           f.hb.start();
                                           f.ha.start();
                                       }
                                       f.ha.wait();
                                       f.hb.wait();
                                   }
                                   static_cast<void>(f.total());
                               }),
                  "nothing");
}

TEST_F(Order, RightProgramsPassHoweverLateARankIs) {
    for (int const ranks : {2, 3, 4, 6})
        EXPECT_EQ(what_is_said(ranks,
                               [](fields& f) {
                                   for (int t = 0; t < 4; ++t) {
                                       // Long enough for the others to look for who keeps them.
                                       if (t % f.rt.size() == f.rt.rank()) {
                                           timespec const nap{.tv_sec = 0, .tv_nsec = 30'000'000};
                                           nanosleep(&nap, nullptr);
                                       }
                                       f.ha();
                                       f.hb();
                                       static_cast<void>(f.total());
                                       f.rt.barrier();
                                   }
                               }),
                  "nothing");
}

TEST_F(Order, RanksThatReduceOverDifferentIndexSpacesAreTold) {
    auto const differ = [](runtime& rt) {
        index_t const n = 20 + (rt.rank() == 2 ? 1 : 0);
        grid<2> const g{rt, {n, 20}};
        static_cast<void>(reduce(g.all(), 0, sum, [](auto, auto) { return 1; }));
    };
    try {
        run_threads(3, differ);
        ADD_FAILURE() << "nobody was told";
    } catch (error const& e) {
        EXPECT_THAT(e.what(), HasSubstr("ranks 0 and 2 reduce over different index spaces ([0:20, 0:20) and [0:21, 0:20))"));
    }
    EXPECT_NO_THROW(run_threads(3, [](runtime& rt) {
        grid<2> const g{rt, {20, 20}};
        EXPECT_EQ(reduce(g.all(), 0, sum, [](auto, auto) { return 1; }), 400);
        EXPECT_EQ(reduce(g.inner(), 0, sum, [](auto, auto) { return 1; }), 18 * 18);
    }));
}

// What goes to stderr, as it comes.
class overheard {
public:
    overheard() : before_(dup(STDERR_FILENO)) {
        if (pipe(ends_) != 0 || dup2(ends_[1], STDERR_FILENO) < 0) throw std::runtime_error{"no pipe"};
    }
    ~overheard() {
        dup2(before_, STDERR_FILENO);
        for (int const fd : {before_, ends_[0], ends_[1]}) close(fd);
    }
    overheard(overheard const&) = delete;
    overheard& operator=(overheard const&) = delete;

    // Waits for a line with that in it.
    void await(std::string const& part) {
        char buffer[512];
        while (text_.find(part) == std::string::npos) {
            auto const n = read(ends_[0], buffer, sizeof buffer);
            if (n <= 0) return;
            text_.append(buffer, static_cast<std::size_t>(n));
        }
    }
    [[nodiscard]] std::string const& text() const noexcept { return text_; }

private:
    int before_;
    int ends_[2] = {-1, -1};
    std::string text_;
};

// Without the check, who waits long says what both are in. Rank 2 goes on only when rank 0 has said it.
TEST(LongWait, SaysWhatBothWaitIn) {
    setenv("SODE_WARN", "0.01", 1);
    {
        overheard heard;
        run_threads(3, [&](runtime& rt) {
            grid<1> const g{rt, {60}};
            array<double, 1> a{g, shadow{1}, 0.0, "a"}, b{g, shadow{1}, 0.0, "b"};
            auto ha = reflect_init(a), hb = reflect_init(b);
            if (rt.rank() == 2) heard.await("for rank 1 in epoch 1 of halo of \"a\"");
            hb.start();
            if (rt.rank() == 0) {
                auto const waits_for_2 = [](auto const& w) {
                    return w && w->waits && w->awaited == std::vector<waiting_rank::source>{{2, false}};
                };
                while (!waits_for_2(rt.job().waits->look_at(1))) {
                    static_cast<void>(hb.test());
                    sched_yield();
                }
            }
            if (rt.rank() != 0) hb.wait();
            ha();
            if (rt.rank() == 0) hb.wait();
        });
        EXPECT_THAT(heard.text(), HasSubstr("rank 0: this rank has waited"));
        EXPECT_THAT(heard.text(),
                    HasSubstr("for rank 1 in epoch 1 of halo of \"a\" (that rank is alive, and waits for rank 2 in epoch 1 of "
                              "halo of \"b\")"));
    }
    unsetenv("SODE_WARN");
}

} // namespace
} // namespace sode::internal::testing
