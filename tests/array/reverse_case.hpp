// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/drawn_halo.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>

/// One random reverse exchange, compared with its definition: every rank works out for every element of its block which elements of
/// which halos are copies of it, from the global indices alone, and what they hold.
namespace sode::internal::testing {

/// A small integer that belongs to an element of an array as one rank holds it: exact in every type, also after some products.
template <int N> int small_at(index<N> const& at, unsigned array, int rank, unsigned epoch) {
    auto const id = std::uint64_t{array} * 1000003 + std::uint64_t{epoch} * 257 + static_cast<unsigned>(rank) + 1;
    std::uint64_t h = 0x9e3779b97f4a7c15U * id;
    for (auto i : at) h = (h ^ static_cast<std::uint64_t>(i + 1000)) * 0xff51afd7ed558ccdU, h ^= h >> 31U;
    return static_cast<int>(h >> 40U) % 3 - 1;
}

template <class T, int N> class reverse_case {
public:
    reverse_case(runtime& rt, generator& g) : rt_(rt), g_(g), drawn_(rt, g, N <= 3 ? 3 : 1) {
        for (int r = 0; r < rt.size(); ++r) owned_.push_back(owned_by(r));
    }

    void run(std::string const& label) {
        alignment<N> const where{drawn_.shape().map};
        auto const layers = drawn_.layers(), brought = drawn_.fetched();
        array<T, N> one{where, layers, T{}, "one"};
        buffered<T, N> two{where, layers, T{}, "two"};
        array<std::int16_t, N> other{where, layers, 0, "other"};
        reflect_options options = drawn_.options();
        int const kind = static_cast<int>(pick(g_, 0, 3));
        for (char const* channel : {"", "reference", "stage"}) {
            options.channel = channel;
            auto const text = label + ", channel " + channel;
            auto halo = kind == 0   ? reflect_init(options, width(one, brought))
                        : kind == 1 ? reflect_init(options, width(two, brought))
                        : kind == 2 ? reflect_init(options, width(one, brought), width(other, brought))
                                    : reflect_init(options, width(two, brought), width(one, brought));
            for (int e = 0; e < 4; ++e) {
                ++epoch_;
                bool const uses_one = kind != 1, uses_two = kind == 1 || kind == 3, uses_other = kind == 2;
                if (uses_one) fill(*one, 1);
                if (uses_two) fill(two.now(), 2);
                if (uses_other) fill(*other, 3);
                reverse(halo, e);
                if (uses_one) check(*one, 1, e, text);
                if (uses_two) check(two.now(), 2, e, text);
                if (uses_other) check(*other, 3, e, text);
                if (uses_two && chance(g_, 50)) two.flip();
                if (::testing::Test::HasFailure()) return;
            }
        }
    }

private:
    void reverse(reflection& halo, int operation) {
        auto const by = [&](auto op) {
            if (chance(g_, 50)) return halo.reverse(op);
            halo.start_reverse(op);
            while (chance(g_, 50)) halo.test();
            halo.wait();
        };
        switch (operation) {
        case 0: return by(sode::sum);
        case 1: return by(sode::max);
        case 2: return by(sode::min);
        default: return by(sode::product);
        }
    }
    static int combined(int a, int b, int operation) {
        switch (operation) {
        case 0: return a + b;
        case 1: return std::max(a, b);
        case 2: return std::min(a, b);
        default: return a * b;
        }
    }
    [[nodiscard]] box<N> owned_by(int rank) const {
        return detail::to_box<N>(
            detail::owned_part(drawn_.shape().map.dims, drawn_.shape().map.axes, drawn_.shape().map.grid, rank));
    }
    [[nodiscard]] box<N> with_halo(int rank) const { return drawn_.with_shadow(owned_[static_cast<std::size_t>(rank)]); }
    // Ranks whose blocks differ in nothing but in a copy of the array meet only those of the same copy.
    [[nodiscard]] bool same_copy(int a, int b) const {
        auto const& grid = drawn_.shape().map.grid;
        auto const x = grid.coordinates(a), y = grid.coordinates(b);
        for (std::size_t k = 0; k < static_cast<std::size_t>(grid.dims); ++k) {
            bool spread = false;
            for (std::size_t d = 0; d < N; ++d) spread |= drawn_.shape().map.axes[d].grid_dim == static_cast<int>(k);
            if (!spread && x[k] != y[k]) return false;
        }
        return true;
    }

    template <class U> void fill(view<U, N> v, unsigned id) {
        if (!v.data_handle()) return;
        for (auto const& at : with_halo(rt_.rank())) element(v, at) = static_cast<U>(small_at<N>(at, id, rt_.rank(), epoch_));
    }
    template <class U> void check(view<U, N> v, unsigned id, int operation, std::string const& label) {
        if (!v.data_handle()) return;
        auto const& mine = owned_[static_cast<std::size_t>(rt_.rank())];
        std::map<index<N>, int> expected;
        for (auto const& at : with_halo(rt_.rank())) expected[at] = small_at<N>(at, id, rt_.rank(), epoch_);
        for (int r = 0; r < rt_.size(); ++r) {
            if (!same_copy(r, rt_.rank())) continue;
            auto const& theirs = owned_[static_cast<std::size_t>(r)];
            for (auto const& at : with_halo(r)) {
                if (theirs.contains(at)) continue;
                auto const home = drawn_.origin(at, theirs);
                if (home && mine.contains(*home))
                    expected[*home] = combined(expected[*home], small_at<N>(at, id, r, epoch_), operation);
            }
        }
        for (auto const& [at, value] : expected) {
            if (element(v, at) == static_cast<U>(value)) continue;
            ADD_FAILURE() << label << ", rank " << rt_.rank() << ": array " << id << " at " << text_of(at) << "holds "
                          << +element(v, at) << ", not " << value << ", operation " << operation;
            return;
        }
    }

    runtime& rt_;
    generator& g_;
    drawn_halo<N> drawn_;
    std::vector<box<N>> owned_; // by rank
    unsigned epoch_ = 0;
};

template <class T> void run_reverse_case(runtime& rt, generator& g, int dims, std::string const& label) {
    switch (dims) {
    case 1: return reverse_case<T, 1>{rt, g}.run(label);
    case 2: return reverse_case<T, 2>{rt, g}.run(label);
    case 3: return reverse_case<T, 3>{rt, g}.run(label);
    default: return reverse_case<T, 4>{rt, g}.run(label);
    }
}

/// Case `c` of a series: everything about it follows from the seed, on every rank.
inline void run_random_reverse(runtime& rt, std::uint64_t seed, int c) {
    auto g = series(seed, c);
    int const dims = static_cast<int>(pick(g, 1, c % 4 == 0 ? 4 : 3));
    int const type = static_cast<int>(pick(g, 0, 3));
    auto const label = label_of(c, dims, type);
    switch (type) {
    case 0: return run_reverse_case<std::int8_t>(rt, g, dims, label);
    case 1: return run_reverse_case<float>(rt, g, dims, label);
    case 2: return run_reverse_case<std::int64_t>(rt, g, dims, label);
    default: return run_reverse_case<double>(rt, g, dims, label);
    }
}

} // namespace sode::internal::testing
