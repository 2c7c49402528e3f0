// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_spec.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode {
namespace {

index_t smallest_block(axis const& a) {
    index_t least = a.extent;
    for (std::size_t c = 0; c + 1 < a.bounds.size(); ++c)
        if (auto const size = a.bounds[c + 1] - a.bounds[c]; size > 0) least = std::min(least, size);
    return least;
}

void check_field(halo_field const& f, std::array<bool, max_dims> const& periodic) {
    auto const& g = *f.shape;
    for (int d = 0; d < g.dims; ++d) {
        auto const k = static_cast<std::size_t>(d);
        axis const& a = g.axes[k];
        if (f.lower[k] > a.shadow_lower || f.upper[k] > a.shadow_upper || f.lower[k] < 0 || f.upper[k] < 0)
            throw error{error_kind::usage,
                        fmt::format("width {}:{} of array \"{}\" does not fit in dimension {}", f.lower[k], f.upper[k], g.name, d),
                        fmt::format("its shadow there is {}:{}", a.shadow_lower, a.shadow_upper),
                        "declare a wider shadow or reflect fewer layers"};
        index_t const widest = std::max(f.lower[k], f.upper[k]);
        bool const spread = a.grid_dim >= 0 && a.bounds.size() > 2;
        if ((spread || periodic[k]) && widest > smallest_block(a))
            throw error{
                error_kind::usage,
                fmt::format("halo {} of array \"{}\" is wider than its smallest block {}", widest, g.name, smallest_block(a)),
                fmt::format("dimension {}, {} elements over {} nodes: one neighbour cannot fill it", d, a.extent,
                            a.bounds.size() - 1),
                "use fewer nodes in that dimension, or a narrower shadow"};
    }
}

void mix(std::uint64_t& hash, std::uint64_t value) noexcept {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
}

} // namespace

bool halo_spec::shares_fields() const noexcept {
    return std::all_of(fields.begin(), fields.end(), [](halo_field const& f) { return f.shape->shared(); });
}

void halo_spec::check() const {
    for (auto const& f : fields) check_field(f, periodic);
}

std::uint64_t halo_spec::fingerprint() const noexcept {
    std::uint64_t hash = 0x736f6465;
    for (auto const& f : fields) {
        mix(hash, f.shape->fingerprint());
        for (int d = 0; d < f.shape->dims; ++d) {
            mix(hash, static_cast<std::uint64_t>(f.lower[static_cast<std::size_t>(d)]));
            mix(hash, static_cast<std::uint64_t>(f.upper[static_cast<std::size_t>(d)]));
        }
        mix(hash, f.buffered ? 2U + static_cast<unsigned>(f.group) : 1U);
    }
    for (bool p : periodic) mix(hash, p ? 1 : 0);
    mix(hash, (corners ? 1U : 0U) + (credits ? 2U : 0U) + (forced ? 4U + static_cast<unsigned>(*forced) * 8U : 0U));
    mix(hash, static_cast<std::uint64_t>(ranks));
    mix(hash, pretended ? 1 : 0);
    for (int const n : nodes) mix(hash, static_cast<std::uint64_t>(n));
    for (auto const& p : distances.pairs()) mix(hash, static_cast<std::uint64_t>(class_of(p.distance)));
    return hash;
}

} // namespace sode
