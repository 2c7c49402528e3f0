// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/random_halo.hpp"
#include "model/job.hpp"

#include <gtest/gtest.h>

#include <cstdio>

/// One random exchange: arrays, options and channels drawn from a seed, run a few times, compared byte for byte with what each
/// element should be.
namespace sode::testing {

struct triple {
    float x, y, z;
};
struct record {
    double a;
    std::int32_t b[4];
};

template <class T, int N> class exchange_case {
public:
    exchange_case(runtime& rt, generator& g) : rt_(rt), g_(g) {
        index_t const widest = N <= 3 ? 3 : N <= 5 ? 2 : 1;
        index_t most = 0;
        for (std::size_t d = 0; d < N; ++d) {
            below_[d] = pick(g, 0, widest), above_[d] = pick(g, 0, widest);
            what_.lower[d] = pick(g, 0, below_[d]), what_.upper[d] = pick(g, 0, above_[d]);
            if (chance(g, 60)) what_.lower[d] = below_[d], what_.upper[d] = above_[d];
            what_.periodic[d] = chance(g, 40);
            most = std::max({most, what_.lower[d], what_.upper[d]});
        }
        what_.corners = chance(g, 60);
        shape_ = make_shape(g, detail::place{rt}, N, std::max<index_t>(most, 1));
    }

    void run(std::string const& label) {
        auto const layers = shadow_of(below_, above_);
        auto const fetched = shadow_of(what_.lower, what_.upper);
        alignment<N> const where{shape_.map};
        reflect_options options{.corners = what_.corners};
        options.periodic = periodic();
        options.credits = chance(g_, 30);
        array<T, N> one{where, layers, T{}, "one"};
        buffered<T, N> two{where, layers, T{}, "two"};
        array<float, N> other{where, layers, 0.F, "other"};
        rt_.job().costs.chunk_bytes = pick(g_, 1, 200); // many chunks, even of small faces
        int const kind = static_cast<int>(pick(g_, 0, 3));
        std::vector<char const*> channels{"reference", "", "pull", "stage", "stage-wide", "stage-chunks"};
        if (rt_.job().boot->messages()) channels.insert(channels.end(), {"mpi", "mpi-node"});
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
    static shadow shadow_of(std::array<index_t, max_dims> const& lower, std::array<index_t, max_dims> const& upper) {
        return [&]<std::size_t... D>(std::index_sequence<D...>) {
            return shadow{shadow::layers{lower[D], upper[D]}...};
        }
        (std::make_index_sequence<static_cast<std::size_t>(N)>{});
    }
    [[nodiscard]] by_dimension periodic() const {
        return [&]<std::size_t... D>(std::index_sequence<D...>) {
            return by_dimension{bool{what_.periodic[D]}...};
        }
        (std::make_index_sequence<static_cast<std::size_t>(N)>{});
    }
    template <class U> static box<N> whole(view<U, N> const& v) {
        box<N> b;
        for (std::size_t d = 0; d < N; ++d) b.lower[d] = v.lower(d), b.upper[d] = v.upper(d);
        return b;
    }
    template <class U> static U& element(view<U, N> const& v, index<N> const& at) {
        return std::apply([&](auto... i) -> U& { return v(i...); }, at);
    }
    [[nodiscard]] box<N> owned() const { return detail::to_box<N>(shape_.map.owned()); }

    template <class U> void fill(view<U, N> v, unsigned id) {
        if (!v.data_handle()) return;
        auto const mine = owned();
        for (auto const& at : whole(v)) element(v, at) = mine.contains(at) ? value_at<U, N>(at, id, epoch_) : poison<U>(epoch_);
    }
    template <class U> void check(view<U, N> v, unsigned id, std::string const& label) {
        if (!v.data_handle()) return;
        auto const mine = owned();
        for (auto const& at : whole(v)) {
            auto const from = origin<N>(at, mine, shape_.extents, what_);
            U const expected = from ? value_at<U, N>(*from, id, epoch_) : poison<U>(epoch_);
            if (std::memcmp(&element(v, at), &expected, sizeof(U)) == 0) continue;
            std::string text;
            for (auto i : at) text += std::to_string(i) + ' ';
            ADD_FAILURE() << label << ", rank " << rt_.rank() << ": array " << id << " at " << text << "in exchange " << epoch_;
            return;
        }
    }

    runtime& rt_;
    generator& g_;
    asked what_;
    std::array<index_t, max_dims> below_{}, above_{};
    random_shape shape_;
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
    generator g{seed * 1000003 + static_cast<std::uint64_t>(c)};
    int const dims = static_cast<int>(pick(g, 1, c % 4 == 0 ? 7 : 3));
    int const type = static_cast<int>(pick(g, 0, 5));
    auto const label =
        "case " + std::to_string(c) + " (" + std::to_string(dims) + " dimensions, type " + std::to_string(type) + ")";
    switch (type) {
    case 0: return run_case<char>(rt, g, dims, label);
    case 1: return run_case<std::int16_t>(rt, g, dims, label);
    case 2: return run_case<float>(rt, g, dims, label);
    case 3: return run_case<triple>(rt, g, dims, label);
    case 4: return run_case<record>(rt, g, dims, label);
    default: return run_case<double>(rt, g, dims, label);
    }
}

} // namespace sode::testing
