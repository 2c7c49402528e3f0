// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/boundary_model.hpp"
#include "array/drawn_halo.hpp"
#include "model/job.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

/// One random exchange of fields with boundary conditions, drawn from a seed and compared byte for byte with the serial model.
namespace sode::internal::testing {

template <class T, int N> class boundary_case {
    static constexpr auto dims = static_cast<std::size_t>(N);

public:
    boundary_case(runtime& rt, generator& g) : rt_(rt), g_(g), drawn_(rt, g, N <= 2 ? 3 : 2, 1), where_(drawn_.shape().map) {
        for (std::size_t d = 0; d < dims; ++d) domain_.upper[d] = drawn_.shape().extents[d];
    }

    void run(std::string const& label) {
        auto const layers = drawn_.layers();
        array<T, N> one{where_, layers, T{}, "one"};
        buffered<T, N> two{where_, layers, T{}, "two"};
        bundle<T, N, 2> three{where_, {}, layers, "three"};
        lay_out();
        auto four = attach<T>(where_, memory_.data(), strides<N>{strides_}, layers, "four");
        std::array<bool, 4> used{};
        while (!used[0] && !used[1] && !used[2] && !used[3])
            for (auto& u : used) u = chance(g_, 40);
        for (std::size_t f = 0; f < 4; ++f)
            for (index_t c = 0; c < (f == 2 ? 2 : 1); ++c) draw(f, c);

        reflect_options options{.corners = drawn_.what().corners};
        options.credits = chance(g_, 20);
        std::vector<char const*> channels{"", "pull", "stage", "stage-wide", "stage-chunks", "put"};
        if (rt_.job().boot->messages()) channels = {"", "mpi", "mpi-machine"};
        for (char const* channel : {"reference", channels[static_cast<std::size_t>(pick(g_, 0, std::ssize(channels) - 1))]}) {
            options.channel = channel;
            auto const text = label + ", channel " + (*channel ? channel : "chosen");
            std::vector<detail::halo_source> sources;
            auto const brought = drawn_.fetched();
            if (used[0]) sources.push_back(with_conditions(width(one, brought), 0).halo());
            if (used[1]) sources.push_back(with_conditions(width(two, brought), 1).halo());
            if (used[2]) sources.push_back(with_conditions(width(three, brought), 2).halo());
            if (used[3]) sources.push_back(with_conditions(width(four, brought), 3).halo());
            reflection halo{options, sources};
            for (int e = 0; e < 3 && !::testing::Test::HasFailure(); ++e) {
                ++epoch_;
                auto const each = [&](auto act) {
                    if (used[0]) act(std::size_t{0}, index_t{0}, *one);
                    if (used[1]) act(std::size_t{1}, index_t{0}, two.now());
                    if (used[2])
                        for (index_t c : {0, 1}) act(std::size_t{2}, c, slice(*three, c));
                    if (used[3]) act(std::size_t{3}, index_t{0}, mine());
                };
                each([&](std::size_t f, index_t c, auto const& v) { fill(f, c, v); });
                if (chance(g_, 50)) {
                    halo();
                } else {
                    halo.start();
                    while (chance(g_, 50)) halo.test();
                    halo.wait();
                }
                // Read as by a program's own loops, so that SODE_CHECK=halo sees every ghost element that may be read.
                if (used[0])
                    check(
                        0, 0, *one, [a = (*one).checked()](auto... i) { return a(i...); }, text);
                if (used[1])
                    check(
                        1, 0, two.now(), [a = two.now().checked()](auto... i) { return a(i...); }, text);
                if (used[2])
                    for (index_t c : {0, 1})
                        check(
                            2, c, slice(*three, c), [a = (*three).checked(), c](auto... i) { return a(c, i...); }, text);
                if (used[3])
                    check(
                        3, 0, mine(), [a = four.checked()](auto... i) { return a(i...); }, text);
                two.flip();
                if (e == 2) reverse(halo, each, text);
            }
        }
    }

private:
    // What a field is, for one component.
    struct drawn_field {
        sides_model<T, N> model;
        std::vector<sides<T, N>> asked; // by dimension
    };

    condition<T, N> draw_one(side_model<T>& m, at_wall only = at_wall::periodic) {
        auto const kinds = only == at_wall::periodic ? static_cast<at_wall>(pick(g_, 0, 5)) : only;
        m.kind = kinds;
        switch (kinds) {
        case at_wall::constant: m.value = static_cast<T>(pick(g_, -99, 99)); return constant(m.value);
        case at_wall::nearest: return nearest;
        case at_wall::mirror: m.negative = chance(g_, 50); return m.negative ? condition<T, N>{-mirror} : condition<T, N>{mirror};
        case at_wall::mirror_at_point:
            m.negative = chance(g_, 50);
            return m.negative ? condition<T, N>{-mirror_at_point} : condition<T, N>{mirror_at_point};
        case at_wall::computed:
            m.depth = pick(g_, 1, 2);
            return computed(
                [depth = m.depth](ghost<T, N> const& g) {
                    return made_up<T, N>(g.at(), g.dim(), g.side(), g.layer(), g.component(), depth,
                                         [&](index_t n) { return g.inner(n); });
                },
                m.depth);
        default: return untouched;
        }
    }
    void draw(std::size_t f, index_t c) {
        auto& field = fields_[f][static_cast<std::size_t>(c)];
        for (std::size_t d = 0; d < dims; ++d) {
            auto& m = field.model[d];
            bool const wraps =
                c == 0 ? drawn_.what().periodic[d] && chance(g_, 70) : fields_[f][0].model[d][0].kind == at_wall::periodic;
            if (wraps) {
                m[0].kind = m[1].kind = at_wall::periodic;
                field.asked.emplace_back(periodic);
            } else {
                auto low = draw_one(m[0]), high = draw_one(m[1]);
                field.asked.emplace_back(std::move(low), std::move(high));
            }
        }
    }
    // A bundle whose components differ says so; periodic dimensions are so for all of them.
    [[nodiscard]] sides<T, N> asked(std::size_t f, std::size_t d) const {
        auto const& one = fields_[f][0].asked[d];
        if (f != 2 || fields_[f][0].model[d][0].kind == at_wall::periodic) return one;
        auto const& other = fields_[f][1].asked[d];
        return {components{one.low(), other.low()}, components{one.high(), other.high()}};
    }
    template <class Field> [[nodiscard]] bounded<T, N> with_conditions(Field const& u, std::size_t f) const {
        return [&]<std::size_t... D>(std::index_sequence<D...>) {
            return boundary(u, {asked(f, D)...});
        }
        (std::make_index_sequence<dims>{});
    }

    // Memory of our own, row-major with some padding.
    void lay_out() {
        auto const mine = drawn_.with_shadow(drawn_.owned());
        index_t next = 1;
        for (std::size_t d = dims; d-- > 0;) {
            strides_[d] = next;
            next *= std::max<index_t>(mine.extent(static_cast<int>(d)), 1) + pick(g_, 0, 2);
        }
        memory_.assign(static_cast<std::size_t>(next), T{});
    }
    [[nodiscard]] view<T, N> mine() {
        auto const all = drawn_.with_shadow(drawn_.owned());
        index<N> extents{};
        for (std::size_t d = 0; d < dims; ++d) extents[d] = all.extent(static_cast<int>(d));
        return {all.empty() ? nullptr : memory_.data(), all.lower, extents, strides_, nullptr};
    }
    static view<T, N> slice(view<T, N + 1> const& v, index_t c) {
        index<N> lower{}, extents{}, by{};
        for (std::size_t d = 0; d < dims; ++d) lower[d] = v.lower(d + 1), extents[d] = v.extent(d + 1), by[d] = v.stride(d + 1);
        return {v.data_handle() ? v.data_handle() + c * v.stride(0) : nullptr, lower, extents, by, nullptr};
    }

    [[nodiscard]] T value(std::size_t f, index_t c, index<N> const& at) const {
        auto const h = value_at<std::uint32_t, N>(at, static_cast<unsigned>(10 * f) + static_cast<unsigned>(c), epoch_);
        return static_cast<T>(static_cast<int>(h % 2001) - 1000);
    }
    [[nodiscard]] T poisoned() const { return static_cast<T>(-77000 - static_cast<int>(epoch_)); }
    void fill(std::size_t f, index_t c, view<T, N> const& v) {
        if (!v.data_handle()) return;
        auto const inside = drawn_.owned();
        for (auto const& at : drawn_.with_shadow(inside)) element(v, at) = inside.contains(at) ? value(f, c, at) : poisoned();
    }
    [[nodiscard]] serial_model<T, N> model_of(std::size_t f, index_t c) const {
        return {domain_, drawn_.what().lower, drawn_.what().upper, fields_[f][static_cast<std::size_t>(c)].model, c};
    }
    // True if the exchange does nothing to an element outside the block.
    [[nodiscard]] bool left_alone(serial_model<T, N> const& model, index<N> const& at, box<N> const& inside) const {
        int outside = 0;
        for (std::size_t d = 0; d < dims; ++d) {
            index_t const below = inside.lower[d] - at[d], above = at[d] - inside.upper[d] + 1;
            if (below <= 0 && above <= 0) continue;
            ++outside;
            if (below > drawn_.what().lower[d] || above > drawn_.what().upper[d]) return true;
        }
        return (outside > 1 && !drawn_.what().corners) || model.untouched(at);
    }
    // What is left alone may not be read through `checked`, which under SODE_CHECK=halo refuses it.
    void check(std::size_t f, index_t c, view<T, N> const& v, auto const& checked, std::string const& label) {
        if (!v.data_handle() || ::testing::Test::HasFailure()) return;
        auto model = model_of(f, c);
        model.set([&](index<N> const& at) { return value(f, c, at); });
        auto const inside = drawn_.owned();
        for (auto const& at : drawn_.with_shadow(inside)) {
            bool const alone = left_alone(model, at, inside);
            T const expected = alone ? poisoned() : model[at], found = alone ? element(v, at) : std::apply(checked, at);
            if (std::memcmp(&found, &expected, sizeof(T)) == 0) continue;
            ADD_FAILURE() << label << ", rank " << rt_.rank() << ": field " << f << ", component " << c << " at " << text_of(at)
                          << "holds " << +found << " and not " << +expected << " in exchange " << epoch_;
            return;
        }
    }

    // Ghost elements give back what they were made of: sums of small integers, exact in every type.
    [[nodiscard]] int given(std::size_t f, index_t c, index<N> const& at, int rank) const {
        auto const h = value_at<std::uint32_t, N>(at, 1000 + static_cast<unsigned>(rank),
                                                  epoch_ * 8 + static_cast<unsigned>(2 * f + static_cast<std::size_t>(c)));
        return static_cast<int>(h % 21) - 10;
    }
    [[nodiscard]] box<N> owned_by(int r) const {
        auto const& m = drawn_.shape().map;
        return detail::to_box<N>(detail::owned_part(m.dims, m.axes, m.grid, r));
    }
    // Ranks that differ in nothing but which copy of the array they have do not meet.
    [[nodiscard]] bool same_copy(int a, int b) const {
        auto const& m = drawn_.shape().map;
        auto const x = m.grid.coordinates(a), y = m.grid.coordinates(b);
        for (std::size_t k = 0; k < static_cast<std::size_t>(m.grid.dims); ++k) {
            bool spread = false;
            for (std::size_t d = 0; d < dims; ++d) spread |= m.axes[d].grid_dim == static_cast<int>(k);
            if (!spread && x[k] != y[k]) return false;
        }
        return true;
    }
    template <class Each> void reverse(reflection& halo, Each each, std::string const& label) {
        bool const adds = chance(g_, 60);
        each([&](std::size_t f, index_t c, view<T, N> const& v) {
            if (!v.data_handle()) return;
            for (auto const& at : drawn_.with_shadow(drawn_.owned())) element(v, at) = static_cast<T>(given(f, c, at, rt_.rank()));
        });
        if (adds)
            halo.reverse(sum);
        else
            halo.reverse(max);
        each([&](std::size_t f, index_t c, view<T, N> const& v) {
            if (!v.data_handle()) return;
            auto const model = model_of(f, c);
            auto const inside = drawn_.owned();
            std::map<index<N>, int> expected;
            for (auto const& at : inside) expected[at] = given(f, c, at, rt_.rank());
            for (int r = 0; r < rt_.size(); ++r) {
                if (!same_copy(r, rt_.rank())) continue;
                auto const theirs = owned_by(r);
                for (auto const& at : drawn_.with_shadow(theirs)) {
                    if (theirs.contains(at) || left_alone(model, at, theirs)) continue;
                    auto const home = model.home(at);
                    if (home.sign == 0 || !inside.contains(home.at)) continue;
                    int const more = home.sign * given(f, c, at, r);
                    auto& sum_of = expected[home.at];
                    sum_of = adds ? sum_of + more : std::max(sum_of, more);
                }
            }
            for (auto const& [at, number] : expected) {
                if (element(v, at) == static_cast<T>(number)) continue;
                ADD_FAILURE() << label << ", rank " << rt_.rank() << ": reversed field " << f << ", component " << c << " at "
                              << text_of(at) << "holds " << +element(v, at) << " and not " << number;
                return;
            }
        });
    }

    runtime& rt_;
    generator& g_;
    drawn_halo<N> drawn_;
    alignment<N> where_;
    box<N> domain_;
    index<N> strides_{};
    std::vector<T> memory_;
    std::array<std::array<drawn_field, 2>, 4> fields_;
    unsigned epoch_ = 0;
};

/// Case `c` of a series: everything about it follows from this, on every rank.
inline void run_boundary_case(runtime& rt, std::uint64_t seed, int c) {
    auto g = series(seed, c);
    int const dims = static_cast<int>(pick(g, 1, c % 5 == 0 ? 4 : 3)), type = c % 2;
    auto const label = label_of(c, dims, type);
    switch (dims) {
    case 1: return boundary_case<double, 1>{rt, g}.run(label);
    case 2: return type == 0 ? boundary_case<double, 2>{rt, g}.run(label) : boundary_case<std::int32_t, 2>{rt, g}.run(label);
    case 3: return boundary_case<double, 3>{rt, g}.run(label);
    default: return boundary_case<float, 4>{rt, g}.run(label);
    }
}

} // namespace sode::internal::testing
