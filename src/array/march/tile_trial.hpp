// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace sode::internal {

/// How many steps of a march are taken at a time, by trial: 1, 2, 4, 8, … as long as it gets better, then what lies beside the
/// best, then the best once more against 1, and, where that may gain, one of these numbers with rows that are handed. The steps
/// that are tried are steps of the march: nothing is done twice.
///
/// All that decides is equal on all ranks: numbers of passes, and times that they have agreed upon.
class tile_trial {
public:
    static constexpr double better = 0.97;      ///< several steps at a time must need less than this part of the time
    static constexpr double no_better = 1.05;   ///< more steps are not tried when so many need more than this part of the best
    static constexpr double batch_ns = 200'000; ///< of passes that are measured together, about
    static constexpr int batches = 3;           ///< the fastest of them counts

    struct result {
        index_t steps = 1;
        double ns = 0; ///< of a step, on the slowest rank
    };

    /// \param most  steps that there is room for
    explicit tile_trial(index_t most) : most_(std::max<index_t>(most, 1)), stage_(most_ > 1 ? stage::gauge : stage::over) {}

    /// How many steps next, how many passes of them to measure together, and whether to measure at all.
    [[nodiscard]] index_t steps() const noexcept { return now_; }
    [[nodiscard]] index_t passes() const noexcept {
        if (stage_ == stage::gauge) return 2;
        auto const n = std::ceil(batch_ns / (one_ns_ * static_cast<double>(now_)));
        return static_cast<index_t>(std::clamp(n, 1.0, 1000.0));
    }
    [[nodiscard]] bool over() const noexcept { return stage_ == stage::over; }

    /// It is over. Tries so many steps once more, in passes in which ranks hand each other rows, against the best.
    void try_handing(index_t steps) {
        stage_ = stage::handing;
        without_ = std::exchange(now_, steps);
        handed_ = true;
    }
    /// Rows are to be handed in the next passes.
    [[nodiscard]] bool handed() const noexcept { return handed_; }
    /// Of a step in passes in which they were, and of how many steps these were; 0: that was not tried.
    [[nodiscard]] double handed_ns() const noexcept { return handed_ns_; }
    [[nodiscard]] index_t handed_steps() const noexcept { return handed_steps_; }

    /// `ns` of a step of so many at a time, on the slowest rank.
    void tell(double ns) {
        if (stage_ == stage::gauge) {
            one_ns_ = std::max(ns, 1.0);
            stage_ = stage::climb;
            return;
        }
        if (stage_ == stage::handing) {
            handed_ns_ = std::isinf(ns) ? 0 : ns;
            handed_steps_ = now_;
            handed_ = ns < better * of(without_);
            if (!handed_) now_ = without_;
            stage_ = stage::over;
            return;
        }
        note(ns);
        if (now_ == 1) one_ns_ = std::max(of(1), 1.0);
        if (stage_ == stage::climb) {
            auto const next = std::min(2 * now_, most_);
            if (next > now_ && (now_ == 1 || ns <= no_better * best().ns)) {
                now_ = next;
                return;
            }
            stage_ = stage::beside;
            list_beside();
        }
        if (!left_.empty()) {
            now_ = left_.back();
            left_.pop_back();
            return;
        }
        if (stage_ == stage::beside && best().steps > 1) {
            stage_ = stage::once_more;
            left_ = {best().steps};
            now_ = 1;
            return;
        }
        stage_ = stage::over;
        now_ = best().ns < better * of(1) ? best().steps : 1;
    }

    /// So many at a time cannot be tried: the march is shorter.
    void skip() { tell(std::numeric_limits<double>::infinity()); }

    [[nodiscard]] std::span<result const> results() const noexcept { return tried_; }
    [[nodiscard]] double of(index_t steps) const noexcept {
        auto const r = std::ranges::find(tried_, steps, &result::steps);
        return r == tried_.end() ? 0 : r->ns;
    }
    /// What the model makes of the first two: a part that every step needs, and words of memory, of which a single step moves three
    /// (read, allocate, write) and a pass of several moves four. 0: they have not been tried.
    [[nodiscard]] double expected(index_t steps) const noexcept {
        double const one = of(1), two = of(2);
        if (one == 0 || two == 0) return 0;
        double const word = std::max(one - two, 0.0);
        return std::max(one - 3 * word, 0.0) + 4 * word / static_cast<double>(steps);
    }

private:
    enum class stage { gauge, climb, beside, once_more, handing, over };

    [[nodiscard]] result best() const noexcept { return *std::ranges::min_element(tried_, {}, &result::ns); }
    void note(double ns) {
        if (std::isinf(ns)) return;
        auto const known = std::ranges::find(tried_, now_, &result::steps);
        if (known == tried_.end())
            tried_.push_back({now_, ns});
        else
            known->ns = stage_ == stage::once_more ? std::min(known->ns, ns) : ns;
    }
    void list_beside() {
        auto const b = best().steps;
        for (index_t const k : {b + b / 2, b - b / 4})
            if (k > 1 && k <= most_ && of(k) == 0) left_.push_back(k);
    }

    index_t most_;
    stage stage_;
    index_t now_ = 1;
    double one_ns_ = 1;
    bool handed_ = false;
    double handed_ns_ = 0;
    index_t handed_steps_ = 0;
    index_t without_ = 1; // steps at a time that are best without
    std::vector<result> tried_;
    std::vector<index_t> left_;
};

} // namespace sode::internal
