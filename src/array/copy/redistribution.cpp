// SPDX-License-Identifier: Apache-2.0
#include <sode/copy.hpp>

#include "array/copy/prepare_copy.hpp"
#include "base/activity.hpp"
#include "engine/prepared_list.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

namespace sode {
namespace {

copy_side side_of(detail::copy_end const& end) {
    auto side = copy_side::whole(*end.source.shape);
    for (std::size_t d = 0; d < end.picked.size(); ++d) side.picked[d] = end.picked[d];
    for (std::size_t d = 0; d < end.order.size(); ++d) side.order[d] = end.order[d];
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
    : planned([&] {
          doing const what{activity::copy};
          auto const spec = spec_of(options, to, from);
          auto list = std::make_unique<prepared_list>();
          list->keep(to.source.owner->shared_from_this());
          list->keep(std::pair{to.source, from.source});
          list->add(prepare_copy(spec, to.source, from.source));
          return list;
      }()) {}

} // namespace sode
