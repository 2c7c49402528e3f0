// SPDX-License-Identifier: Apache-2.0
#include "array/march/march_limits.hpp"

#include "array/halo/halo_walls.hpp"
#include "array/smallest_block.hpp"
#include "array/tile_room.hpp"
#include "base/position.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {
namespace {

bool is_split(axis const& a) noexcept {
    return a.nodes() > 1;
}

// Blocks of the same elements on the same ranks.
bool alike(geometry const& a, geometry const& b) {
    if (a.dims != b.dims || a.grid.extent != b.grid.extent || a.grid.ranks() != b.grid.ranks()) return false;
    for (std::size_t d = 0; d < pos(a.dims); ++d)
        if (a.axes[d].extent != b.axes[d].extent || a.axes[d].bounds != b.axes[d].bounds ||
            a.axes[d].grid_dim != b.axes[d].grid_dim)
            return false;
    return true;
}

class finder {
public:
    finder(halo_spec const& spec, std::span<int const> fields, detail::march_terms const& terms)
        : spec_(spec), fields_(fields), terms_(terms), shape_(*terms.changing.front().shape) {}

    march_limits operator()() {
        describe();
        auto const ask = std::ranges::max(terms_.changing, {}, &detail::halo_source::steps).steps;
        all_.asked = ask;
        all_.most = index_t{1} << 20;
        if (terms_.one_by_one) limit(1, "the loop is checked (SODE_CHECK=halo), or its index space has a cyclic distribution");
        bool read = false;
        for (int d = 0; d < shape_.dims; ++d) read = read || all_.lower[pos(d)] > 0 || all_.upper[pos(d)] > 0;
        if (!read) limit(1, "a step reads no neighbours");
        look_at_index_space();
        for (std::size_t i = 0; i < fields_.size(); ++i) look_at_field(fields_[i], *terms_.changing[i].shape);
        for (auto const& c : terms_.constant) look_at_constant(c);
        look_at_ghosts();
        return all_;
    }

private:
    void limit(index_t most, std::string why) {
        if (most >= all_.most) return;
        all_.most = std::max<index_t>(most, 1);
        all_.why_most = std::move(why);
    }

    void describe() {
        for (std::size_t d = 0; d < pos(shape_.dims); ++d) {
            all_.extent[d] = shape_.axes[d].extent;
            bool const periodic = spec_.wraps(fields_.front(), static_cast<int>(d));
            all_.refilled[d] = periodic && !has_tile_room(shape_.axes, shape_.dims, d) && !calls_beyond(d);
            all_.wraps[d] = periodic && !all_.refilled[d];
            for (int const f : fields_) {
                auto const& field = spec_.fields[pos(f)];
                all_.lower[d] = std::max(all_.lower[d], field.lower[d]);
                all_.upper[d] = std::max(all_.upper[d], field.upper[d]);
                all_.lag[d] = std::max({all_.lag[d], field.lower[d], field.upper[d]});
                for (int side : {0, 1})
                    if (auto const* w = field.wall_at(static_cast<int>(d), side))
                        for (auto const& rule : *w)
                            all_.lag[d] = std::max(all_.lag[d], depth_of(rule, side == 0 ? field.lower[d] : field.upper[d]) - 1);
            }
        }
    }

    [[nodiscard]] bool periodic(std::size_t d) const { return all_.wraps[d] || all_.refilled[d]; }
    // A function of the program for a later dimension would be called at indices outside `d`.
    [[nodiscard]] bool calls_beyond(std::size_t d) const {
        for (int const f : fields_)
            for (auto e = d + 1; e < pos(shape_.dims); ++e)
                for (int side : {0, 1})
                    if (auto const* w = spec_.fields[pos(f)].wall_at(static_cast<int>(e), side))
                        if (std::ranges::any_of(*w, [](auto const& r) { return r.kind == detail::wall_kind::computed; }))
                            return true;
        return false;
    }

