// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/drawn_halo.hpp"
#include "model/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

/// One random exchange of memory that the program has: every rank lays its block out as it likes. All of the memory is compared
/// with what it should be, the gaps between the elements too.
namespace sode::internal::testing {

struct odd_record {
    std::int32_t a;
    std::int16_t b;
    std::int8_t c[5];
};

/// A block of elements with its shadow, its dimensions in any order and padded.
template <class T, int N> class lent_block {
public:
    lent_block(generator& g, box<N> const& allocated) : box_(allocated) {
        std::array<std::size_t, static_cast<std::size_t>(N)> order{};
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), g);
        index_t next = chance(g, 30) ? pick(g, 2, 3) : 1;
        for (auto const d : order) {
            by_[d] = next;
            next = next * std::max<index_t>(1, box_.upper[d] - box_.lower[d]) + (chance(g, 40) ? pick(g, 1, 5) : 0);
        }
        lead_ = static_cast<std::size_t>(pick(g, 0, 5));
        if (!box_.empty()) elements_.assign(lead_ + static_cast<std::size_t>(next), T{});
    }

    [[nodiscard]] T* first() { return elements_.empty() ? nullptr : elements_.data() + lead_; }
    [[nodiscard]] strides<N> by() const { return strides<N>{by_}; }
    [[nodiscard]] box<N> const& allocated() const { return box_; }
    [[nodiscard]] std::vector<T>& elements() { return elements_; }
    [[nodiscard]] std::size_t place(index<N> const& at) const {
        index_t p = static_cast<index_t>(lead_);
        for (std::size_t d = 0; d < N; ++d) p += (at[d] - box_.lower[d]) * by_[d];
        return static_cast<std::size_t>(p);
    }

private:
    box<N> box_;
    index<N> by_{};
    std::size_t lead_ = 0;
    std::vector<T> elements_;
};

template <class T, int N> class attach_case {
public:
    attach_case(runtime& rt, generator& g, std::uint64_t seed)
        : rt_(rt), g_(g), own_(seed * 31 + static_cast<std::uint64_t>(rt.rank())), drawn_(rt, g,
                                                                                          N <= 3   ? 3
                                                                                          : N <= 5 ? 2
                                                                                                   : 1) {}

    void run(std::string const& label) {
        auto const layers = drawn_.layers(), fetched = drawn_.fetched();
        alignment<N> const where{drawn_.shape().map};
        mine_ = drawn_.owned();
        auto const all = drawn_.with_shadow(mine_);
        lent_block<T, N> one{own_, all};
        lent_block<float, N> two{own_, all};
        auto a = attach(where, one.first(), one.by(), layers, "one");
        auto b = attach(where, two.first(), two.by(), layers, "two");
        array<double, N> c{where, layers, 0.0, "three"}; // of Sode's own, in the same exchange
        reflect_options options = drawn_.options();
        options.credits = chance(g_, 30);
        rt_.job().costs.chunk_bytes = pick(g_, 1, 200); // many chunks, even of small faces
        rt_.job().settings.check.plan = chance(g_, 30);
        int const kind = static_cast<int>(pick(g_, 0, 2));
        std::vector<char const*> channels{"reference", "", "pull", "stage", "stage-wide", "stage-chunks"};
        if (rt_.job().boot->messages()) channels.insert(channels.end(), {"mpi", "mpi-machine"});
        for (char const* channel : channels) {
            options.channel = channel;
            auto halo = kind == 0   ? reflect_init(options, width(a, fetched))
                        : kind == 1 ? reflect_init(options, width(a, fetched), width(b, fetched))
                                    : reflect_init(options, width(c, fetched), width(a, fetched));
            auto const said = label + ", channel " + (*channel ? channel : "chosen");
            for (int e = 0; e < 3 && !::testing::Test::HasFailure(); ++e) {
                ++epoch_;
                auto const want_one = prepare(one, 1);
                auto const want_two = prepare(two, 2, kind == 1);
                if (kind == 2) fill(*c);
                halo();
                compare(one, want_one, said);
                compare(two, want_two, said);
                if (kind == 2) check(*c, said);
            }
        }
    }

private:
    // Fills the memory, and says how all of it should be after the exchange.
    template <class U> std::vector<U> prepare(lent_block<U, N>& block, unsigned id, bool exchanged = true) {
        auto& elements = block.elements();
        std::fill(elements.begin(), elements.end(), poison<U>(epoch_));
        for (auto const& at : mine_) elements[block.place(at)] = value_at<U, N>(at, id, epoch_);
        auto want = elements;
        for (auto const& at : block.allocated())
            if (auto const from = drawn_.origin(at, mine_); from && exchanged && !mine_.contains(at))
                want[block.place(at)] = value_at<U, N>(*from, id, epoch_);
        return want;
    }
    template <class U> void compare(lent_block<U, N>& block, std::vector<U> const& want, std::string const& label) {
        for (std::size_t i = 0; i < want.size(); ++i)
            if (std::memcmp(&block.elements()[i], &want[i], sizeof(U)) != 0) {
                ADD_FAILURE() << label << ", rank " << rt_.rank() << ": place " << i << " in exchange " << epoch_;
                return;
            }
    }

    void fill(view<double, N> v) {
        for (auto const& at : mine_) element(v, at) = value_at<double, N>(at, 3, epoch_);
    }
    void check(view<double, N> v, std::string const& label) {
        if (!v.data_handle()) return;
        box<N> all;
        for (std::size_t d = 0; d < N; ++d) all.lower[d] = v.lower(d), all.upper[d] = v.upper(d);
        for (auto const& at : all)
            if (auto const from = drawn_.origin(at, mine_)) {
                double const want = value_at<double, N>(*from, 3, epoch_);
                if (std::memcmp(&element(v, at), &want, sizeof want) == 0) continue;
                ADD_FAILURE() << label << ", rank " << rt_.rank() << ": Sode's own array in exchange " << epoch_;
                return;
            }
    }

    runtime& rt_;
    generator& g_;
    generator own_; // of this rank alone
    drawn_halo<N> drawn_;
    box<N> mine_;
    unsigned epoch_ = 0;
};

template <class T> void run_attach_case(runtime& rt, generator& g, int dims, std::uint64_t seed, std::string const& label) {
    switch (dims) {
    case 1: return attach_case<T, 1>{rt, g, seed}.run(label);
    case 2: return attach_case<T, 2>{rt, g, seed}.run(label);
    case 3: return attach_case<T, 3>{rt, g, seed}.run(label);
    default: return attach_case<T, 5>{rt, g, seed}.run(label);
    }
}

/// Case `c` of a series: everything about it follows from the seed, and of the strides from the rank.
inline void run_random_attach(runtime& rt, std::uint64_t seed, int c) {
    auto g = series(seed, c);
    int const dims = c % 8 == 0 ? 5 : static_cast<int>(pick(g, 1, 3));
    auto const label = "case " + std::to_string(c) + " (" + std::to_string(dims) + " dimensions)";
    auto const own = g();
    switch (c % 3) {
    case 0: return run_attach_case<std::int16_t>(rt, g, dims, own, label);
    case 1: return run_attach_case<double>(rt, g, dims, own, label);
    default: return run_attach_case<odd_record>(rt, g, dims, own, label);
    }
}

} // namespace sode::internal::testing
