// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune/turns.hpp"
#include "tune/workplace.hpp"

namespace sode::internal::tools {

/// Rank `timed` of two takes the times of `work`; before each time it does `mine`, then the other rank does `others`. Both call
/// this. Returns the median at `timed`, 0 at the other one.
template <class Mine, class Others, class Work>
[[nodiscard]] double by_turns(int rank, int timed, workplace const& here, turns& turn, Mine mine, Others others, Work work) {
    if (rank == timed)
        return here.time(
            [&] {
                mine();
                turn.say();
                turn.hear();
            },
            work);
    for (int i = 0; i < workplace::repetitions; ++i) {
        turn.hear();
        others();
        turn.say();
    }
    return 0;
}

} // namespace sode::internal::tools
