// SPDX-License-Identifier: Apache-2.0
// Ranks that meet: each hears what those of its machine have told, this time and not another time, and whether all came for the
// same thing.
#include "space/team.hpp"

#include "support/mini_bootstrap.hpp"

#include <array>
#include <numeric>

namespace sode::internal::testing {
namespace {

constexpr std::size_t arena_bytes = std::size_t{1} << 22;

void meet_often(bootstrap& boot) {
    auto const memory = make_space(boot, arena_bytes);
    team ranks{boot, *memory, boot.machines()};
    EXPECT_EQ(ranks.rank(), boot.rank());
    EXPECT_EQ(ranks.size(), boot.size());
    auto const& machines = ranks.machines();
    for (std::uint64_t m = 0; m < 50; ++m) {
        EXPECT_EQ(ranks.next_serial(), m);
        auto const me = static_cast<std::uint64_t>(boot.rank());
        bool const differs = m % 5 == 3;
        auto const purpose = differs ? me : m;
        std::array<std::uint64_t, 2> extremes{purpose, ~purpose};
        ranks.meet({m, me, 7 * m + me}, extremes, {});
        EXPECT_EQ(extremes[0] == ~extremes[1], !differs || boot.size() == 1) << "meeting " << m;
        if (me % 2 == 0) ::sched_yield();
        for (int const r : machines.on(machines.of(boot.rank()))) {
            auto const told = ranks.told_by(r);
            auto const who = static_cast<std::uint64_t>(r);
            EXPECT_EQ(told, (team::notice{m, who, 7 * m + who})) << "meeting " << m << ", rank " << r;
        }
    }
}

// Else a plan that is started would look as if a call had not been entered, and who is about to leave it as if it waited for ever.
TEST(team, no_plan_of_a_part_has_the_number_of_its_collective_calls) {
    run_threads(1, [](bootstrap& boot) {
        auto const memory = make_space(boot, arena_bytes);
        job_part const part{{0}, 4711};
        team const ranks{boot, *memory, boot.machines(), &part};
        for (std::uint64_t serial = 0; serial < 100; ++serial) EXPECT_NE(ranks.plan_number(serial), part.number_of(0));
    });
}

TEST(team, ranks_hear_what_was_told_in_this_meeting) {
    for (int ranks : {1, 2, 3, 4, 6, 8}) {
        run_processes(ranks, meet_often);
        run_threads(ranks, meet_often);
    }
}

TEST(team, ranks_of_several_machines_meet) {
    run_processes(6, meet_often, {.machines = {0, 1, 0, 2, 1, 0}});
    run_processes(4, meet_often, {.machines = {0, 0, 1, 1}});
}

} // namespace
} // namespace sode::internal::testing
