// SPDX-License-Identifier: Apache-2.0
#include "halo/ours.hpp"

#include <type_traits>

namespace sode::internal::bench {
namespace {

template <int N, class View> fields fields_of(rank_block const& b, std::vector<View> const& views) {
    std::vector<double*> base;
    for (auto const& v : views) base.push_back(v.data_handle());
    auto const s = views.front().strides();
    if constexpr (N == 3)
        return {b, std::move(base), {s[0], s[1], s[2]}};
    else
        return {b, std::move(base), {0, s[0], s[1]}};
}

/// The fields of a case, as `array` or as `buffered`.
template <template <class, int> class Array, int N> class our_arrays {
public:
    our_arrays(runtime& rt, rank_block const& b) {
        auto const& c = b.shape();
        constexpr std::size_t first = 3 - dims;
        std::array<node_extent, dims> ranks;
        index<N> extents{};
        for (std::size_t d = 0; d < dims; ++d) {
            ranks[d] = c.grid[first + d];
            extents[d] = c.n[first + d] * c.grid[first + d];
        }
        distribution<N> const t{nodes<N>{rt, ranks}, extents, all_blocks(std::make_index_sequence<dims>{})};
        for (int f = 0; f < c.fields; ++f) arrays_.emplace_back(t, shadow{c.width[2]}, 0.0, "field " + std::to_string(f));
    }

    [[nodiscard]] reflection plan(bool periodic) {
        std::vector<detail::halo_source> sources;
        for (auto& a : arrays_) sources.push_back(a.halo());
        reflect_options options;
        options.corners = true;
        options.periodic = periodic;
        return {options, std::move(sources)};
    }

    /// The half that is now() (`ahead` = false) or next() of each.
    [[nodiscard]] std::vector<view<double, N>> views(bool ahead = false) {
        std::vector<view<double, N>> result;
        for (auto& a : arrays_)
            if constexpr (std::is_same_v<Array<double, N>, buffered<double, N>>)
                result.push_back(ahead ? a.next() : a.now());
            else
                result.push_back(a.view());
        return result;
    }
    void flip() {
        for (auto& a : arrays_) a.flip();
    }

    /// Collective.
    [[nodiscard]] std::vector<fields> everywhere(std::vector<rank_block> const& blocks) const {
        std::vector<peer_view<double, N>> readers(arrays_.begin(), arrays_.end());
        std::vector<fields> all;
        for (auto const& b : blocks) all.push_back(in_memory_of(b, readers));
        return all;
    }

private:
    static constexpr auto dims = static_cast<std::size_t>(N);

    template <std::size_t... D> static std::array<distribution_format, dims> all_blocks(std::index_sequence<D...>) {
        return {(static_cast<void>(D), distribution_format{sode::block})...};
    }

    /// Between neighbours along a dimension a peer's array has the same distance everywhere, which may not be the distance here.
    static fields in_memory_of(rank_block const& b, std::vector<peer_view<double, N>> const& readers) {
        extent3 const first = b.global(b.interior().from);
        auto const address = [&](peer_view<double, N> const& reader, extent3 const& at) {
            if constexpr (N == 3)
                return &reader(at[0], at[1], at[2]);
            else
                return &reader(at[1], at[2]);
        };
        std::vector<double*> base;
        extent3 strides{};
        for (auto const& reader : readers) {
            double const* origin = address(reader, first);
            for (std::size_t d = 3 - dims; d < 3; ++d) {
                extent3 next = first;
                ++next[d];
                strides[d] = address(reader, next) - address(reader, first);
                origin -= b.shape().width[d] * strides[d];
            }
            base.push_back(const_cast<double*>(origin));
        }
        return {b, std::move(base), strides};
    }

    std::vector<Array<double, N>> arrays_;
};

template <int N> class our_single : private our_arrays<array, N>, public field_subject, public reachable_arrays {
public:
    our_single(runtime& rt, rank_block const& b)
        : our_arrays<array, N>(rt, b), field_subject("array", fields_of<N>(b, this->views())),
          halo_(this->plan(b.shape().periodic)) {}
    void exchange() override { halo_(); }
    [[nodiscard]] std::vector<fields> in_every_memory(std::vector<rank_block> const& blocks) const override {
        return this->everywhere(blocks);
    }

private:
    reflection halo_;
};

template <int N> class our_buffered : private our_arrays<buffered, N>, public field_subject {
public:
    our_buffered(runtime& rt, rank_block const& b)
        : our_arrays<buffered, N>(rt, b),
          field_subject("buffered", fields_of<N>(b, this->views()), fields_of<N>(b, this->views(true))),
          halo_(this->plan(b.shape().periodic)) {}

    void rewrite(std::uint64_t round, bool everything) override {
        this->flip();
        field_subject::rewrite(round, everything);
    }
    void exchange() override { halo_(); }

private:
    reflection halo_;
};

template <int N> our_halos exchanges(runtime& rt, rank_block const& b) {
    auto single = std::make_unique<our_single<N>>(rt, b);
    our_halos all{{}, single.get()};
    all.subjects.push_back(std::move(single));
    // One exchange keeps track of the halves of this many pairs.
    constexpr int most_pairs = 6;
    if (b.shape().fields <= most_pairs) all.subjects.push_back(std::make_unique<our_buffered<N>>(rt, b));
    return all;
}

} // namespace

our_halos our_exchanges(runtime& rt, rank_block const& b) {
    return b.shape().n[0] == 1 ? exchanges<2>(rt, b) : exchanges<3>(rt, b);
}

} // namespace sode::internal::bench
