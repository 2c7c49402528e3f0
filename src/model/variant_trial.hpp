// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sode::internal {

/// Which of some variants of an exchange runs, by trial: they take turns for some epochs, the ranks add up what those took, and the
/// fastest one stays until the next look. Variant 0 is what the model proposes.
///
/// All that decides is equal on all ranks: numbers of epochs, and sums that arrive in a later epoch than the one in which they are
/// published, so that nobody waits for somebody who is behind.
class variant_trial {
public:
    static constexpr std::size_t most = 6;
    static constexpr std::uint64_t warm_up = 4;
    static constexpr std::uint64_t in_turn = 3; ///< epochs of a variant; the first of them is not timed
    static constexpr std::uint64_t turns = 4;   ///< of each variant
    static constexpr std::uint64_t first_break = 4096, longest_break = std::uint64_t{1} << 20; ///< from one look to the next
    static constexpr double better = 0.95; ///< another one must need less than this part of the time

    variant_trial() = default;
    /// `behind`: epochs that a rank may be ahead of another one, at least one.
    variant_trial(std::size_t variants, std::uint64_t behind) noexcept
        : variants_(std::min(variants, most)), behind_(std::max<std::uint64_t>(behind, 1)) {}

    struct step {
        std::size_t variant = 0;
        bool timed = false;
        bool publishes = false; ///< measured(), before this epoch
        bool decides = false;   ///< the sums are wanted, before this epoch: decide(), and its answer is the variant
    };
    /// Of the next epoch.
    [[nodiscard]] step next() noexcept {
        if (variants_ < 2) return {};
        auto const n = epoch_++;
        std::uint64_t const look = in_turn * turns * variants_;
        if (n < warm_up) return {stays_};
        if (n < warm_up + look) {
            auto const at = n - warm_up;
            return {static_cast<std::size_t>(at / in_turn % variants_), at % in_turn != 0};
        }
        if (n == warm_up + look) return {.variant = stays_, .publishes = true};
        if (n == warm_up + look + behind_) return {.variant = stays_, .decides = true};
        if (n == warm_up + look + behind_ + break_) {
            break_ = std::min(4 * break_, longest_break);
            epoch_ = 0;
            taken_ = {};
        }
        return {stays_};
    }
    /// An epoch that was timed took so long on this rank.
    void took(std::size_t variant, std::int64_t ns) noexcept {
        if (variant < most && taken_[variant] < of_each) times_[variant][taken_[variant]++] = ns;
    }
    /// Medians of this rank, so that neither an interrupt decides nor a rank that was late.
    [[nodiscard]] std::uint64_t measured(std::size_t variant) const noexcept {
        auto t = times_[variant];
        auto const n = taken_[variant];
        if (n == 0) return 0;
        std::nth_element(t.begin(), t.begin() + n / 2, t.begin() + n);
        return static_cast<std::uint64_t>(std::max<std::int64_t>(t[n / 2], 0));
    }
    /// The sums of the above over all ranks. \return the variant that stays
    std::size_t decide(std::span<std::uint64_t const> sums) noexcept {
        std::size_t best = stays_;
        for (std::size_t v = 0; v < variants_; ++v) {
            sums_[v] = sums[v];
            if (sums[v] > 0 && sums[v] < sums[best]) best = v;
        }
        if (static_cast<double>(sums[best]) < better * static_cast<double>(sums[stays_])) stays_ = best;
        return stays_;
    }
    [[nodiscard]] std::size_t variants() const noexcept { return variants_; }
    [[nodiscard]] std::size_t stays() const noexcept { return stays_; }
    /// Sum over all ranks of the last look, nanoseconds; 0: there was none.
    [[nodiscard]] std::uint64_t sum(std::size_t variant) const noexcept { return sums_[variant]; }

private:
    static constexpr std::size_t of_each = (in_turn - 1) * turns;

    std::size_t variants_ = 0;
    std::uint64_t behind_ = 1;
    std::uint64_t epoch_ = 0; // since the look began
    std::uint64_t break_ = first_break;
    std::size_t stays_ = 0;
    std::array<std::array<std::int64_t, of_each>, most> times_{};
    std::array<std::size_t, most> taken_{};
    std::array<std::uint64_t, most> sums_{};
};

} // namespace sode::internal