    void look_at_index_space() {
        for (std::size_t d = 0; d < pos(shape_.dims); ++d) {
            auto const& a = shape_.axes[d];
            if (a.cyclic() || a.full) limit(1, fmt::format("dimension {} is cyclic, or has a full shadow", d));
            if (periodic(d) && (terms_.lower[d] > 0 || terms_.upper[d] < a.extent))
                limit(1, fmt::format("dimension {} is periodic, and the march does not run over all of it", d));
            if (all_.wraps[d] && !has_tile_room(shape_.axes, shape_.dims, d))
                limit(1, fmt::format("dimension {} is periodic, and a function in the program fills a later one", d));
            if (terms_.lower[d] < 0 || terms_.upper[d] > a.extent)
                limit(1, fmt::format("the range of the march is larger than the arrays in dimension {}", d));
            if (!grows(d)) continue;
            auto const reach = std::max(all_.lower[d], all_.upper[d]);
            for (std::size_t c = 0; c + 1 < a.bounds.size(); ++c)
                if (a.bounds[c + 1] == a.bounds[c]) limit(1, "some ranks own nothing");
            if (reach > 0)
                limit(smallest_block(a) / reach,
                      fmt::format("the smallest block has {} elements in dimension {}", smallest_block(a), d));
        }
    }

    void look_at_field(int f, geometry const& g) {
        if (!alike(g, shape_))
            limit(1, fmt::format("the layout of array \"{}\" differs from the layout of the other arrays", g.name));
        for (std::size_t d = 0; d < pos(shape_.dims); ++d) {
            auto const& a = g.axes[d];
            if (spec_.wraps(f, static_cast<int>(d)) != periodic(d)) limit(1, "some fields are periodic and some are not");
            if (!grows(d)) continue;
            room(g, all_.lower[d], a.shadow_lower, 0, d);
            room(g, all_.upper[d], a.shadow_upper, 0, d);
        }
    }
    void room(geometry const& g, index_t reach, index_t shadow, index_t steps_without, std::size_t d) {
        if (reach > 0)
            limit(shadow / reach + steps_without,
                  fmt::format("array \"{}\" has a shadow of {} in dimension {}: give it sode::tiles", g.name, shadow, d));
    }
    void look_at_constant(detail::halo_source const& c) {
        if (!alike(*c.shape, shape_))
            limit(1, fmt::format("the layout of array \"{}\" differs from the layout of the other arrays", c.shape->name));
        if (c.shape->dims != shape_.dims) return;
        for (std::size_t d = 0; d < pos(shape_.dims); ++d) {
            if (!grows(d)) continue;
            // What the last step reads, and what all others compute beside the block.
            auto const& a = c.shape->axes[d];
            room(*c.shape, all_.lower[d], a.shadow_lower - c.lower[d], 1, d);
            room(*c.shape, all_.upper[d], a.shadow_upper - c.upper[d], 1, d);
        }
    }

    // Outside the array in one dimension and in a neighbour's block in another: nobody but the program could say what stands there.
    void look_at_ghosts() {
        for (std::size_t d = 0; d < pos(shape_.dims); ++d) {
            if (periodic(d)) continue;
            bool around = false;
            for (std::size_t e = 0; e < pos(shape_.dims); ++e) around = around || (e != d && grows(e));
            if (!around) continue;
            for (int const f : fields_) {
                auto const& field = spec_.fields[pos(f)];
                ghosts(*field.shape, d, is_filled(field, d, 0) ? 0 : field.lower[d], is_filled(field, d, 1) ? 0 : field.upper[d]);
            }
            for (auto const& c : terms_.constant)
                if (c.shape->dims == shape_.dims) ghosts(*c.shape, d, c.lower[d], c.upper[d]);
        }
    }
    [[nodiscard]] static bool is_filled(halo_field const& f, std::size_t d, int side) {
        auto const* w = f.wall_at(static_cast<int>(d), side);
        return w && std::ranges::none_of(*w, [](auto const& rule) { return rule.kind == detail::wall_kind::untouched; });
    }
    void ghosts(geometry const& g, std::size_t d, index_t low, index_t high) {
        if (terms_.lower[d] < low || terms_.upper[d] > g.axes[d].extent - high)
            limit(1, fmt::format("the program itself fills the elements outside array \"{}\" in dimension {}: give the array a "
                                 "sode::boundary, or march over a range that does not read them",
                                 g.name, d));
    }
    // Ranks compute there what others own.
    [[nodiscard]] bool grows(std::size_t d) const { return is_split(shape_.axes[d]) || all_.wraps[d]; }

    halo_spec const& spec_;
    std::span<int const> fields_;
    detail::march_terms const& terms_;
    geometry const& shape_;
    march_limits all_;
};

} // namespace

march_limits limits_of(halo_spec const& spec, std::span<int const> fields, detail::march_terms const& terms) {
    return finder{spec, fields, terms}();
}

} // namespace sode::internal
