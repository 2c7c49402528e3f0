// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_spec_of.hpp"

#include "array/halo/halo_edges.hpp"
#include "channel/ways.hpp"
#include "device/device_messages.hpp"
#include "model/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

namespace sode::internal {
namespace {

std::string plan_name(reflect_options const& options, std::vector<detail::halo_source> const& sources) {
    if (!options.name.empty()) return options.name;
    std::vector<std::string> names;
    for (auto const& s : sources) names.push_back('"' + s.shape->name + '"');
    return fmt::format("halo of {}", fmt::join(names, ", "));
}

// Too few entries would leave dimensions open that somebody meant; `{true}` is easily written for `true`.
void require_entries(by_dimension const& periodic, std::vector<detail::halo_source> const& sources) {
    int const given = periodic.entries(), dims = sources.front().shape->dims;
    bool fits = given == 0 || given >= dims;
    for (int d = 0; d < given; ++d)
        fits = fits && (!periodic.at(d) || std::ranges::any_of(sources, [&](auto const& s) { return d < s.shape->dims; }));
    if (!fits)
        throw error{error_kind::usage, fmt::format("reflect_options::periodic has {} {}", given, given == 1 ? "entry" : "entries"),
                    fmt::format("array \"{}\" has {} dimensions", sources.front().shape->name, dims),
                    "write .periodic = true for all dimensions, or pass one entry for each dimension"};
}

} // namespace

halo_spec halo_spec_of(reflect_options const& options, std::vector<detail::halo_source> const& sources, detail::job const& j) {
    halo_spec spec;
    spec.name = plan_name(options, sources);
    spec.corners = options.corners;
    spec.credits = options.credits;
    spec.take(j, options.channel, "reflect_init");
    require_entries(options.periodic, sources);
    for (int d = 0; d < max_dims; ++d) spec.periodic[static_cast<std::size_t>(d)] = options.periodic.at(d);
    // Buffered arrays that flip as one share a parity.
    std::vector<int const*> halves;
    for (auto const& s : sources) {
        halo_field f{.shape = s.shape.get(),
                     .lower = s.lower,
                     .upper = s.upper,
                     .buffered = s.half != nullptr,
                     .walls = s.walls,
                     .on_device = s.on_device,
                     .element = s.element};
        if (f.buffered) {
            auto const at = std::find(halves.begin(), halves.end(), s.half.get());
            f.group = static_cast<int>(at - halves.begin());
            if (at == halves.end()) halves.push_back(s.half.get());
            // Without acknowledgements neighbours may read the last half when the exchange is over here, and its memory may be
            // freed.
            spec.credits = spec.credits || (!s.shape->brought.empty() && s.shape->shared());
        }
        spec.fields.push_back(f);
    }
    spec.groups = static_cast<int>(halves.size());
    spec.device_messages = spec.on_device() && mpi_takes_device_memory();
    spec.check();
    if (spec.forced == &ways::in_line) {
        // It may not fit on some ranks only: all must say so, or those that can would wait for those that cannot.
        halo_edges const edges{spec};
        halo_edges::outgoing out;
        for (int r = 0; r < spec.ranks(); ++r) edges.from(r, out);
    }
    return spec;
}

} // namespace sode::internal
