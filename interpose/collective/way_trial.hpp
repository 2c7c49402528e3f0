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
/// what those took, and the one whose slowest rank was faster stays until the next look. Where the first half of a look is clear,
/// the second is left out. Looks get rarer, the sooner the clearer they were, and cost little beside what lies between them.
///
/// The slowest rank, because a call is over when it is over everywhere: of what the others save they spend most in their next wait
/// for it. A sum would take a root that is done early for a fast broadcast.
///
/// All that decides is equal on all ranks: numbers of calls, and times that the ranks have agreed on.
class way_trial {
public:
    static constexpr std::size_t in_turn = 3; ///< calls that one carries before the other
    static constexpr std::uint64_t looked_at = 8 * in_turn;
    static constexpr std::uint64_t half = looked_at / 2;
    static constexpr std::uint64_t first_break = 128; ///< calls from one look to the next; then four times as many
    static constexpr std::uint64_t longest_break = 1 << 18;
    static constexpr double better = 0.95;    ///< the other one must need less than this part of the time
    static constexpr double clear = 1.5;      ///< times as long: half a look is enough
    static constexpr double most_lost = 0.01; ///< of the time, in looks that find again what is known

    /// The ranks must agree on what they measured, before the next call.
    [[nodiscard]] bool over() const noexcept { return (calls_ == half || calls_ == looked_at) && undecided(); }
    /// They have not agreed since, which they may do later where they cannot at once.
    [[nodiscard]] bool undecided() const noexcept { return !decided_ && calls_ >= (half_heard_ ? looked_at : half); }
    /// Of a call.
    struct turn {
        carrier who;
        bool counts; ///< what it takes is to be told
    };
    /// Counts a call.
    [[nodiscard]] turn next() noexcept {
        if (calls_ == next_look_) look_again();
        auto const call = calls_++;
        if (!decided_ && call < looked_at) return {static_cast<carrier>(call / in_turn % 2), true};
        return {stays_, false};
    }
    /// Counts a call if it is MPI's, and nothing is to be told; else it does nothing.
    [[nodiscard]] bool stays_with_mpi() noexcept {
        if (!decided_ || stays_ != carrier::mpi || calls_ == next_look_) return false;
        ++calls_;
        return true;
    }
    /// A call of the look took so long on this rank.
    void took(carrier which, std::int64_t ns) noexcept {
        auto const i = static_cast<std::size_t>(which);
        if (taken_[i] < of_each) times_[i][taken_[i]++] = ns;
    }
    /// What this rank measured: medians, so that neither an interrupt decides nor a rank that was late; of all turns but the first
    /// one of each, in which memory is touched for the first time and nothing is in a cache. After half a look, `doubtful` of both
    /// where times differ among themselves as much as the two ways may.
    [[nodiscard]] std::array<std::int64_t, 2> measured() const {
        auto const plan = of(0), mpi = of(1);
        if (calls_ < looked_at && (plan.varies || mpi.varies)) return {doubtful, doubtful};
        return {plan.middle, mpi.middle};
    }
    /// The most of the above of all ranks: by plan, by MPI.
    void decide(std::array<std::int64_t, 2> const& slowest) noexcept {
        if (calls_ < looked_at) {
            half_heard_ = true;
            auto const [least, most] = std::minmax({static_cast<double>(slowest[0]), static_cast<double>(slowest[1])});
            if (least <= 0 || most < clear * least) return;
        }
        choose(slowest);
        decided_ = true;
        auto const rare = std::max(break_, worth(slowest, half));
        next_look_ = calls_ + (break_ == first_break ? break_ : rare); // what is found cold is looked at soon
    }

    /// Another trial of the same calls, `calls` of each way, took so long, of all ranks the most: it knows better who stays, and
    /// how soon the next look pays.
    void overrule(std::array<std::int64_t, 2> const& slowest, std::uint64_t calls) noexcept {
        choose(slowest);
        next_look_ = std::max(next_look_, calls_ + worth(slowest, calls));
    }

private:
    static constexpr std::size_t of_each = looked_at / 2;
    static constexpr std::int64_t doubtful = std::int64_t{1} << 62;
    struct summary {
        std::int64_t middle = 0;
        bool varies = false;
    };
    [[nodiscard]] summary of(std::size_t which) const {
        auto const& all = times_[which];
        auto const n = taken_[which];
        if (n == 0) return {};
        std::vector<std::int64_t> t{all.begin() + (n > in_turn ? in_turn : 0), all.begin() + n};
        std::ranges::sort(t);
        return {(t[(t.size() - 1) / 2] + t[t.size() / 2]) / 2,
                static_cast<double>(t.back()) > clear * static_cast<double>(t.front())};
    }
    void choose(std::array<std::int64_t, 2> const& slowest) noexcept {
        auto const now = static_cast<std::size_t>(stays_), other = 1 - now;
        if (static_cast<double>(slowest[other]) < better * static_cast<double>(slowest[now])) stays_ = static_cast<carrier>(other);
    }
    /// Calls until the next look, of which so many go the slower way, has cost no more than it may.
    [[nodiscard]] static std::uint64_t worth(std::array<std::int64_t, 2> const& slowest, std::uint64_t slower) noexcept {
        auto const [least, most] = std::minmax({static_cast<double>(slowest[0]), static_cast<double>(slowest[1])});
        double const lost = least > 0 ? static_cast<double>(slower) * (most / least - 1) : 0;
        return static_cast<std::uint64_t>(std::min(lost / most_lost, static_cast<double>(longest_break)));
    }
    void look_again() noexcept {
        if (decided_) break_ = std::min(4 * break_, longest_break);
        next_look_ = looked_at + break_;
        calls_ = 0;
        taken_ = {};
        decided_ = half_heard_ = false;
    }

    std::uint64_t calls_ = 0; // since the look began
    std::uint64_t break_ = first_break;
    std::uint64_t next_look_ = looked_at + first_break;
    std::array<std::array<std::int64_t, of_each>, 2> times_{};
    std::array<std::size_t, 2> taken_{};
    bool decided_ = false;
    bool half_heard_ = false; // and the ranks go on
    carrier stays_ = carrier::plan;
};

} // namespace sode::internal::interpose
