// SPDX-License-Identifier: Apache-2.0
#include "support/statistics.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace sode::internal::bench {

double quantile(std::span<double const> values, double q) {
    if (values.empty()) return 0;
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    double const at = q * static_cast<double>(sorted.size() - 1);
    auto const below = static_cast<std::size_t>(at);
    if (below + 1 >= sorted.size()) return sorted.back();
    double const share = at - static_cast<double>(below);
    return sorted[below] * (1 - share) + sorted[below + 1] * share;
}

interval median_interval(std::span<double const> values) {
    constexpr int resamples = 2000;
    if (values.empty()) return {};
    std::mt19937_64 random{20150816};
    std::uniform_int_distribution<std::size_t> pick{0, values.size() - 1};
    std::vector<double> drawn(values.size()), medians(resamples);
    for (double& m : medians) {
        for (double& d : drawn) d = values[pick(random)];
        m = median(drawn);
    }
    return {quantile(medians, 0.025), quantile(medians, 0.975)};
}

} // namespace sode::internal::bench
