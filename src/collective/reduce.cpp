// SPDX-License-Identifier: Apache-2.0
#include "collective/reduce.hpp"

#include "engine/combine.hpp"
#include "engine/inline_engine.hpp"
#include "model/job.hpp"

#include <sode/collective.hpp>

#include <fmt/format.h>

#include <cstring>

namespace sode {
namespace {

struct ready_reduce {
    ready_reduce(detail::job& j, std::size_t bytes, std::uint32_t combiner)
        : steps(j.nodes == 1 ? build_reduce(j.boot->rank(), j.boot->size(), bytes, combiner)
                             : build_reduce_over_nodes(j.boot->rank(), j.node_of, bytes, combiner)),
          places(steps, j.surroundings(), {}, 0x72656475 + bytes * 65536 + combiner), engine(steps, places, j.surroundings()) {}

    plan steps;
    binding places;
    inline_engine engine;
};

} // namespace

void detail::allreduce(job& j, void* data, std::size_t bytes, std::uint8_t op, std::uint8_t type) {
    auto const how = combiner(static_cast<reduction>(op), static_cast<element>(type));
    auto& kept = j.kept[fmt::format("reduce {} {}", bytes, how)];
    if (!kept) kept = std::make_shared<ready_reduce>(j, bytes, how);
    auto& r = *static_cast<ready_reduce*>(kept.get());
    std::memcpy(r.places.scratch(), data, bytes);
    r.engine.start();
    r.engine.wait();
    std::memcpy(data, r.places.scratch() + reduce_room(bytes), bytes);
}

} // namespace sode
