// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

namespace sode::internal::bench {

/// The `q`-quantile (0..1) by linear interpolation between order statistics; 0 of nothing.
[[nodiscard]] double quantile(std::span<double const> values, double q);
[[nodiscard]] inline double median(std::span<double const> values) {
    return quantile(values, 0.5);
}

struct interval {
    double low = 0, high = 0;
};

/// The 95 % bootstrap interval (percentile method, 2,000 resamples, fixed seed) of the median of `values`.
/// Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7 (1979).
[[nodiscard]] interval median_interval(std::span<double const> values);

} // namespace sode::internal::bench
