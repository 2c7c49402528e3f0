// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/drawn_halo.hpp"
#include "model/job.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

/// One random march, drawn from a seed: several steps at a time against single steps of the same fields, bit for bit, both halves.
namespace sode::internal::testing {

/// What a step computes of the fields around an element: something of everything that it may look at, in an order that matters to
/// the last bit.
template <int N> struct march_step {
    static constexpr auto dims = static_cast<std::size_t>(N);
    std::array<index_t, dims> lower{}, upper{};
    bool corners = false, own_next = false, counts = false;

    template <class View> [[nodiscard]] double around(View const& a, index<N> const& at) const {
        double sum = 0.5 * element_of(a, at);
        for (std::size_t d = 0; d < dims; ++d)
            for (index_t k = -lower[d]; k <= upper[d]; ++k) {
                auto there = at;
                there[d] += k;
                sum += 0.03 * static_cast<double>(k + 5 + static_cast<index_t>(d)) * element_of(a, there);
            }
        if (corners)
            for (int sign : {-1, 1}) {
                auto there = at;
                for (std::size_t d = 0; d < dims; ++d) there[d] += ((sign < 0) == (d % 2 == 0)) ? -lower[d] : upper[d];
                sum -= 0.11 * element_of(a, there);
            }
        return 0.7 * sum;
    }
    template <class View> static double element_of(View const& a, index<N> const& at) {
        return std::apply([&](auto... i) { return static_cast<double>(a(i...)); }, at);
    }
};

/// What a march was, as explain() says.
struct march_told {
    bool tiled = false;    ///< several steps at a time
    bool overlaps = false; ///< and some of them while the exchange was under way
    bool handed = false;   ///< or with rows that ranks hand each other
};

template <int N> class march_case {
    static constexpr auto dims = static_cast<std::size_t>(N);

public:
    march_case(runtime& rt, generator& g, generator& of_memory) : rt_(rt), g_(g), of_memory_(of_memory) {
        index_t const widest = chance(g, 10) ? 4 : N <= 2 ? 3 : 2;
        // Between machines some blocks are so large that a part of them needs no halo.
        bool const large = rt.job().boot->messages() != nullptr && chance(g, 60);
        tiles_ = chance(g, 15) ? 0 : pick(g, 1, large ? 3 : N <= 2 || chance(g, 30) ? 16 : 6);
        for (std::size_t d = 0; d < dims; ++d) {
            step_.lower[d] = pick(g, chance(g, 20) ? 0 : 1, widest);
            step_.upper[d] = chance(g, 60) ? step_.lower[d] : pick(g, 0, widest);
            periodic_[d] = chance(g, 30);
        }
        // Ranks hand each other rows where they form a column, and steps read as far down as up.
        bool const column = chance(g, 35);
        if (column) {
            step_.lower[0] = std::max<index_t>(step_.lower[0], 1);
            step_.upper[0] = step_.lower[0];
            periodic_.fill(false);
        }
        step_.corners = chance(g, 40);
        step_.own_next = chance(g, 30);
        step_.counts = chance(g, 30);
        if (!column && chance(g, 25)) {
            auto const drawn = make_shape(g, detail::place{rt}, N, widest + 1);
            map_ = drawn.map;
        } else {
            std::vector<index_t> extents;
            auto nodes = random_factors(g, rt.size(), N);
            if (column)
                for (std::size_t d = 0; d < dims; ++d) nodes[d] = d == 0 ? rt.size() : 1;
            for (std::size_t d = 0; d < dims; ++d) {
                auto const reach = std::max<index_t>({step_.lower[d], step_.upper[d], 1});
                index_t const block = large ? pick(g, (N <= 2 ? 12 : 5) * reach, (N <= 2 ? 24 : 8) * reach)
                                            : pick(g, reach + 1,
                                                   N <= 2   ? 16 * reach
                                                   : N == 3 ? 5 * reach
                                                            : 3 * reach);
                extents.push_back(nodes[d].value() * block + pick(g, 0, 1));
            }
            map_ = detail::make_grid(detail::place{rt}, extents, nodes, {});
        }
        for (std::size_t d = 0; d < dims; ++d) whole_.upper[d] = map_.axes[d].extent;
        area_ = whole_;
        for (std::size_t d = 0; d < dims; ++d) {
            if ((periodic_[d] && !chance(g, 10)) || chance(g, 40)) continue;
            area_.lower[d] = std::min(pick(g, 0, 2 + step_.lower[d]), area_.upper[d]);
            area_.upper[d] = std::max(area_.upper[d] - pick(g, 0, 2 + step_.upper[d]), area_.lower[d]);
        }
        with_more_ = chance(g, 50);
    }

    march_told run(std::string const& label) {
        alignment<N> const where{map_};
        if (chance(of_memory_, 25)) { // memory of the program, with gaps between rows
            auto const times = tiles_ > 0 ? tiles_ : pick(of_memory_, 1, 4);
            auto const by = brought_strides(times, pick(of_memory_, 0, 3));
            auto const elements = static_cast<std::size_t>(brought_extents(times)[0] * by[0]);
            std::vector<double> now(elements, first_), next(elements, first_), read(elements, 0.5);
            auto b = attach_buffered(where, now.data(), next.data(), by, layers(times), "b");
            auto d = attach(where, read.data(), by, layers(times), "d");
            auto const owned_of_d = [&] {
                auto const part = owned();
                index_t at = 0;
                for (std::size_t k = 0; k < dims; ++k) at += step_.lower[k] * times * by[k];
                index<N> extents{}, strides{};
                for (std::size_t k = 0; k < dims; ++k) extents[k] = part.upper[k] - part.lower[k], strides[k] = by[k];
                return view<double, N>{part.empty() ? nullptr : read.data() + at, part.lower, extents, strides};
            };
            return compare_marches(label, b, width(b, layers()), owned_of_d(), width(d, layers()));
        }
        buffered<double, N> b{where, layers(), tiles{tiles_}, first_, "b"};
        array<double, N> d{where, layers(), tiles{tiles_}, 0.5, "d"};
        return compare_marches(label, b, b, d.view(), d);
    }

private:
    /// `b`: what several steps at a time change; `fetched`: the same as the exchange takes it. `owned_of_d`: what they read;
    /// `d`: the same as the march takes it.
    template <class Buffered, class Fetched, class Read>
    march_told compare_marches(std::string const& label, Buffered& b, Fetched&& fetched, view<double, N> const& owned_of_d,
                               Read&& d) {
        alignment<N> const where{map_};
        auto const widths = layers();
        buffered<double, N> a{where, widths, first_, "a"};
        buffered_bundle<float, N, 2> p{where, {1.F, 2.F}, widths, "p"}, q{where, {1.F, 2.F}, widths, tiles{tiles_}, "q"};
        array<double, N> c{where, widths, 0.5, "c"};
        std::vector<sides<double, N>> one;
        std::vector<sides<float, N>> other;
        draw_conditions(one, other);
        for (auto const& v : {a.now(), a.next(), b.now(), b.next()}) set(v, 1);
        for (auto* x : {&p, &q})
            for (auto const& v : {x->now(), x->next()})
                for (index_t k : {0, 1}) set(slice(v, k), 2 + static_cast<unsigned>(k));
        set(c.view(), 9);
        set(owned_of_d, 9);
        if (chance(g_, 30)) { // halves that differ where no step writes
            set(a.next(), 4);
            set(b.next(), 4);
        }

        reflect_options options{.corners = step_.corners};
        if (chance(g_, 50)) {
            std::vector<char const*> const channels =
                rt_.job().boot->messages()
                    ? std::vector<char const*>{"mpi", "mpi-machine"}
                    : std::vector<char const*>{"pull", "stage", "stage-wide", "stage-chunks", "put", "reference"};
            options.channel = channels[static_cast<std::size_t>(pick(g_, 0, std::ssize(channels) - 1))];
        }
        auto singles = plan(options, a, p, one, other);
        auto many = plan(options, fetched, q, one, other);
        reflect_options brings{.corners = step_.corners};
        brings.periodic = options.periodic;
        auto const area = a.on(area_);
        march_told told_of{};
        for (int turn = 0; turn < 3 && !::testing::Test::HasFailure(); ++turn) {
            index_t const steps = pick(g_, 0, 3 * std::max<index_t>(tiles_, 4));
            bool const reduces = chance(g_, 25);
            auto const text = label + ", " + std::to_string(steps) + " steps, turn " + std::to_string(turn);
            double sum = 0, sum_of_many = 0;
            if (with_more_) {
                auto const halo_of_c = bring(options, c);
                auto const step = [s = step_](auto u, auto v, auto w, auto x, auto k, index_t t) {
                    return [=](auto... i) {
                        index<N> const at{i...};
                        double const shift = s.counts ? 0.01 * static_cast<double>(t % 7) : 0;
                        auto const first_of_v = [&](auto... j) { return v(0, j...); };
                        double const was = s.own_next ? 0.125 * w(i...) : 0;
                        w(i...) = 0.4 * s.around(u, at) + 0.2 * s.around(first_of_v, at) + 0.1 * k(i...) + shift + was;
                        x(0, i...) = 0.3F * v(1, i...) + static_cast<float>(s.around(u, at));
                        x(1, i...) = 0.5F * v(0, i...) + (s.own_next ? 0.25F * x(1, i...) : 0.F);
                        return w(i...);
                    };
                };
                for (index_t t = 0; t < steps; ++t) {
                    auto const body = step(a.now(), p.now(), a.next(), p.next(), std::as_const(c).view(), t);
                    if (reduces && t + 1 == steps)
                        sum = singles.overlap_reduce(area, 0.0, max, body);
                    else
                        singles.overlap(area, body);
                    a.flip(), p.flip();
                }
                if (reduces)
                    sum_of_many = many.march_reduce(steps, area, 0.0, max, step, b, q, d);
                else
                    many.march(steps, area, step, b, q, d);
            } else {
                auto const step = [s = step_](auto u, auto w) {
                    return [=](auto... i) {
                        w(i...) = s.around(u, index<N>{i...}) + (s.own_next ? 0.125 * w(i...) : 0);
                        return w(i...);
                    };
                };
                for (index_t t = 0; t < steps; ++t, a.flip()) {
                    if (reduces && t + 1 == steps)
                        sum = singles.overlap_reduce(area, 0.0, max, step(a.now(), a.next()));
                    else
                        singles.overlap(area, step(a.now(), a.next()));
                }
                if (reduces)
                    sum_of_many = many.march_reduce(steps, area, 0.0, max, step, b);
                else if (chance(g_, 30)) {
                    index_t told = 0;
                    auto const later = [&](index_t t) {
                        EXPECT_TRUE(t > told || steps == 0) << text;
                        told = t;
                    };
                    many.march(steps, area, every{pick(g_, 1, 9), later}, step, b);
                    EXPECT_EQ(told, steps) << text;
                } else
                    many.march(steps, area, step, b);
            }
            EXPECT_EQ(sum, sum_of_many) << text;
            EXPECT_EQ(a.parity(), b.parity()) << text;
            compare(a.now(), b.now(), text + ", now");
            compare(a.next(), b.next(), text + ", next");
            for (index_t k : {0, 1}) {
                compare(slice(p.now(), k), slice(q.now(), k), text + ", bundle, now");
                compare(slice(p.next(), k), slice(q.next(), k), text + ", bundle, next");
            }
            if (turn == 1) { // single steps in between
                singles(), a.flip();
                many(), b.flip();
                if (with_more_) p.flip(), q.flip();
            }
            auto const said = many.explain();
            told_of.tiled |=
                said.find("march of ") != std::string::npos && said.find(": 1 time step per exchange") == std::string::npos;
            told_of.handed |= said.find("ranks pass each other") != std::string::npos;
            told_of.overlaps |= said.find("of a pass overlaps the exchange") != std::string::npos;
            if (::testing::Test::HasFailure() && rt_.root()) std::printf("%s\n%s", text.c_str(), said.c_str());
        }
        return told_of;
    }

    /// What one step reads, so many times.
    [[nodiscard]] shadow layers(index_t times = 1) const {
        return [&]<std::size_t... D>(std::index_sequence<D...>) {
            return shadow{shadow::layers{times * step_.lower[D], times * step_.upper[D]}...};
        }
        (std::make_index_sequence<dims>{});
    }
    [[nodiscard]] index<N> brought_extents(index_t times) const {
        auto const part = owned();
        index<N> extents{};
        for (std::size_t d = 0; d < dims; ++d)
            extents[d] = part.upper[d] - part.lower[d] + times * (step_.lower[d] + step_.upper[d]);
        return extents;
    }
    [[nodiscard]] strides<N> brought_strides(index_t times, index_t gap) const {
        auto const extents = brought_extents(times);
        index<N> by{};
        index_t next = 1;
        for (std::size_t d = dims; d-- > 0;) {
            by[d] = next;
            next *= extents[d] + gap;
        }
        return strides<N>{by};
    }
    template <class T> condition<T, N> draw_one() {
        switch (pick(g_, 0, 7)) {
        case 0: return constant(static_cast<T>(0.75));
        case 1: return nearest;
        case 2: return mirror;
        case 3: return -mirror;
        case 4: return mirror_at_point;
        case 5:
            return computed(
                [](ghost<T, N> const& g) {
                    return static_cast<T>(0.5) * (g.inner(1) - g.inner(0)) + static_cast<T>(g.at()[0] + 3 * g.layer() + g.side());
                },
                2);
        case 6: return untouched;
        default: return -mirror_at_point;
        }
    }
    void draw_conditions(std::vector<sides<double, N>>& one, std::vector<sides<float, N>>& other) {
        bool const none = chance(g_, 30);
        for (std::size_t d = 0; d < dims; ++d) {
            if (periodic_[d]) {
                one.emplace_back(periodic);
                other.emplace_back(periodic);
            } else if (none) {
                one.emplace_back(untouched);
                other.emplace_back(untouched);
            } else {
                auto low = draw_one<double>(), high = draw_one<double>();
                one.emplace_back(std::move(low), std::move(high));
                auto first = draw_one<float>(), second = draw_one<float>();
                other.emplace_back(components{first, second}, components{second, first});
            }
        }
    }
    template <class Field, class T> bounded<T, N> with_conditions(Field const& u, std::vector<sides<T, N>> const& each) const {
        return [&]<std::size_t... D>(std::index_sequence<D...>) {
            return boundary(u, {each[D]...});
        }
        (std::make_index_sequence<dims>{});
    }
    template <class Field>
    [[nodiscard]] reflection plan(reflect_options const& options, Field& u, buffered_bundle<float, N, 2>& v,
                                  std::vector<sides<double, N>> const& one, std::vector<sides<float, N>> const& other) const {
        if (with_more_) return reflect_init(options, with_conditions(u, one), with_conditions(v, other));
        return reflect_init(options, with_conditions(u, one));
    }
    reflection bring(reflect_options options, array<double, N>& c) const {
        options.periodic = by_dimension{std::vector<bool>(periodic_.begin(), periodic_.end())};
        auto halo = reflect_init(options, c);
        halo();
        return halo;
    }

    static view<float, N> slice(view<float, N + 1> const& v, index_t c) {
        index<N> lower{}, extents{}, by{};
        for (std::size_t d = 0; d < dims; ++d) lower[d] = v.lower(d + 1), extents[d] = v.extent(d + 1), by[d] = v.stride(d + 1);
        return {v.data_handle() ? v.data_handle() + c * v.stride(0) : nullptr, lower, extents, by, nullptr};
    }
    [[nodiscard]] box<N> owned() const { return detail::to_box<N>(map_.owned()); }
    template <class T> void set(view<T, N> const& v, unsigned salt) const {
        if (!v.data_handle()) return;
        for (auto const& at : owned())
            element(v, at) = static_cast<T>(value_at<std::uint32_t, N>(at, salt, 1) % 1000) / static_cast<T>(512);
    }
    template <class T> void compare(view<T, N> const& x, view<T, N> const& y, std::string const& label) const {
        if (!x.data_handle() || ::testing::Test::HasFailure()) return;
        for (auto const& at : owned()) {
            if (std::memcmp(&element(x, at), &element(y, at), sizeof(T)) == 0) continue;
            ADD_FAILURE() << label << ", rank " << rt_.rank() << ": at " << text_of(at) << "single steps give " << element(x, at)
                          << ", several at a time " << element(y, at);
            return;
        }
    }

    static constexpr double first_ = 0.25;

    runtime& rt_;
    generator& g_;
    generator& of_memory_; // what does not change the march
    march_step<N> step_;
    std::array<bool, dims> periodic_{};
    index_t tiles_ = 1;
    bool with_more_ = false;
    detail::mapping map_{.place = {0, 1}, .grid = {}, .dims = 0, .axes = {}};
    box<N> whole_, area_;
};

/// Case `c` of a series: everything about it follows from this, on every rank.
inline march_told run_march_case(runtime& rt, std::uint64_t seed, int c) {
    auto g = series(seed, c), of_memory = series(seed + 1, c);
    int const dims = static_cast<int>(pick(g, 1, c % 5 == 0 ? 4 : 3));
    auto const label = label_of(c, dims, 0);
    switch (dims) {
    case 1: return march_case<1>{rt, g, of_memory}.run(label);
    case 2: return march_case<2>{rt, g, of_memory}.run(label);
    case 3: return march_case<3>{rt, g, of_memory}.run(label);
    default: return march_case<4>{rt, g, of_memory}.run(label);
    }
}

} // namespace sode::internal::testing
