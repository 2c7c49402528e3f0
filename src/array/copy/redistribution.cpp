// SPDX-License-Identifier: Apache-2.0
#include <sode/copy.hpp>

#include "array/copy/prepare_copy.hpp"
#include "array/taking_part.hpp"
#include "base/activity.hpp"
#include "engine/prepared_list.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

#include <array>

namespace sode {
using namespace internal;

namespace {

copy_side side_of(detail::copy_end const& end) {
    auto side = copy_side::whole(*end.source.shape);
    for (std::size_t d = 0; d < end.picked.size(); ++d) side.picked[d] = end.picked[d];
    for (std::size_t d = 0; d < end.order.size(); ++d) side.order[d] = end.order[d];
    side.buffered = end.source.half != nullptr;
    return side;
}

void require_one_job(detail::halo_source const& to, detail::halo_source const& from) {
    if (from.owner != to.owner)
        throw error{error_kind::usage,
                    fmt::format("array \"{}\" cannot be copied to array \"{}\"", from.shape->name, to.shape->name),
                    "the arrays belong to different runtimes", "create both arrays with the same sode::runtime"};
}

copy_spec spec_of(copy_options const& options, detail::copy_end const& to, detail::copy_end const& from) {
    auto const& j = *to.source.owner;
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
          require_one_job(to.source, from.source);
          std::array<detail::halo_source const*, 2> const both{&to.source, &from.source};
          taking_part who{both};
          auto here = to, there = from;
          here.source = who(to.source);
          there.source = who(from.source);
          auto const spec = spec_of(options, here, there);
          auto list = std::make_unique<prepared_list>();
          list->keep(who.among());
          list->keep(std::pair{here.source, there.source});
          if (!who.absent()) list->add(prepare_copy(spec, here.source, there.source));
          return list;
      }()) {}

} // namespace sode
