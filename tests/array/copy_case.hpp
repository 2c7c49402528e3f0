// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/random_copy.hpp"

#include <sode/copy.hpp>

#include <gtest/gtest.h>

#include <numeric>

/// One random copy between two arrays in memory, by every channel, a few times, compared byte for byte with what each element
/// should be: all memory of the target, shadow and padding too.
namespace sode::internal::testing {

class copy_case {
public:
    copy_case(runtime& rt, generator& g) : rt_(rt), g_(g), pair_(make_pair(g, detail::place{rt}, 600)) {
        static constexpr std::size_t sizes[] = {1, 2, 4, 8, 12, 24};
        bytes_ = sizes[pick(g, 0, 5)];
        components_ = chance(g, 20) ? pick(g, 2, 3) : 1;
    }

    void run(std::string const& label) {
        auto to = make_field(pair_.to, "to"), from = make_field(pair_.from, "from");
        expected_.resize(static_cast<std::size_t>(to.shape().bytes(rt_.rank())));
        for (char const* channel : {"reference", "", "pull", "stage", "stage-wide"}) {
            auto copy =
                redistribution{{.channel = channel}, {to.halo(), pair_.to.picked, {}}, {from.halo(), pair_.from.picked, {}}};
            for (int e = 0; e < 3; ++e) {
                ++epoch_;
                fill_source(from);
                fill_target(to);
                if (chance(g_, 50))
                    copy();
                else {
                    copy.start();
                    while (chance(g_, 50)) copy.test();
                    copy.wait();
                }
                check(to, label + ", channel " + (*channel ? channel : "chosen"));
                if (::testing::Test::HasFailure()) return;
                if (chance(g_, 50)) flip(to);
                if (chance(g_, 50)) flip(from);
            }
        }
    }

private:
    using place = std::array<index_t, max_dims>;

    detail::field make_field(random_side const& s, char const* name) {
        int const halves = chance(g_, 30) ? 2 : 1;
        std::array<shadow::layers, max_dims> layers;
        for (std::size_t d = 0; d < static_cast<std::size_t>(s.map.dims); ++d)
            if (!s.map.axes[d].cyclic()) layers[d] = {pick(g_, 0, 2), pick(g_, 0, 2)};
        auto const widths = [&]<std::size_t... D>(std::index_sequence<D...>) {
            shadow result;
            static_cast<void>(((s.map.dims == D + 1 ? result = first<D + 1>(layers), 0 : 0), ...));
            return result;
        }
        (std::make_index_sequence<max_dims>{});
        return {s.map, widths, {.bytes = bytes_, .components = components_, .halves = halves}, name};
    }
    template <std::size_t N> static shadow first(std::array<shadow::layers, max_dims> const& layers) {
        return [&]<std::size_t... D>(std::index_sequence<D...>) {
            return shadow{layers[D]...};
        }
        (std::make_index_sequence<N>{});
    }
    static void flip(detail::field& f) {
        if (f.halo().half) f.flip();
    }
    static std::byte* memory_of(detail::field const& f) { return f.halo().memory[static_cast<std::size_t>(f.half())].get(); }

    /// Where an element lies on this rank, in each component; nothing if it is not there.
    template <class F> void at_home(geometry const& g, place const& at, F f) {
        auto const places = g.places(at);
        auto const mine = g.owned(rt_.rank());
        for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
            if (places[d] < mine[d].lower || places[d] >= mine[d].upper) return;
        for (index_t c = 0; c < components_; ++c) f(c, c * g.component_bytes(rt_.rank()) + g.offset(rt_.rank(), places));
    }
    /// The bytes of an element of the source.
    std::array<std::byte, 24> value(place const& at, index_t component) const {
        std::uint64_t h = 0x9e3779b97f4a7c15ULL * (epoch_ * 16ULL + static_cast<std::uint64_t>(component) + 1);
        for (auto i : at) h = (h ^ static_cast<std::uint64_t>(i)) * 0xff51afd7ed558ccdULL, h ^= h >> 31U;
        std::array<std::byte, 24> bytes{};
        for (auto& b : bytes) b = static_cast<std::byte>(h >> 56U), h = h * 6364136223846793005ULL + 1442695040888963407ULL;
        return bytes;
    }
    static std::vector<index_t> extents_of(geometry const& g) {
        std::vector<index_t> extents;
        for (int d = 0; d < g.dims; ++d) extents.push_back(g.axes[static_cast<std::size_t>(d)].extent);
        return extents;
    }

    void fill_source(detail::field const& f) {
        auto* const memory = memory_of(f);
        for_each_index(extents_of(f.shape()), [&](place const& at) {
            at_home(f.shape(), at, [&](index_t c, index_t offset) { std::memcpy(memory + offset, value(at, c).data(), bytes_); });
        });
    }
    void fill_target(detail::field const& f) {
        if (expected_.empty()) return;
        std::fill(expected_.begin(), expected_.end(), static_cast<std::byte>(0xa0 + epoch_ % 16));
        std::memcpy(memory_of(f), expected_.data(), expected_.size());
        // Element k of the one side is element k of the other.
        auto const counting = [](random_side const& s) {
            std::vector<std::size_t> dims;
            for (std::size_t d = 0; d < s.picked.size(); ++d)
                if (s.picked[d].size() != 1) dims.push_back(d);
            return dims;
        };
        auto const to_dims = counting(pair_.to), from_dims = counting(pair_.from);
        std::vector<index_t> counts;
        for (auto d : to_dims) counts.push_back(pair_.to.picked[d].size());
        for_each_index(counts, [&](place const& k) {
            place to{}, from{};
            for (std::size_t d = 0; d < pair_.to.picked.size(); ++d) to[d] = pair_.to.picked[d].lower;
            for (std::size_t d = 0; d < pair_.from.picked.size(); ++d) from[d] = pair_.from.picked[d].lower;
            for (std::size_t i = 0; i < counts.size(); ++i) {
                to[to_dims[i]] += k[i] * pair_.to.picked[to_dims[i]].step;
                from[from_dims[i]] += k[i] * pair_.from.picked[from_dims[i]].step;
            }
            at_home(f.shape(), to,
                    [&](index_t c, index_t offset) { std::memcpy(expected_.data() + offset, value(from, c).data(), bytes_); });
        });
    }
    void check(detail::field const& f, std::string const& label) {
        if (expected_.empty()) return;
        auto const* const got = memory_of(f);
        auto const wrong = std::mismatch(expected_.begin(), expected_.end(), got).first - expected_.begin();
        if (wrong != static_cast<std::ptrdiff_t>(expected_.size()))
            ADD_FAILURE() << label << ", rank " << rt_.rank() << ": byte " << wrong << " of " << expected_.size() << " in copy "
                          << epoch_;
    }

    runtime& rt_;
    generator& g_;
    random_pair pair_;
    std::size_t bytes_ = 8;
    index_t components_ = 1;
    std::vector<std::byte> expected_;
    unsigned epoch_ = 0;
};

/// Case `c` of a series: everything about it follows from the seed, on every rank.
inline void run_random_copy(runtime& rt, std::uint64_t seed, int c) {
    generator g{seed * 1000003 + static_cast<std::uint64_t>(c)};
    copy_case{rt, g}.run("case " + std::to_string(c));
}

} // namespace sode::internal::testing
