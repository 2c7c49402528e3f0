// SPDX-License-Identifier: Apache-2.0
#include "tune/verdict.hpp"

#include <algorithm>
#include <cmath>

namespace sode::internal::tools {
namespace {

// Sums logarithms, because twice as long is as wrong as half.
class factors {
public:
    void add(double factor) {
        sum_ += std::log(factor);
        ++count_;
    }
    [[nodiscard]] double mean() const { return count_ == 0 ? 1 : std::exp(sum_ / count_); }

private:
    double sum_ = 0;
    double count_ = 0;
};

// Less than a nanosecond is no measurement.
double at_least_something(double ns) {
    return std::max(ns, 1.0);
}

double wrong_by(double predicted, double measured) {
    return std::exp(std::abs(std::log(at_least_something(predicted) / at_least_something(measured))));
}

} // namespace

checked_way const& checked_pattern::chosen(double checked_way::*by) const {
    return *std::min_element(ways.begin(), ways.end(), [by](auto const& a, auto const& b) { return a.*by < b.*by; });
}

double checked_pattern::ratio() const {
    return at_least_something(chosen(&checked_way::fitted).measured) / at_least_something(chosen(&checked_way::built_in).measured);
}

verdict judge(std::span<checked_pattern const> patterns) {
    verdict v;
    factors ratio, error, built_in_error;
    for (auto const& p : patterns) {
        ratio.add(p.ratio());
        if (v.worst_at.empty() || p.ratio() > v.worst) v.worst = p.ratio(), v.worst_at = p.name;
        for (auto const& w : p.ways) {
            error.add(wrong_by(w.fitted, w.measured));
            built_in_error.add(wrong_by(w.built_in, w.measured));
        }
    }
    constexpr double rounding = 1e-9;
    v.ratio = ratio.mean();
    v.error = error.mean();
    v.built_in_error = built_in_error.mean();
    v.store = v.ratio <= 1 + rounding && v.worst <= most_slower;
    return v;
}

} // namespace sode::internal::tools
