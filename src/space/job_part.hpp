// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/mixing.hpp"

#include <cstdint>
#include <vector>

namespace sode::internal {

/// Some ranks of a job that are a team of their own, and are numbered anew: the one with number i is rank members[i] of the job.
struct job_part {
    std::vector<int> members{};
    std::uint64_t key = 0; ///< equal on its members; another one for each part that any of them are in

    [[nodiscard]] int size() const noexcept { return static_cast<int>(members.size()); }
    [[nodiscard]] int job_rank(int number) const noexcept { return members[static_cast<std::size_t>(number)]; }
    /// What the ranks of the job tell each other of plan `serial` of this part: no number that a plan of the whole job has, and
    /// another one for each part, as far as 31 bits go. It serves messages and checks only.
    [[nodiscard]] std::uint64_t number_of(std::uint64_t serial) const noexcept {
        auto hash = key;
        mix(hash, serial);
        return std::uint64_t{1} << 31U | (hash & 0x7fffffffU);
    }
};

} // namespace sode::internal
