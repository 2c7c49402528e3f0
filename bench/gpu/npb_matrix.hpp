// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "npb.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace npb {

/// Some rows of the matrix of CG: where each begins, and its columns and values.
struct rows_of_matrix {
    std::vector<int> begins, columns;
    std::vector<double> values;
};

/// The report's random sparse matrix of `n` rows, with eigenvalues from 0.1 on, less `shift`: the rows `first` to `last` - 1. It is
/// a sum of outer products of sparse vectors, which are the same for whoever makes them.
inline rows_of_matrix make_rows(int n, int nonzeros, double shift, int first, int last) {
    constexpr double condition = 0.1;
    struct entry {
        int row, column;
        double value;
    };
    std::vector<entry> all;
    random_numbers random{314159265};
    static_cast<void>(random.next()); // as the report has it
    int range = 1;
    while (range < n) range *= 2;
    double size = 1;
    double const ratio = std::pow(condition, 1.0 / n);
    std::vector<std::pair<int, double>> vector;
    for (int outer = 0; outer < n; ++outer, size *= ratio) {
        vector.clear();
        auto const found = [&](int at) {
            return std::find_if(vector.begin(), vector.end(), [&](auto const& e) { return e.first == at; });
        };
        while (static_cast<int>(vector.size()) < nonzeros) {
            double const value = random.next(), place = random.next();
            int const at = static_cast<int>(range * place);
            if (at < n && found(at) == vector.end()) vector.emplace_back(at, value);
        }
        constexpr double of_diagonal = 0.5;
        if (auto const there = found(outer); there != vector.end())
            there->second = of_diagonal;
        else
            vector.emplace_back(outer, of_diagonal);
        for (auto const& [column, scale] : vector)
            for (auto const& [row, value] : vector)
                if (row >= first && row < last) all.push_back({row, column, value * (size * scale)});
    }
    for (int row = first; row < last; ++row) all.push_back({row, row, condition - shift});
    std::stable_sort(all.begin(), all.end(),
                     [](entry const& a, entry const& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
    rows_of_matrix m;
    int row = first - 1;
    for (auto const& e : all) {
        bool const next_row = e.row != row;
        for (; row < e.row; ++row) m.begins.push_back(static_cast<int>(m.values.size()));
        if (!next_row && m.columns.back() == e.column) {
            m.values.back() += e.value;
        } else {
            m.columns.push_back(e.column);
            m.values.push_back(e.value);
        }
    }
    m.begins.push_back(static_cast<int>(m.values.size()));
    return m;
}

} // namespace npb
