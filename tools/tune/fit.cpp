// SPDX-License-Identifier: Apache-2.0
#include "tune/fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sode::internal::tools {
namespace {

using row = std::vector<double>;

double predicted_ns(timed_message const& m, profile const& p) {
    return predict(m.what, m.how, p) * 1e3;
}

// x of a * x = b, for a symmetric and positive definite but for columns that depend on each other; those become 0.
row solve(std::vector<row> a, row b) {
    std::size_t const n = b.size();
    constexpr double nothing = 1e-13;
    row scale(n);
    for (std::size_t k = 0; k < n; ++k) scale[k] = a[k][k] > 0 ? 1 / std::sqrt(a[k][k]) : 0;
    for (std::size_t i = 0; i < n; ++i) {
        b[i] *= scale[i];
        for (std::size_t j = 0; j < n; ++j) a[i][j] *= scale[i] * scale[j];
    }
    std::vector<bool> used(n);
    for (std::size_t k = 0; k < n; ++k) {
        used[k] = a[k][k] > nothing;
        for (std::size_t i = k + 1; used[k] && i < n; ++i) {
            double const factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    row x(n);
    for (std::size_t k = n; k-- > 0;) {
        if (!used[k]) continue;
        double rest = b[k];
        for (std::size_t j = k + 1; j < n; ++j) rest -= a[k][j] * x[j];
        x[k] = rest / a[k][k];
    }
    for (std::size_t k = 0; k < n; ++k) x[k] *= scale[k];
    return x;
}

// Least squares of terms * x = target. The most negative x is set to 0 until none is.
row solve_not_negative(std::vector<row> const& terms, row const& target) {
    std::vector<std::size_t> free(terms.front().size());
    for (std::size_t k = 0; k < free.size(); ++k) free[k] = k;
    row all(free.size());
    while (!free.empty()) {
        std::size_t const n = free.size();
        std::vector<row> a(n, row(n));
        row b(n);
        for (std::size_t m = 0; m < terms.size(); ++m)
            for (std::size_t i = 0; i < n; ++i) {
                b[i] += terms[m][free[i]] * target[m];
                for (std::size_t j = 0; j < n; ++j) a[i][j] += terms[m][free[i]] * terms[m][free[j]];
            }
        auto const x = solve(std::move(a), std::move(b));
        auto const least = std::min_element(x.begin(), x.end());
        if (*least >= 0) {
            for (std::size_t i = 0; i < n; ++i) all[free[i]] = x[i];
            break;
        }
        free.erase(free.begin() + (least - x.begin()));
    }
    return all;
}

// times = without + terms * x, as far as it goes.
struct equations {
    std::vector<row> terms;
    row without;
    row times;

    [[nodiscard]] row predicted(row const& x) const {
        row sum = without;
        for (std::size_t m = 0; m < terms.size(); ++m) {
            for (std::size_t k = 0; k < x.size(); ++k) sum[m] += terms[m][k] * x[k];
            sum[m] = std::max(sum[m], 1.0);
        }
        return sum;
    }
    [[nodiscard]] double misfit(row const& x) const {
        auto const sum = predicted(x);
        double squares = 0;
        for (std::size_t m = 0; m < times.size(); ++m) squares += std::pow(std::log(times[m] / sum[m]), 2);
        return squares;
    }
    /// As if `near` were the prediction: the logarithm is taken to be linear there.
    [[nodiscard]] row solve_near(row const& near) const {
        constexpr double trusted = 1; // the straight line goes astray beyond
        std::vector<row> scaled = terms;
        row target(times.size());
        for (std::size_t m = 0; m < terms.size(); ++m) {
            for (double& t : scaled[m]) t /= near[m];
            target[m] = 1 + std::clamp(std::log(times[m] / near[m]), -trusted, trusted) - without[m] / near[m];
        }
        return solve_not_negative(scaled, target);
    }
    [[nodiscard]] row solve() const {
        constexpr int rounds = 30;
        row x = solve_near(times), best = x;
        double least = misfit(best);
        for (int i = 0; i < rounds; ++i) {
            x = solve_near(predicted(x));
            if (double const now = misfit(x); now < least) least = now, best = x;
        }
        return best;
    }
};

} // namespace

void fit(profile& p, std::span<profile_field const> constants, std::span<timed_message const> messages) {
    profile scratch = p;
    for (auto const constant : constants) constant(scratch) = 0;
    equations all;
    std::vector<bool> matters(constants.size());
    for (auto const& m : messages) {
        double const without = predicted_ns(m, scratch);
        auto& term = all.terms.emplace_back();
        for (std::size_t k = 0; k < constants.size(); ++k) {
            constants[k](scratch) = 1;
            term.push_back(predicted_ns(m, scratch) - without);
            constants[k](scratch) = 0;
            matters[k] = matters[k] || term.back() != 0;
        }
        all.without.push_back(without);
        all.times.push_back(std::max(m.ns, 1.0)); // less than that is no measurement
    }
    auto const found = all.solve();
    for (std::size_t k = 0; k < constants.size(); ++k)
        if (matters[k]) constants[k](p) = found[k];
}

message_features features_of(layout const& both_sides, distance apart) {
    message_features m;
    m.bytes = both_sides.bytes();
    m.source = m.target = classify(both_sides);
    m.apart = apart;
    return m;
}

} // namespace sode::internal::tools
