// SPDX-License-Identifier: Apache-2.0
#include "base/task_board.hpp"
#include "space/agreement.hpp"
#include "space/arena_space.hpp"
#include "space/left_behind_pages.hpp"

#include <map>
#include <vector>

namespace sode::internal {
namespace {

/// What one rank tells the others of its machine. Addresses: all mean the same everywhere.
struct task_offer {
    left_behind_pages::shared* arena = nullptr;
    std::int32_t task = -1; ///< its entry on the board
};

/// The ranks of this machine. A use of the arena of each: whoever is the last of them unmaps it.
struct neighbours {
    std::vector<std::byte*> bases;
    std::vector<left_behind_pages::share> shares;
};

} // namespace

std::unique_ptr<space> make_tasks_space(bootstrap& boot, machine_map const& machines, arena_layout layout) {
    auto const place = own_task_place().value();
    auto const members = machines.on(machines.of(boot.rank()));

    arena_space::places where;
    where.name = "tasks";
    where.rank = boot.rank();
    where.one_address_space = true;
    std::shared_ptr<left_behind_pages> own;
    together(boot, "get address space", [&] { own = std::make_shared<left_behind_pages>(layout.bytes, members.size()); });

    task_offer const mine{own->what_is_shared(), place.index};
    std::vector<task_offer> all(static_cast<std::size_t>(boot.size()));
    boot.allgather(&mine, sizeof mine, all.data());

    auto near = std::make_shared<neighbours>();
    std::map<int, int> rank_of_task;
    for (int const r : members) {
        auto const& [arena, task] = all[static_cast<std::size_t>(r)];
        rank_of_task[task] = r;
        near->bases.push_back(arena->base);
        if (r != boot.rank()) near->shares.emplace_back(arena);
    }
    where.machines = machines;
    where.begins.table = near->bases.data();
    where.own = std::move(own);
    where.peers = std::move(near);
    where.owner = [board = place.board, ranks = std::move(rank_of_task)](void const* address) {
        auto const found = ranks.find(board->owner_of(address));
        return found == ranks.end() ? -1 : found->second;
    };
    return std::make_unique<arena_space>(std::move(where), layout);
}

} // namespace sode::internal
