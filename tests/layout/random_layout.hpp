// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <algorithm>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace sode::test {

/// Random layouts from a fixed seed, and their bytes by brute force.
class layout_generator {
public:
    explicit layout_generator(std::uint64_t seed) : random_(seed) {
        std::printf("[   SEED   ] %llu\n", static_cast<unsigned long long>(seed));
    }

    index_t between(index_t low, index_t high) { return std::uniform_int_distribution<index_t>{low, high}(random_); }
    bool chance(int percent) { return between(1, 100) <= percent; }
    template <class T> T const& one_of(std::vector<T> const& values) {
        return values[static_cast<std::size_t>(between(0, static_cast<index_t>(values.size()) - 1))];
    }
    template <class T> void shuffle(std::vector<T>& values) { std::shuffle(values.begin(), values.end(), random_); }

    /// Small factors whose product is at most `most`.
    std::vector<index_t> radices(index_t most) {
        std::vector<index_t> r;
        index_t product = 1;
        for (;;) {
            index_t const factor = one_of<index_t>({2, 2, 2, 3, 3, 4, 5, 7, 8});
            if (product * factor > most || (product > 1 && chance(8))) return r;
            r.push_back(factor);
            product *= factor;
        }
    }

    /// A nest over the product of `radices`, innermost first, neighbours joined at random into at most `most_loops` loops; not in
    /// normal form. No byte occurs twice.
    layout nest(std::vector<index_t> const& radices, std::size_t most_loops) {
        std::vector<index_t> counts{1};
        for (index_t const r : radices) {
            if (counts.size() <= most_loops && chance(60)) counts.push_back(1);
            counts.back() *= r;
        }
        layout l{0, counts.front(), {}, {}};
        std::vector<std::size_t> order(counts.size() - 1); // in which the strides grow
        std::iota(order.begin(), order.end(), std::size_t{1});
        if (chance(40)) shuffle(order);
        std::vector<index_t> strides(counts.size());
        index_t span = l.block;
        for (std::size_t const k : order) {
            strides[k] = span + (chance(40) ? 0 : chance(50) ? between(1, 9) : between(0, 3) * 64 + between(0, 1) * 8);
            span += (counts[k] - 1) * strides[k];
            if (chance(15)) strides[k] = -strides[k];
        }
        for (std::size_t k = counts.size() - 1; k > 0; --k) l.loops.push_back({counts[k], strides[k]});
        l.offset = between(-100, 100);
        return l;
    }

    /// A list of `bytes` bytes in disjoint pieces, in random order.
    layout list(index_t bytes) {
        layout l;
        index_t at = between(-50, 50);
        while (bytes > 0) {
            index_t const n = std::min(bytes, chance(50) ? index_t{8} : between(1, 90));
            l.list.push_back({at, n});
            at += n + (chance(20) ? 0 : between(1, 70));
            bytes -= n;
        }
        if (chance(70)) shuffle(l.list);
        return l;
    }

private:
    std::mt19937_64 random_;
};

/// The offset of every byte of `l` in order, straight from the definition.
inline std::vector<index_t> byte_offsets(layout const& l) {
    std::vector<index_t> at;
    for (auto const& p : l.list)
        for (index_t i = 0; i < p.bytes; ++i) at.push_back(p.offset + i);
    if (l.indexed()) return at;
    at.push_back(l.offset);
    for (auto const& [count, stride] : l.loops) {
        std::vector<index_t> next;
        for (index_t const a : at)
            for (index_t i = 0; i < count; ++i) next.push_back(a + i * stride);
        at = std::move(next);
    }
    std::vector<index_t> bytes;
    for (index_t const a : at)
        for (index_t i = 0; i < l.block; ++i) bytes.push_back(a + i);
    return bytes;
}

inline std::vector<index_t> byte_offsets(std::vector<layout::piece> const& pieces) {
    return pieces.empty() ? std::vector<index_t>{} : byte_offsets(layout{0, 0, {}, pieces});
}

} // namespace sode::test
