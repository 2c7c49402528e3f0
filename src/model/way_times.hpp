// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace sode::internal {

/// The latest times that one way took, and what they say. Nanoseconds. No allocation.
class way_times {
public:
    static constexpr std::size_t kept = 15;

    void note(double ns) noexcept {
        latest_[written_ % kept] = ns;
        ++written_;
        usual_ = median(kept);
    }
    /// Of those that are kept.
    [[nodiscard]] std::size_t count() const noexcept { return std::min<std::size_t>(written_, kept); }
    void forget() noexcept { written_ = 0; }

    /// The median of those that are kept, which must not be none; of an even number of them, the lower: the first use of a way
    /// meets cold memory, and programs that are yet to be compiled.
    [[nodiscard]] double usual() const noexcept { return usual_; }
    /// The same of the `most` latest ones.
    [[nodiscard]] double usual(std::size_t most) const noexcept { return most >= count() ? usual_ : median(most); }

private:
    [[nodiscard]] double median(std::size_t most) const noexcept {
        std::array<double, kept> sorted{};
        std::size_t const n = std::min(count(), most);
        for (std::size_t i = 0; i < n; ++i) sorted[i] = latest_[(written_ - 1 - i) % kept];
        std::size_t const place = n > 0 ? (n - 1) / 2 : 0;
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(place),
                         sorted.begin() + static_cast<std::ptrdiff_t>(n));
        return sorted[place];
    }

    std::array<double, kept> latest_{};
    std::size_t written_ = 0;
    double usual_ = 0;
};

} // namespace sode::internal
