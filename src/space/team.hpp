// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"
#include "space/job_part.hpp"
#include "space/space.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sode::internal {

/// Ranks that plan together: all those of the job, or a part of them. They have collectives among each other, know which machine
/// each of them is on, and meet whenever they plan.
///
/// In a meeting each rank tells what others may want to look up, and reads it of those that it needs: what a plan costs to set up
/// grows with a rank's neighbours, and with the logarithm of the ranks for the meeting itself, not with the ranks.
class team {
public:
    /// Collective among the ranks of `boot`: the whole job, or those of `part`. All outlive it.
    /// `machines`: of these ranks, as they are numbered here.
    team(bootstrap& boot, space& memory, machine_map machines, job_part const* part = nullptr);

    [[nodiscard]] int rank() const noexcept { return boot_.rank(); }
    [[nodiscard]] int size() const noexcept { return boot_.size(); }
    [[nodiscard]] machine_map const& machines() const noexcept { return machines_; }
    [[nodiscard]] bootstrap& boot() const noexcept { return boot_; }
    /// A number for a plan of this team: how many there were before. The same on all ranks, as planning is collective.
    [[nodiscard]] std::uint64_t next_serial() noexcept { return plans_++; }
    /// What `rank` of this team is called in the job: in all that ranks tell each other, or users, of waits.
    [[nodiscard]] int job_rank(int rank) const noexcept { return part_ && rank >= 0 ? part_->job_rank(rank) : rank; }
    /// What ranks of the job call plan `serial` of this team in what they tell of waits: from 1.
    [[nodiscard]] std::uint64_t plan_number(std::uint64_t serial) const noexcept {
        return part_ ? part_->number_of(serial + 1) : serial + 1; // number_of(0): its collective calls
    }

    /// What a rank tells in a meeting, in the words of whoever called it.
    using notice = std::array<std::uint64_t, 6>;
    /// Collective. Tells `mine`; `maxima` and `sums` become those over all ranks. Errors: those of bootstrap::combine.
    void meet(notice const& mine, std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums);
    /// What `rank`, of this machine, told in the last meeting. To be asked before the next one.
    [[nodiscard]] notice told_by(int rank) const;
    /// How often this rank has asked that so far.
    [[nodiscard]] std::uint64_t looked_up() const noexcept { return looked_up_; }

    /// Tells ranks of this machine something outside of meetings, for as long as it takes: its first word, not 0, says what. 0: no
    /// more.
    void announce(notice const& what) noexcept;
    /// What `rank`, of this machine, announces under that word, if it does so now.
    [[nodiscard]] std::optional<notice> announced_by(int rank, std::uint64_t what) const noexcept;

    /// All ranks have left: nobody will read here what this one has told.
    void end() noexcept;

private:
    using word = std::atomic<std::uint64_t>;
    [[nodiscard]] static std::byte* page_of(std::byte* pages, std::uint64_t meeting) noexcept;
    [[nodiscard]] std::byte* pages_of(int rank) const noexcept { return pages_[static_cast<std::size_t>(machines_.place(rank))]; }

    bootstrap& boot_;
    space& memory_;
    job_part const* part_; // null: the whole job
    machine_map machines_;
    std::uint64_t plans_ = 0;
    std::uint64_t meetings_ = 0;
    mutable std::uint64_t looked_up_ = 0;
    std::vector<std::byte*>
        pages_; ///< where those of this machine tell, by their place on it: two notices each, used in turn, and what they announce
};

} // namespace sode::internal
