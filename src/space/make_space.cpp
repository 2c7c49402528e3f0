// SPDX-License-Identifier: Apache-2.0
#include "base/config.hpp"
#include "base/task_board.hpp"
#include "space/arena_space.hpp"
#include "space/memory_room.hpp"

#include <sode/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <map>
#include <span>

namespace sode::internal {

namespace {

/// What a rank tells the others, before anybody knows which space it will be.
struct offer {
    arena_terms apart;     ///< of threads, or of processes that each have an address space
    arena_terms together;  ///< of tasks
    std::int64_t root = 0; ///< the process that made this task; 0: this is none
};

bool all_are_tasks(std::span<offer const> all) {
    std::map<std::int64_t, std::int64_t> roots;
    return std::all_of(all.begin(), all.end(), [&](offer const& o) {
        return o.root != 0 && roots.emplace(o.together.machine, o.root).first->second == o.root;
    });
}

[[noreturn]] void refuse_tasks() {
    throw error{error_kind::environment, "SODE_SPACE=tasks cannot be used",
                "the ranks on a machine do not all share one address space",
                "start the ranks by `sode run --space=tasks`, or `mpirun ... sode task ./program`"};
}

} // namespace

space_choice wanted_space(config const& settings) noexcept {
    return settings.space.empty()      ? space_choice::automatic
           : settings.space == "tasks" ? space_choice::tasks
                                       : space_choice::segment;
}

std::unique_ptr<space> make_space(bootstrap& boot, std::size_t arena_bytes, space_choice wanted) {
    return make_space(boot, machine_map{boot.machines()}, arena_bytes, wanted);
}

std::unique_ptr<space> make_space(bootstrap& boot, machine_map const& machines, std::size_t arena_bytes, space_choice wanted) {
    bool const threads = boot.one_process();
    int const own_machine = machines.of(boot.rank());
    int const ranks_on_machine = machines.on(own_machine).size();

    offer mine;
    auto& terms = mine.apart;
    terms.requested = arena_bytes;
    terms.memory = memory_room::now().total;
    terms.mappable = mappable_bytes(desired_mapping(terms.memory, ranks_on_machine));
    terms.granule = memory_granule(threads || ranks_on_machine == 1 ? memory_kind::anonymous : memory_kind::shared);
    terms.machine = own_machine;
    if (!threads && wanted != space_choice::segment && own_task_place()) {
        mine.root = ::getppid();
        mine.together = terms;
        // A task maps its own arena only, in a range of addresses that nobody else draws from.
        mine.together.mappable = mappable_bytes(desired_mapping(terms.memory, 1)) * static_cast<std::uint64_t>(ranks_on_machine);
        mine.together.granule = memory_granule(memory_kind::anonymous);
    }
    std::vector<offer> offers(static_cast<std::size_t>(boot.size()));
    boot.allgather(&mine, sizeof mine, offers.data());

    bool const tasks = all_are_tasks(offers);
    if (wanted == space_choice::tasks && !tasks) refuse_tasks();
    std::vector<arena_terms> all(offers.size());
    std::transform(offers.begin(), offers.end(), all.begin(), [&](offer const& o) { return tasks ? o.together : o.apart; });
    auto const layout = agree_on_arenas(all, own_machine);

    if (threads) return make_threads_space(boot, machines, layout);
    return tasks ? make_tasks_space(boot, machines, layout) : make_segment_space(boot, machines, layout);
}

std::unique_ptr<space> make_open_space(bootstrap& boot, std::size_t arena_bytes, space_choice wanted) {
    auto memory = make_space(boot, arena_bytes, wanted);
    for (int r = 0; r < boot.size(); ++r) memory->open(r, {0, UINT64_MAX});
    return memory;
}

} // namespace sode::internal
