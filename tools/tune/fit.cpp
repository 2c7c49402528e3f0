// SPDX-License-Identifier: Apache-2.0
#include "tune/fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sode::tools {
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

} // namespace

void fit(profile& p, std::span<profile_field const> constants, std::span<timed_message const> messages) {
    profile scratch = p;
    for (auto const constant : constants) constant(scratch) = 0;
    std::vector<row> terms;
    row target;
    std::vector<bool> matters(constants.size());
    for (auto const& m : messages) {
        double const without = predicted_ns(m, scratch), weight = 1 / std::max(m.ns, 1.0);
        target.push_back((m.ns - without) * weight);
        auto& term = terms.emplace_back();
        for (std::size_t k = 0; k < constants.size(); ++k) {
            constants[k](scratch) = 1;
            term.push_back((predicted_ns(m, scratch) - without) * weight);
            constants[k](scratch) = 0;
            matters[k] = matters[k] || term.back() != 0;
        }
    }
    auto const found = solve_not_negative(terms, target);
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

} // namespace sode::tools
