// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_spec.hpp"

#include "array/halo/check_walls.hpp"
#include "array/smallest_block.hpp"
#include "base/mixing.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sode::internal {
namespace {

void check_field(halo_spec const& spec, int field) {
    auto const& f = spec.fields[static_cast<std::size_t>(field)];
    auto const& g = *f.shape;
    for (int d = 0; d < g.dims; ++d) {
        auto const k = static_cast<std::size_t>(d);
        axis const& a = g.axes[k];
        if (f.lower[k] > a.shadow_lower || f.upper[k] > a.shadow_upper || f.lower[k] < 0 || f.upper[k] < 0)
            throw error{error_kind::usage,
                        fmt::format("width {}:{} of array \"{}\" does not fit in dimension {}", f.lower[k], f.upper[k], g.name, d),
                        fmt::format("the shadow in this dimension is {}:{}", a.shadow_lower, a.shadow_upper),
                        "declare a wider shadow or reflect fewer layers"};
        int const blocks = std::max(spec.blocks_reached(field, d, 0), spec.blocks_reached(field, d, 1));
        index_t const widest = std::max(f.lower[k], f.upper[k]);
        if (blocks == 0 || widest <= smallest_block(a)) continue;
        auto const problem =
            fmt::format("halo {} of array \"{}\" is wider than its smallest block {}", widest, g.name, smallest_block(a));
        auto const* const hint = "use fewer nodes in this dimension, or a narrower shadow";
        if (f.has_conditions())
            throw error{error_kind::usage, problem,
                        fmt::format("with boundary conditions, one neighbour must own the whole halo, but dimension {} has {} "
                                    "elements over {} nodes",
                                    d, a.extent, a.nodes()),
                        hint};
        if (blocks > std::numeric_limits<std::int8_t>::max())
            throw error{
                error_kind::usage, problem,
                fmt::format("dimension {} has {} elements over {} nodes: the halo reaches into {} blocks, and {} is the limit", d,
                            a.extent, a.nodes(), blocks, std::numeric_limits<std::int8_t>::max()),
                hint};
    }
}

// Functions cannot be compared.
void mix_walls(std::uint64_t& hash, halo_field const& f) noexcept {
    for (auto const& sides : *f.walls)
        for (auto const& w : sides) {
            mix(hash, std::uint64_t{w.size()});
            for (auto const& rule : w) {
                mix(hash, static_cast<std::uint64_t>(rule.kind) << 1U | (rule.negative ? 1U : 0U));
                mix(hash, static_cast<std::uint64_t>(rule.depth));
                for (auto const b : rule.value) mix(hash, std::uint64_t{rule.comparable ? static_cast<std::uint64_t>(b) : 0});
            }
        }
}

} // namespace

bool halo_spec::shares_fields() const noexcept {
    return std::all_of(fields.begin(), fields.end(), [&](halo_field const& f) { return shares(f); });
}

namespace {

// What needs code of the host, or its constants, beside the copies.
void check_device(halo_spec const& spec) {
    for (auto const& f : spec.fields) {
        auto const& name = f.shape->name;
        if (f.on_device != spec.on_device())
            throw error{error_kind::usage, fmt::format("{} has arrays in host memory and in device memory", spec.name),
                        fmt::format("\"{}\" and \"{}\" are not in the same kind of memory", name, spec.fields.front().shape->name),
                        "plan one exchange for each kind of memory"};
        for (int d = 0; f.on_device && d < f.shape->dims; ++d)
            if (f.wall_at(d, 0) || f.wall_at(d, 1))
                throw error{error_kind::usage, fmt::format("array \"{}\" has a boundary condition in dimension {}", name, d),
                            "the array is in device memory, and exchanges on devices support only periodic boundaries",
                            "set the outermost layers in a loop on the stream"};
    }
}

} // namespace

void halo_spec::check() const {
    check_device(*this);
    for (int f = 0; f < static_cast<int>(fields.size()); ++f) {
        check_field(*this, f);
        check_walls(*this, f);
    }
}

bool halo_spec::wraps(int field, int dim) const noexcept {
    auto const d = static_cast<std::size_t>(dim);
    auto const& walls = fields[static_cast<std::size_t>(field)].walls;
    return periodic[d] || (walls && is_periodic((*walls)[d][0]));
}

int halo_spec::blocks_reached(int field, int dim, int side) const {
    auto const& f = fields[static_cast<std::size_t>(field)];
    auto const d = static_cast<std::size_t>(dim);
    axis const& a = f.shape->axes[d];
    index_t const layers = side == 0 ? f.lower[d] : f.upper[d];
    bool const around = wraps(field, dim);
    if (layers == 0 || !((a.grid_dim >= 0 && a.nodes() > 1) || around)) return 0;
    if (layers <= smallest_block(a)) return 1;
    std::vector<index_t> blocks;
    for (std::size_t c = 0; c + 1 < a.bounds.size(); ++c)
        if (auto const size = a.bounds[c + 1] - a.bounds[c]; size > 0) blocks.push_back(size);
    if (side == 0) std::reverse(blocks.begin(), blocks.end());
    int most = 1;
    for (std::size_t from = 0; from < blocks.size(); ++from) {
        int reached = 0;
        index_t covered = 0;
        for (auto at = from + 1; covered < layers && (at < blocks.size() || around); ++at, ++reached)
            covered += blocks[at % blocks.size()];
        most = std::max(most, reached);
    }
    return most;
}

int halo_spec::class_of(std::array<std::int8_t, max_dims> const& step) noexcept {
    int along = -1;
    for (int d = 0; d < max_dims; ++d) {
        if (step[static_cast<std::size_t>(d)] == 0) continue;
        if (along >= 0) return edge_classes - 1;
        along = d;
    }
    return along;
}

bool halo_spec::has_walls() const noexcept {
    return std::any_of(fields.begin(), fields.end(), [](halo_field const& f) { return f.walls != nullptr; });
}

bool halo_field::has_conditions() const noexcept {
    for (int d = 0; d < shape->dims; ++d)
        if (wall_at(d, 0) || wall_at(d, 1)) return true;
    return false;
}

detail::wall const* halo_field::wall_at(int dim, int side) const noexcept {
    if (!walls) return nullptr;
    auto const& w = (*walls)[static_cast<std::size_t>(dim)][static_cast<std::size_t>(side)];
    return w.empty() || is_periodic(w) ? nullptr : &w;
}

std::uint64_t halo_spec::fingerprint() const noexcept {
    std::uint64_t hash = 0x736f6465;
    for (auto const& f : fields) {
        mix(hash, f.shape->fingerprint());
        for (int d = 0; d < f.shape->dims; ++d) {
            mix(hash, static_cast<std::uint64_t>(f.lower[static_cast<std::size_t>(d)]));
            mix(hash, static_cast<std::uint64_t>(f.upper[static_cast<std::size_t>(d)]));
        }
        mix(hash, std::uint64_t{f.buffered ? 2U + static_cast<unsigned>(f.group) : 1U});
        if (f.walls) mix_walls(hash, f);
    }
    for (bool p : periodic) mix(hash, std::uint64_t{p});
    if (on_device()) mix(hash, std::uint64_t{(peers ? 2U : 1U) + (device_messages ? 4U : 0U)});
    for (int const s : device_sockets) mix(hash, static_cast<std::uint64_t>(s) + 1);
    mix(hash, std::uint64_t{(corners ? 1U : 0U) + (credits ? 2U : 0U)});
    if ((second_best | third_best) != 0) mix(hash, std::uint64_t{third_best} << 32 | second_best);
    return exchange_terms::fingerprint(hash);
}

} // namespace sode::internal
