// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/drawn_halo.hpp"
#include "model/job.hpp"

#include <gtest/gtest.h>

#include <cstdio>

/// One random exchange: arrays, options and channels drawn from a seed, run a few times, compared byte for byte with what each
/// element should be.
namespace sode::internal::testing {

struct triple {
    float x, y, z;
};
struct record {
    double a;
    std::int32_t b[4];
};

template <class T, int N> class exchange_case {
public:
    exchange_case(runtime& rt, generator& g) : rt_(rt), g_(g), drawn_(rt, g, N <= 3 ? 3 : N <= 5 ? 2 : 1) {}

    void run(std::string const& label) {
        auto const layers = drawn_.layers(), fetched = drawn_.fetched();
        alignment<N> const where{drawn_.shape().map};
        reflect_options options = drawn_.options();
        options.credits = chance(g_, 30);
        array<T, N> one{where, layers, T{}, "one"};
        buffered<T, N> two{where, layers, T{}, "two"};
        array<float, N> other{where, layers, 0.F, "other"};
        rt_.job().costs.chunk_bytes = pick(g_, 1, 200); // many chunks, even of small faces
        int const kind = static_cast<int>(pick(g_, 0, 3));
        std::vector<char const*> channels{"reference", "", "pull", "stage", "stage-wide", "stage-chunks", "put"};
        if (rt_.job().boot->messages()) channels.insert(channels.end(), {"mpi", "mpi-machine"});
        for (char const* channel : channels) {
            options.channel = channel;
            auto const where_text = label + ", channel " + (*channel ? channel : "chosen");
            auto halo = kind == 0   ? reflect_init(options, width(one, fetched))
                        : kind == 1 ? reflect_init(options, width(two, fetched))
                        : kind == 2 ? reflect_init(options, width(one, fetched), width(other, fetched))
                                    : reflect_init(options, width(two, fetched), width(one, fetched));
            for (int e = 0; e < 3; ++e) {
                ++epoch_;
                bool const uses_one = kind != 1, uses_two = kind == 1 || kind == 3, uses_other = kind == 2;
                if (uses_one) fill(*one, 1);
                if (uses_two) fill(two.now(), 2);
                if (uses_other) fill(*other, 3);
                if (chance(g_, 50))
                    halo();
                else {
                    halo.start();
                    while (chance(g_, 50)) halo.test();
                    halo.wait();
                }
                if (uses_one) check(*one, 1, where_text);
                if (uses_two) check(two.now(), 2, where_text), two.flip();
                if (uses_other) check(*other, 3, where_text);
                if (::testing::Test::HasFailure()) return;
            }
        }
    }

private:
    template <class U> static box<N> whole(view<U, N> const& v) {
        box<N> b;
        for (std::size_t d = 0; d < N; ++d) b.lower[d] = v.lower(d), b.upper[d] = v.upper(d);
        return b;
    }

    template <class U> void fill(view<U, N> v, unsigned id) {
        if (!v.data_handle()) return;
        auto const mine = drawn_.owned();
        for (auto const& at : whole(v)) element(v, at) = mine.contains(at) ? value_at<U, N>(at, id, epoch_) : poison<U>(epoch_);
    }
    template <class U> void check(view<U, N> v, unsigned id, std::string const& label) {
        if (!v.data_handle()) return;
        auto const mine = drawn_.owned();
        for (auto const& at : whole(v)) {
            auto const from = drawn_.origin(at, mine);
            U const expected = from ? value_at<U, N>(*from, id, epoch_) : poison<U>(epoch_);
            if (std::memcmp(&element(v, at), &expected, sizeof(U)) == 0) continue;
            ADD_FAILURE() << label << ", rank " << rt_.rank() << ": array " << id << " at " << text_of(at) << "in exchange "
                          << epoch_;
            return;
        }
    }

    runtime& rt_;
    generator& g_;
    drawn_halo<N> drawn_;
    unsigned epoch_ = 0;
};

template <class T> void run_case(runtime& rt, generator& g, int dims, std::string const& label) {
    switch (dims) {
    case 1: return exchange_case<T, 1>{rt, g}.run(label);
    case 2: return exchange_case<T, 2>{rt, g}.run(label);
    case 3: return exchange_case<T, 3>{rt, g}.run(label);
    case 4: return exchange_case<T, 4>{rt, g}.run(label);
    case 5: return exchange_case<T, 5>{rt, g}.run(label);
    case 6: return exchange_case<T, 6>{rt, g}.run(label);
    default: return exchange_case<T, 7>{rt, g}.run(label);
    }
}

/// Case `c` of a series: everything about it follows from the seed, on every rank.
inline void run_random_case(runtime& rt, std::uint64_t seed, int c) {
    auto g = series(seed, c);
    int const dims = static_cast<int>(pick(g, 1, c % 4 == 0 ? 7 : 3));
    int const type = static_cast<int>(pick(g, 0, 5));
    auto const label = label_of(c, dims, type);
    switch (type) {
    case 0: return run_case<char>(rt, g, dims, label);
    case 1: return run_case<std::int16_t>(rt, g, dims, label);
    case 2: return run_case<float>(rt, g, dims, label);
    case 3: return run_case<triple>(rt, g, dims, label);
    case 4: return run_case<record>(rt, g, dims, label);
    default: return run_case<double>(rt, g, dims, label);
    }
}

} // namespace sode::internal::testing
