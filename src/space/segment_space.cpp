// SPDX-License-Identifier: Apache-2.0
#include "base/shared_memory.hpp"
#include "space/agreement.hpp"
#include "space/arena_space.hpp"
#include "space/handed_file.hpp"
#include "space/private_pages.hpp"
#include "space/segment_pages.hpp"

#include <fcntl.h>

#include <utility>

namespace sode::internal {
namespace {

unique_fd share_file(bootstrap& boot, machine_map::members const& members, std::uint64_t bytes) {
    return handed_file(boot, members, "the memory of its machine", {.bytes = bytes, .seals = F_SEAL_SHRINK | F_SEAL_GROW},
                       [&] { return make_memfd("sode", bytes); });
}

} // namespace

std::unique_ptr<space> make_segment_space(bootstrap& boot, machine_map const& machines, arena_layout layout) {
    auto const members = machines.on(machines.of(boot.rank()));
    auto const parts = static_cast<std::uint64_t>(members.size());
    auto file = share_file(boot, members, parts * layout.bytes);

    arena_space::places where;
    where.rank = boot.rank();
    where.machines = machines;
    together(boot, "map the memory of its machine", [&] {
        if (members.size() == 1) {
            where.name = "alone";
            where.own = std::make_shared<private_pages>(layout.bytes);
            where.begins.first = where.own->base();
            return;
        }
        auto const own = static_cast<std::uint64_t>(members.place_of(boot.rank()));
        auto segment = std::make_shared<segment_pages>(std::move(file), parts, layout.bytes, own);
        where.begins = {segment->part(0), segment->part(1) - segment->part(0)};
        where.open = [segment](int place, arena::range block) {
            segment->open(static_cast<std::uint64_t>(place), block.offset, block.bytes);
        };
        where.name = "segment";
        where.own = std::move(segment);
    });
    return std::make_unique<arena_space>(std::move(where), layout);
}

} // namespace sode::internal
