// SPDX-License-Identifier: Apache-2.0
#include "space/agreement.hpp"
#include "space/arena_space.hpp"
#include "space/offered.hpp"
#include "space/private_pages.hpp"

#include <vector>

namespace sode::internal {

namespace {

/// Of the ranks of a machine, one list for all of them.
struct arenas {
    std::vector<std::shared_ptr<pages>> owned;
    std::vector<std::byte*> bases;
};

arenas gather_arenas(bootstrap& boot, machine_map::members const& members, std::shared_ptr<pages> const& own) {
    return take_offered(boot, own, [&](auto const& offered) {
        arenas all;
        for (int const r : members) {
            all.owned.push_back(*offered[static_cast<std::size_t>(r)]);
            all.bases.push_back(all.owned.back()->base());
        }
        return all;
    });
}

} // namespace

/// Every rank becomes an owner of all arenas: a rank that unwinds after an error must not pull its memory from under the others.
std::unique_ptr<space> make_threads_space(bootstrap& boot, machine_map const& machines, arena_layout layout) {
    auto const members = machines.on(machines.of(boot.rank()));
    arena_space::places where;
    where.name = boot.size() == 1 ? "alone" : "threads";
    where.rank = boot.rank();
    where.machines = machines;
    where.one_address_space = true;
    together(boot, "get address space", [&] { where.own = std::make_shared<private_pages>(layout.bytes); });

    std::shared_ptr<arenas const> const mine = std::make_shared<arenas>(gather_arenas(boot, members, where.own));
    auto all = offered_by(boot, members[0], mine);
    where.begins.table = all->bases.data();
    where.peers = std::move(all);
    return std::make_unique<arena_space>(std::move(where), layout);
}

} // namespace sode::internal
