// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <algorithm>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <ostream>
#include <random>
#include <string>

namespace sode::internal::test {

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

    /// A sequence of nests, lists and sequences, with loops around some of them, of at most about `most` bytes. Bytes may occur
    /// twice.
    layout tree(index_t most, int depth) {
        layout l;
        if (depth == 0 || most < 4) {
            l = chance(60) ? nest(radices(std::max<index_t>(most, 2)), 3) : list(between(1, std::max<index_t>(most, 1)));
        } else {
            index_t const n = between(1, 4);
            for (index_t k = 0; k < n; ++k) {
                l.parts.push_back(chance(20) && k > 0 ? l.parts.back() : tree(most / n, depth - 1));
                if (chance(30)) l.parts.back().offset += between(-50, 50) * 8;
            }
            l.offset = between(-100, 100);
        }
        if (chance(50)) {
            index_t const n = between(1, 4);
            auto const [low, high] = l.extent();
            l.loops.insert(l.loops.begin(), {n, chance(80) ? high - low + between(0, 3) * 8 : between(-64, 64)});
        }
        return l;
    }

private:
    std::mt19937_64 random_;
};

/// The offset of every byte of `l` in order, straight from the definition.
inline std::vector<index_t> byte_offsets(layout const& l) {
    std::vector<index_t> bases{l.offset};
    for (auto const& [count, stride] : l.loops) {
        std::vector<index_t> next;
        for (index_t const a : bases)
            for (index_t i = 0; i < count; ++i) next.push_back(a + i * stride);
        bases = std::move(next);
    }
    std::vector<index_t> body;
    for (index_t i = 0; l.is_nest() && i < l.block; ++i) body.push_back(i);
    for (auto const& p : l.list)
        for (index_t i = 0; i < p.bytes; ++i) body.push_back(p.offset + i);
    for (layout const& p : l.parts)
        for (index_t const at : byte_offsets(p)) body.push_back(at);
    std::vector<index_t> bytes;
    bytes.reserve(bases.size() * body.size());
    for (index_t const a : bases)
        for (index_t const at : body) bytes.push_back(a + at);
    return bytes;
}

inline std::vector<index_t> byte_offsets(std::vector<layout::piece> const& pieces) {
    return pieces.empty() ? std::vector<index_t>{} : byte_offsets(layout{0, 0, {}, pieces});
}

/// How GoogleTest prints a layout.
inline std::string text_of(layout const& l) {
    std::string text = std::to_string(l.offset) + ":";
    for (auto const& [count, stride] : l.loops) text += " " + std::to_string(count) + "x" + std::to_string(stride);
    if (l.is_nest()) text += " [" + std::to_string(l.block) + "]";
    for (auto const& p : l.list) text += " " + std::to_string(p.offset) + "+" + std::to_string(p.bytes);
    for (layout const& p : l.parts) text += " {" + text_of(p) + "}";
    return text;
}

} // namespace sode::internal::test

namespace sode::internal {
inline void PrintTo(layout const& l, std::ostream* out) {
    *out << test::text_of(l);
}
} // namespace sode::internal
