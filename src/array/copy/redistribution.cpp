// SPDX-License-Identifier: Apache-2.0
#include <sode/copy.hpp>

#include "array/copy/copy_run.hpp"

#include <fmt/format.h>

namespace sode {
namespace {

copy_side side_of(detail::copy_end const& end) {
    auto side = copy_side::whole(*end.source.shape);
    for (std::size_t d = 0; d < end.picked.size(); ++d) side.picked[d] = end.picked[d];
    side.buffered = end.source.half != nullptr;
    return side;
}

copy_spec spec_of(copy_options const& options, detail::copy_end const& to, detail::copy_end const& from) {
    auto const& j = *to.source.owner;
    if (from.source.owner != &j)
        throw error{error_kind::usage,
                    fmt::format("array \"{}\" cannot be copied to array \"{}\"", from.source.shape->name, to.source.shape->name),
                    "they belong to different runtimes", "make both with the same sode::runtime"};
    copy_spec spec;
    spec.to = side_of(to);
    spec.from = side_of(from);
    spec.one_array = to.source.shape == from.source.shape;
    spec.groups = spec.to.buffered ? 1 : 0;
    if (spec.from.buffered) spec.from.group = spec.one_array ? 0 : spec.groups++;
    spec.name = options.name.empty() ? fmt::format("copy of \"{}\" to \"{}\"", from.source.shape->name, to.source.shape->name)
                                     : options.name;
    spec.take(j, options.channel, "copy_init");
    spec.check();
    return spec;
}

} // namespace

redistribution::redistribution(copy_options const& options, detail::copy_end const& to, detail::copy_end const& from)
    : planned(std::make_unique<copy_run>(spec_of(options, to, from), to.source, from.source)) {}

} // namespace sode
