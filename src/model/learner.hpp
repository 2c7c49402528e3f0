// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/way_times.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sode::internal {

/// Finds by trying which of several ways is the fastest for what is done again and again: the model proposes, the times decide.
///
/// Ways that the model expects to take five times as long as the best are not tried; others a few times, those that are close more
/// often. Then the fastest is kept, and looked at now and then: when its times change for good, or another way's single try was
/// better, ways are tried again. What trying costs stays within a budget that grows with the messages (docs/decisions/0027, 0111).
///
/// Knows no clock: who asks tells it the times, and only those that mean something (nobody computed meanwhile). Where no time ever
/// comes, the model's choice stands. No allocation; one thread at a time.
class learner {
public:
    static constexpr std::size_t most_ways = 6;

    learner() = default;
    /// `predicted_ns`: by way; not above zero, or not finite: that way cannot be. At least one can; no more than `most_ways`.
    explicit learner(std::span<double const> predicted_ns) noexcept;
    /// What somebody else has measured, by way; 0: that way was not tried. The fastest is kept from the first message on, and
    /// looked at now and then, as if it had been found here. Nothing happens where no possible way has a time.
    void adopt(std::span<double const> measured_ns) noexcept;

    struct asked {
        std::size_t way = 0;
        bool timed = false; ///< how long it takes is of use
    };
    /// The way of the next message. Cost: a nanosecond where nothing is to be learnt.
    [[nodiscard]] asked next() noexcept {
        if (quiet_ == 0) return think();
        --quiet_;
        return {chosen_, false};
    }
    /// Whether next() will look at what was told until now: note() had better come first.
    [[nodiscard]] bool wonders() const noexcept { return quiet_ == 0; }
    /// What a message took, from its first call to its end. Not of messages during which somebody did something else.
    void note(std::size_t way, double ns) noexcept;

    /// Messages of that way leave the program best off: the next one comes so much later after one of each other way; negative:
    /// not known. What ways cost beside their own time is added to it from now on, so that times order them alike.
    void prefer(std::size_t way, std::span<double const> behind_ns) noexcept;

    /// The way that is kept at present.
    [[nodiscard]] std::size_t chosen() const noexcept { return chosen_; }
    /// Whether nothing is being tried.
    [[nodiscard]] bool settled() const noexcept { return settled_; }
    [[nodiscard]] std::size_t ways() const noexcept { return count_; }
    [[nodiscard]] bool possible(std::size_t way) const noexcept { return ways_[way].predicted > 0; }
    [[nodiscard]] double predicted(std::size_t way) const noexcept { return ways_[way].predicted; }
    /// Times that were told, ever.
    [[nodiscard]] std::uint64_t tried(std::size_t way) const noexcept { return ways_[way].told; }
    /// What it usually took, with what it costs beside that; 0: never tried.
    [[nodiscard]] double measured(std::size_t way) const noexcept { return ways_[way].guess; }
    /// Without that.
    [[nodiscard]] double by_itself(std::size_t way) const noexcept { return ways_[way].guess - ways_[way].beside; }

private:
    struct one {
        double predicted = 0; ///< 0: cannot be
        double guess = 0;     ///< what it usually took when it was looked at last
        double beside = 0;    ///< of that, what it costs the program afterwards
        std::uint64_t told = 0;
        unsigned unseen = 0; ///< tries in a row of which nobody told a time
        way_times times;
    };

    asked think() noexcept;
    asked ask(std::size_t way, unsigned quiet) noexcept;
    [[nodiscard]] double expected(one const& w) const noexcept;
    [[nodiscard]] double best() const noexcept;
    [[nodiscard]] bool within_reach(one const& w) const noexcept;
    [[nodiscard]] bool affords(one const& w) const noexcept;
    [[nodiscard]] bool met_cold_memory(one const& w) const noexcept;
    [[nodiscard]] std::size_t tries_wanted(one const& w) const noexcept;
    [[nodiscard]] bool wants_more_at_once(one const& w) const noexcept;
    [[nodiscard]] std::size_t probe() noexcept;
    void choose() noexcept;
    static void put_beside(one& w, double ns) noexcept;
    void look_again() noexcept;

    std::uint32_t quiet_ = 0; ///< messages until the next thought
    std::size_t chosen_ = 0;
    std::size_t first_ = most_ways; ///< the way that was tried first
    bool was_cold_ = false;         ///< its second try took far less than its first
    std::array<one, most_ways> ways_{};
    std::size_t count_ = 0;
    std::uint64_t messages_ = 0;
    double spent_ = 0;                ///< on tries, beyond what the chosen way would have taken
    double reference_ = 0;            ///< what the chosen way took when it was settled
    std::size_t pending_ = most_ways; ///< the way of which a time was asked for; most_ways: it was told
    std::uint32_t questions_ = 0;     ///< lately: how long a message took
    std::uint32_t answers_ = 0;
    std::uint32_t looks_ = 0;        ///< at the chosen way, since the last one at another
    std::uint32_t probes_ = 0;       ///< looks at other ways, since it was settled
    std::size_t probed_ = 0;         ///< the way that was tried last while settled
    std::size_t latest_ = most_ways; ///< the way that was asked for last
    bool warm_ = false;              ///< that was a look at another way, and the next one meets what it has warmed
    bool settled_ = false;
};

} // namespace sode::internal
