// SPDX-License-Identifier: Apache-2.0
// Ranks of which some pretend to be on another machine: what needs shared memory says so, on all ranks.
#include "support/mini_bootstrap.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

/// A runtime owns its bootstrap; the test's belongs to the test.
class borrowed final : public bootstrap {
public:
    explicit borrowed(bootstrap& real) : real_(real) {}
    int rank() const noexcept override { return real_.rank(); }
    int size() const noexcept override { return real_.size(); }
    std::string_view name() const noexcept override { return real_.name(); }
    std::vector<int> machines() override { return real_.machines(); }
    void allgather(void const* mine, std::size_t bytes, void* all) override { real_.allgather(mine, bytes, all); }
    std::optional<std::string> departed(int rank) noexcept override { return real_.departed(rank); }

private:
    bootstrap& real_;
};

template <class F> std::string message(F f) {
    try {
        f();
    } catch (error const& e) {
        return e.what();
    }
    return "no error";
}

void on_two_machines(std::function<void(runtime&)> const& program) {
    run_processes(4,
                  [&](bootstrap& boot) {
                      runtime rt{std::make_unique<borrowed>(boot)};
                      program(rt);
                  },
                  {.machines = {0, 0, 1, 1}});
}

TEST(OtherMachine, PeerViewsReachTheirOwnMachine) {
    on_two_machines([](runtime& rt) {
        array<int, 1> a{grid<1>{rt, {8}}, {}, 0, "a"};
        loop(a.all(), [v = *a](auto i) { v(i) = static_cast<int>(i); });
        peer_view const all{a};
        rt.barrier();
        int const first = rt.rank() < 2 ? 0 : 4;
        for (int i = 0; i < 8; ++i) {
            EXPECT_EQ(all.reaches(i), i >= first && i < first + 4);
            EXPECT_TRUE(!all.reaches(i) || all(i) == i);
        }
        EXPECT_THAT(message([&] { static_cast<void>(all(7 - first)); }),
                    HasSubstr(rt.rank() < 2 ? "element (7) of array \"a\" cannot be read on rank " + std::to_string(rt.rank()) +
                                                  " (the owner, rank 3, is on machine 1, and this rank is on machine 0)"
                                            : "the owner, rank 1, is on machine 0, and this rank is on machine 1"));
        // A copy on the own machine is found.
        nodes<2> const p{rt, {2, 2}};
        array<int, 1> b{align(distribution<2>{p, {2, 6}, {block, block}}, {6}, {1}), {}, 5};
        peer_view const near{b};
        rt.barrier();
        for (int i = 0; i < 6; ++i) EXPECT_EQ(near(i), 5);
        rt.barrier();
    });
}

TEST(OtherMachine, CopiesWantMessages) {
    on_two_machines([](runtime& rt) {
        nodes<1> const p{rt, {4}};
        array<int, 1> a{grid<1>{rt, {8}}, {}, 3, "a"}, b{distribution<1>{p, {8}, {cyclic}}, {}, 0, "b"};
        EXPECT_THAT(message([&] { copy(b, a); }),
                    HasSubstr("copy of \"a\" to \"b\" needs messages between ranks that share no memory"));
        // Within a machine it works, on both at once.
        auto const low = p.sub({{0}, {2}}), high = p.sub({{2}, {4}});
        for (auto const& half : {low, high}) {
            array<int, 1> c{distribution<1>{half, {9}, {block}}, {}, 4}, d{distribution<1>{half, {9}, {cyclic}}};
            copy(d, c);
            loop(d.all(), [v = d.cyclic_view()](auto i) { EXPECT_EQ(v(i), 4); });
        }
    });
}

} // namespace
} // namespace sode::internal::testing
