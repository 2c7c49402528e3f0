// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace sode::internal::interpose {

/// Who carries a call of a communicator.
enum class carrier : std::uint8_t { plan, mpi };

/// Who carries a call that comes again and again, by trial: its plan and MPI carry some calls in turn, the ranks tell each other
/// what those took, and the one whose slowest rank was faster stays until the next look. Looks get rarer, and cost little beside
/// what lies between them.
///
/// The slowest rank, because a call is over when it is over everywhere: of what the others save they spend most in their next wait
/// for it. A sum would take a root that is done early for a fast broadcast.
///
/// All that decides is equal on all ranks: numbers of calls, and times that the ranks have agreed on.
class way_trial {
public:
    static constexpr std::size_t in_turn = 3; ///< calls that one carries before the other
    static constexpr std::uint64_t looked_at = 8 * in_turn;
    static constexpr std::uint64_t first_break = 128; ///< calls from one look to the next; then four times as many
    static constexpr std::uint64_t longest_break = 1 << 18;
    static constexpr double better = 0.95; ///< the other one must need less than this part of the time

    /// The ranks must agree on what they measured, before the next call.
    [[nodiscard]] bool over() const noexcept { return calls_ == looked_at && !decided_; }
    /// They have not agreed since, which they may do later where they cannot at once.
    [[nodiscard]] bool undecided() const noexcept { return calls_ >= looked_at && !decided_; }
    /// Of a call.
    struct turn {
        carrier who;
        bool counts; ///< what it takes is to be told
    };
    /// Counts a call.
    [[nodiscard]] turn next() noexcept {
        if (calls_ == break_ + looked_at) {
            break_ = std::min(4 * break_, longest_break);
            calls_ = 0;
            taken_ = {};
            decided_ = false;
        }
        auto const call = calls_++;
        if (call < looked_at) return {static_cast<carrier>(call / in_turn % 2), true};
        return {stays_, false};
    }
    /// A call of the look took so long on this rank.
    void took(carrier which, std::int64_t ns) noexcept {
        auto const i = static_cast<std::size_t>(which);
        if (taken_[i] < of_each) times_[i][taken_[i]++] = ns;
    }
    /// What this rank measured: medians, so that neither an interrupt decides nor a rank that was late; of all turns but the first
    /// one of each, in which memory is touched for the first time and nothing is in a cache.
    [[nodiscard]] std::array<std::int64_t, 2> measured() const { return {middle(0), middle(1)}; }
    /// The most of the above of all ranks: by plan, by MPI.
    void decide(std::array<std::int64_t, 2> const& slowest) noexcept {
        auto const now = static_cast<std::size_t>(stays_), other = 1 - now;
        if (static_cast<double>(slowest[other]) < better * static_cast<double>(slowest[now])) stays_ = static_cast<carrier>(other);
        decided_ = true;
    }

private:
    static constexpr std::size_t of_each = looked_at / 2;
    [[nodiscard]] std::int64_t middle(std::size_t which) const {
        auto const& all = times_[which];
        auto const n = taken_[which];
        if (n == 0) return 0;
        std::vector<std::int64_t> t{all.begin() + (n > in_turn ? in_turn : 0), all.begin() + n};
        std::ranges::sort(t);
        return (t[(t.size() - 1) / 2] + t[t.size() / 2]) / 2;
    }

    std::uint64_t calls_ = 0; // since the look began
    std::uint64_t break_ = first_break;
    std::array<std::array<std::int64_t, of_each>, 2> times_{};
    std::array<std::size_t, 2> taken_{};
    bool decided_ = false;
    carrier stays_ = carrier::plan;
};

} // namespace sode::internal::interpose
