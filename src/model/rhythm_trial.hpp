// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sode::internal {

/// Which of two ways leaves a program faster, by the time from one message to the next.
///
/// A message's own time ends with its last byte. A way can cost more than that: where the receiver has copied from the sender's
/// buffer, the sender finds the lines of it in another cache when it writes there again. Both ways carry some messages in turn, and
/// what counts is how soon the program comes with the next one. The other way has to win nearly every pair of turns, because a
/// rhythm is of all that the program does (docs/decisions/0111).
class rhythm_trial {
public:
    static constexpr unsigned in_turn = 4; ///< messages; the first of a turn meets what the other way has left
    static constexpr std::size_t pairs = 6;
    static constexpr std::size_t must_win = 5;
    static constexpr double wins = 0.98, better = 0.96; ///< in one pair, and in the middle of all
    static constexpr double lost = 1.1;                 ///< two pairs by so much are enough
    static constexpr double most_beside = 12;           ///< times a message's own time: the program does something else

    /// From the next message on. `kept_ns`, `other_ns`: what a message takes by itself.
    void begin(double kept_ns, double other_ns) noexcept {
        *this = {};
        own_ns_ = {kept_ns, other_ns};
        running_ = true;
    }
    [[nodiscard]] bool running() const noexcept { return running_; }
    /// A message begins. \return whether it goes the other way; nothing: the trial is over
    [[nodiscard]] std::optional<bool> next(std::int64_t now_ns) noexcept {
        if (messages_ > 0 && (messages_ - 1) % in_turn != 0) gaps_[(messages_ - 1) % in_turn - 1] = now_ns - last_ns_;
        if (messages_ > 0 && messages_ % in_turn == 0) end_turn();
        if (!running_) return std::nullopt;
        last_ns_ = now_ns;
        return goes_other(messages_++ / in_turn);
    }
    /// Whether messages of the other way bring the next ones sooner, for sure.
    [[nodiscard]] bool won() const noexcept {
        std::array<double, pairs> ratios{};
        for (std::size_t p = 0; p < pairs; ++p) ratios[p] = other_[p] / std::max(kept_[p], 1.0);
        auto const clear = std::count_if(ratios.begin(), ratios.end(), [](double r) { return r < wins; });
        return pairs_ == pairs && clear >= static_cast<std::ptrdiff_t>(must_win) && middle(ratios, pairs) < better;
    }
    /// By how much, more or less; negative: later. Nothing: nobody can tell, because the trial has been given up.
    [[nodiscard]] std::optional<double> gained_ns() const noexcept {
        if (running_ || pairs_ == 0 || given_up_) return std::nullopt;
        std::array<double, pairs> gains{};
        for (std::size_t p = 0; p < pairs_; ++p) gains[p] = kept_[p] - other_[p];
        return middle(gains, pairs_);
    }

private:
    template <class T, std::size_t N> [[nodiscard]] static T middle(std::array<T, N> values, std::size_t count) noexcept {
        auto const at = values.begin() + static_cast<std::ptrdiff_t>(count / 2);
        std::nth_element(values.begin(), at, values.begin() + static_cast<std::ptrdiff_t>(count));
        return *at;
    }
    /// The first of a pair by turns, so that what grows or shrinks meanwhile counts for both.
    [[nodiscard]] static bool goes_other(std::size_t turn) noexcept { return (turn % 2 != 0) != (turn / 2 % 2 != 0); }

    void end_turn() noexcept {
        std::size_t const turn = messages_ / in_turn - 1, pair = turn / 2;
        bool const other = goes_other(turn);
        double const gap = static_cast<double>(middle(gaps_, gaps_.size()));
        double const own = own_ns_[other ? 1 : 0];
        // Shorter than a message: several are under way at once, and how soon one can be begun says nothing.
        if (gap < own || gap > most_beside * own) {
            running_ = false;
            given_up_ = true;
            return;
        }
        (other ? other_ : kept_)[pair] = gap;
        if (turn % 2 == 0) return;
        in_vain_ = other_[pair] > lost * kept_[pair] ? in_vain_ + 1 : 0;
        pairs_ = pair + 1;
        running_ = pairs_ < pairs && in_vain_ < 2;
    }

    std::array<double, 2> own_ns_{};
    std::array<double, pairs> kept_{}, other_{};
    std::array<std::int64_t, in_turn - 1> gaps_{};
    std::int64_t last_ns_ = 0;
    std::size_t messages_ = 0;
    unsigned in_vain_ = 0;
    std::size_t pairs_ = 0; // that are over
    bool running_ = false;
    bool given_up_ = false;
};

} // namespace sode::internal
