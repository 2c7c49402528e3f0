// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace sode::internal {

/// How long a part of an exchange took in the last epochs, from the start of the epoch to the end of the part.
class finish_times {
public:
    void took(std::int64_t ns) noexcept { last_[epochs_++ % last_.size()] = ns; }
    [[nodiscard]] std::size_t kept() const noexcept { return std::min(epochs_, last_.size()); }
    /// Microseconds; 0, if there was no epoch.
    [[nodiscard]] double median() const noexcept {
        if (epochs_ == 0) return 0;
        auto sorted = last_;
        auto const end = sorted.begin() + static_cast<std::ptrdiff_t>(kept());
        auto const middle = sorted.begin() + static_cast<std::ptrdiff_t>(kept() / 2);
        std::nth_element(sorted.begin(), middle, end);
        return static_cast<double>(*middle) * 1e-3;
    }

private:
    std::array<std::int64_t, 64> last_{};
    std::size_t epochs_ = 0;
};

} // namespace sode::internal
