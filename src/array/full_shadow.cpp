// SPDX-License-Identifier: Apache-2.0
#include "array/full_shadow.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {

bool wants_full(detail::halo_source const& of) {
    auto const& g = *of.shape;
    bool any = false;
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d) {
        axis const& a = g.axes[d];
        if (!of.full[d] || a.grid_dim < 0) continue; // what is not split is there already
        if (!a.full)
            throw error{error_kind::usage, fmt::format("a full width of array \"{}\" does not fit in dimension {}", g.name, d),
                        fmt::format("the shadow in this dimension is {}:{}", a.shadow_lower, a.shadow_upper),
                        "declare a shadow of sode::full, or reflect fewer layers"};
        any = true;
    }
    return any;
}

geometry filled_shape(geometry const& g, std::array<bool, max_dims> const& dims) {
    geometry filled = g;
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
        if (axis& a = filled.axes[d]; dims[d] && a.full) {
            a.full = false;
            a.grid_dim = -1;
            a.bounds = {0, a.extent};
        }
    return filled;
}

copy_spec fill_spec(geometry const& g, geometry const& filled, bool buffered) {
    copy_spec spec;
    spec.name = fmt::format("full shadow of \"{}\"", g.name);
    spec.to = copy_side::whole(filled);
    spec.from = copy_side::whole(g);
    spec.to.buffered = spec.from.buffered = buffered;
    spec.groups = buffered ? 1 : 0;
    spec.one_array = true;
    spec.in_place = true;
    return spec;
}

std::unique_ptr<prepared> prepare_fill(detail::halo_source const& of, std::string const& channel) {
    auto to = of;
    to.shape = std::make_shared<geometry const>(filled_shape(*of.shape, of.full));
    auto spec = fill_spec(*of.shape, *to.shape, of.half != nullptr);
    spec.take(*of.owner, channel, "reflect_init");
    spec.check();
    return prepare_copy(spec, to, of);
}

} // namespace sode::internal
