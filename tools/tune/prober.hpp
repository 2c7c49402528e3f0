// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/probe.hpp"

#include <array>

namespace sode::internal::tools {

/// How far apart the cores of two ranks are, again and again.
class prober {
public:
    /// Collective of two ranks.
    prober(bootstrap& boot, space& memory) : memory_(memory), rank_(boot.rank()), lines_{memory.offset(memory.allocate(128)), 0} {
        std::array<std::uint64_t, 2> all{};
        boot.allgather(&lines_.own, sizeof lines_.own, all.data());
        lines_.peer = all[static_cast<std::size_t>(1 - rank_)];
    }
    /// Both call this at about the same time; unknown if the other one does not come.
    [[nodiscard]] pair_distance look() { return probe_pair(memory_, rank_, 1 - rank_, lines_, ++turn_); }

private:
    space& memory_;
    int rank_;
    probe_lines lines_;
    std::uint64_t turn_ = 0;
};

} // namespace sode::internal::tools
