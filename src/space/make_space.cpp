// SPDX-License-Identifier: Apache-2.0
#include "base/task_board.hpp"
#include "space/arena_space.hpp"
#include "space/memory_room.hpp"

#include <sode/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <map>

namespace sode {

namespace {

/// Which root process made this task, and which node it is on: equal for those who have one address space.
struct root_mark {
    std::int64_t node = 0;
    std::int64_t root = 0; ///< 0: this is no task
};

bool all_are_tasks(bootstrap& boot, std::int64_t node) {
    root_mark const mine{node, own_task_place() ? ::getppid() : 0};
    std::vector<root_mark> all(static_cast<std::size_t>(boot.size()));
    boot.allgather(&mine, sizeof mine, all.data());
    std::map<std::int64_t, std::int64_t> roots;
    return std::all_of(all.begin(), all.end(),
                       [&](root_mark const& m) { return m.root != 0 && roots.emplace(m.node, m.root).first->second == m.root; });
}

[[noreturn]] void refuse_tasks() {
    throw error{error_kind::environment, "SODE_SPACE=tasks cannot be had",
                "the ranks of a node do not all live in one address space",
                "start them by `sode run --space=tasks`, or `mpirun ... sode task ./program`"};
}

} // namespace

std::unique_ptr<space> make_space(bootstrap& boot, std::size_t arena_bytes, space_choice wanted) {
    bool const threads = boot.one_process();
    auto const nodes = boot.nodes();
    auto const own_node = nodes[static_cast<std::size_t>(boot.rank())];
    auto const ranks_on_node = static_cast<int>(std::count(nodes.begin(), nodes.end(), own_node));

    bool const tasks = !threads && wanted != space_choice::segment && all_are_tasks(boot, own_node);
    if (wanted == space_choice::tasks && !tasks) refuse_tasks();

    arena_terms mine;
    mine.requested = arena_bytes;
    mine.memory = memory_room::now().total;
    // A task maps its own arena only, in a range of addresses that nobody else draws from.
    mine.mappable = tasks ? mappable_bytes(desired_mapping(mine.memory, 1)) * static_cast<std::uint64_t>(ranks_on_node)
                          : mappable_bytes(desired_mapping(mine.memory, ranks_on_node));
    mine.granule = memory_granule(threads || tasks || ranks_on_node == 1 ? memory_kind::anonymous : memory_kind::shared);
    mine.node = own_node;
    std::vector<arena_terms> all(nodes.size());
    boot.allgather(&mine, sizeof mine, all.data());
    auto const layout = agree_on_arenas(all, own_node);

    if (threads) return make_threads_space(boot, nodes, layout);
    return tasks ? make_tasks_space(boot, nodes, layout) : make_segment_space(boot, nodes, layout);
}

} // namespace sode
