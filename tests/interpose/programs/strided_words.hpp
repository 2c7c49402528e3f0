// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "themes.hpp"

#include <algorithm>
#include <array>

namespace standard {

// Words with gaps, of which a receiver can say from whom, which and where each is.
struct strided {
    explicit strided(int n) : words(2 * static_cast<std::size_t>(n), -1), count(n), type(every_other(n)) {}
    ~strided() { MPI_Type_free(&type); }
    strided(strided const&) = delete;
    strided& operator=(strided const&) = delete;
    void set(int rank, int what) {
        for (int i = 0; i < count; ++i) words[2 * static_cast<std::size_t>(i)] = rank * 1000003 + what * 1009 + i;
    }
    void clear() { std::ranges::fill(words, -1); }
    [[nodiscard]] bool is(int rank, int what, int n = -1) const {
        for (int i = 0; i < count; ++i) {
            auto const k = 2 * static_cast<std::size_t>(i);
            if (words[k] != (n >= 0 && i >= n ? -1 : rank * 1000003 + what * 1009 + i) || words[k + 1] != -1) return false;
        }
        return true;
    }
    std::vector<int> words;
    int count;
    MPI_Datatype type;
};
inline constexpr std::array<int, 5> lengths{1, 17, 300, 5000, 60000}; // 4 bytes to 240,000

} // namespace standard
