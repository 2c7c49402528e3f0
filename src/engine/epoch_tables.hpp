// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/binding.hpp"
#include "engine/bound_step.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sode::internal {

/// The addresses that the numbers in a plan mean in an epoch. Which instance of each buffer and counter that is depends on the
/// epoch, by its slots, and on the halves of the arrays; there is a table for each combination that has occurred, and no more than
/// `most_tables`: then the oldest gives way. Their memory is there from the beginning.
class epoch_tables {
public:
    static constexpr std::size_t most_tables = 16;

    /// Errors: internal, if what an epoch adds to a counter is no number of 32 bits.
    epoch_tables(schedule const& p, binding const& places);

    struct table {
        bound_step const* steps = nullptr;    ///< as plan::descriptors
        std::byte* const* operands = nullptr; ///< as plan::operands: where each begins
    };
    /// `halves`: bit g % 64 of word g / 64 is the half at which array group g is. Cost: two comparisons where what follows what is
    /// as it was before; for a new combination a look at every entry of the plan.
    [[nodiscard]] table const& of(std::uint64_t epoch, std::span<std::uint64_t const> halves) {
        auto const phase = mask_ != no_mask ? epoch & mask_ : phase_of(epoch);
        auto const next = known_[now_].next;
        if (known_[next].phase != phase || !has_halves(next, halves)) [[unlikely]]
            return look_up(epoch, phase, halves);
        now_ = next;
        return known_[next].places;
    }
    /// The places are other ones from now on. Not during an epoch.
    void forget() noexcept {
        made_ = oldest_ = now_ = 0;
        for (auto& k : known_) k = {};
    }
    /// After so many epochs the slots come again; 0: too many to say.
    [[nodiscard]] std::uint64_t period() const noexcept { return period_; }
    /// Combinations that it has tables for.
    [[nodiscard]] std::size_t known() const noexcept { return made_; }

private:
    static constexpr std::uint64_t no_mask = std::numeric_limits<std::uint64_t>::max();
    struct combination {
        std::uint64_t phase = std::numeric_limits<std::uint64_t>::max(); // of no epoch
        std::size_t next = 0;                                            // what came after it last time
        table places{};
    };

    [[nodiscard]] std::uint64_t phase_of(std::uint64_t epoch) const noexcept { return period_ == 0 ? epoch : epoch % period_; }
    [[nodiscard]] bool has_halves(std::size_t i, std::span<std::uint64_t const> halves) const noexcept {
        for (std::size_t w = 0; w < words_; ++w)
            if (halves_[i * words_ + w] != halves[w]) return false;
        return true;
    }
    [[gnu::noinline]] table const& look_up(std::uint64_t epoch, std::uint64_t phase, std::span<std::uint64_t const> halves);
    void make(std::size_t i, std::uint64_t epoch, std::span<std::uint64_t const> halves);

    schedule const& plan_;
    binding const& places_;
    std::uint64_t period_ = 1; // after so many epochs all slots come again; 0: too many to say
    std::uint64_t mask_;       // of the epoch, where the period is a power of two
    std::size_t words_;        // of halves
    std::size_t made_ = 0;
    std::size_t oldest_ = 0;
    std::size_t now_ = 0;
    std::vector<combination> known_;
    std::vector<std::uint64_t> halves_;
    std::vector<bound_step> steps_;
    std::vector<std::byte*> operands_;
};

} // namespace sode::internal
