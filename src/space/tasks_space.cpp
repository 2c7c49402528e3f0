// SPDX-License-Identifier: Apache-2.0
#include "base/task_board.hpp"
#include "space/agreement.hpp"
#include "space/arena_space.hpp"
#include "space/left_behind_pages.hpp"

#include <algorithm>
#include <map>

namespace sode {
namespace {

/// What one rank tells the others of its machine. Addresses: all mean the same everywhere.
struct task_offer {
    left_behind_pages::shared* arena = nullptr;
    std::int32_t task = -1; ///< its entry on the board
};

} // namespace

std::unique_ptr<space> make_tasks_space(bootstrap& boot, std::vector<int> const& machines, arena_layout layout) {
    auto const place = own_task_place().value();
    auto const own_machine = machines[static_cast<std::size_t>(boot.rank())];
    auto const members = static_cast<int>(std::count(machines.begin(), machines.end(), own_machine));

    arena_space::places where;
    where.name = "tasks";
    where.rank = boot.rank();
    where.one_address_space = true;
    std::shared_ptr<left_behind_pages> own;
    together(boot, "get address space", [&] { own = std::make_shared<left_behind_pages>(layout.bytes, members); });

    task_offer const mine{own->what_is_shared(), place.index};
    std::vector<task_offer> all(machines.size());
    boot.allgather(&mine, sizeof mine, all.data());

    auto neighbours = std::make_shared<std::vector<left_behind_pages::share>>();
    std::map<int, int> rank_of_task;
    where.bases.resize(machines.size());
    for (std::size_t r = 0; r < machines.size(); ++r) {
        if (machines[r] != own_machine) continue;
        rank_of_task[all[r].task] = static_cast<int>(r);
        where.bases[r] = all[r].arena->base;
        if (static_cast<int>(r) != boot.rank()) neighbours->emplace_back(all[r].arena);
    }
    where.own = std::move(own);
    where.peers = std::move(neighbours);
    where.owner = [board = place.board, ranks = std::move(rank_of_task)](void const* address) {
        auto const found = ranks.find(board->owner_of(address));
        return found == ranks.end() ? -1 : found->second;
    };
    return std::make_unique<arena_space>(std::move(where), layout);
}

} // namespace sode
