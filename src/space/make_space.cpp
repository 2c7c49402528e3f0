// SPDX-License-Identifier: Apache-2.0
#include "space/arena_space.hpp"
#include "space/memory_room.hpp"

#include <algorithm>

namespace sode {

std::unique_ptr<space> make_space(bootstrap& boot, std::size_t arena_bytes) {
    bool const threads = boot.one_process();
    auto const nodes = boot.nodes();
    auto const own_node = nodes[static_cast<std::size_t>(boot.rank())];
    auto const ranks_on_node = static_cast<int>(std::count(nodes.begin(), nodes.end(), own_node));

    arena_terms mine;
    mine.requested = arena_bytes;
    mine.memory = memory_room::now().total;
    mine.mappable = mappable_bytes(desired_mapping(mine.memory, ranks_on_node));
    mine.granule = memory_granule(threads || ranks_on_node == 1 ? memory_kind::anonymous : memory_kind::shared);
    mine.node = own_node;
    std::vector<arena_terms> all(nodes.size());
    boot.allgather(&mine, sizeof mine, all.data());
    auto const layout = agree_on_arenas(all, own_node);

    return threads ? make_threads_space(boot, nodes, layout) : make_segment_space(boot, nodes, layout);
}

} // namespace sode
