// SPDX-License-Identifier: Apache-2.0
#include "space/agreement.hpp"
#include "space/arena_space.hpp"
#include "space/private_pages.hpp"

namespace sode {

/// Every rank becomes an owner of all arenas: a rank that unwinds after an error must not pull its memory from under the others.
std::unique_ptr<space> make_threads_space(bootstrap& boot, std::vector<int> const& machines, arena_layout layout) {
    using arenas = std::vector<std::shared_ptr<pages>>;

    arena_space::places where;
    where.name = boot.size() == 1 ? "alone" : "threads";
    where.rank = boot.rank();
    where.one_address_space = true;
    together(boot, "get address space", [&] { where.own = std::make_shared<private_pages>(layout.bytes); });

    auto offered = std::make_unique<std::shared_ptr<pages>>(where.own);
    std::shared_ptr<pages> const* const address = offered.get();
    std::vector<std::shared_ptr<pages> const*> addresses(static_cast<std::size_t>(boot.size()));
    auto everybody = std::make_shared<arenas>();
    try {
        // NOLINTNEXTLINE(bugprone-sizeof-expression): it is the pointer that is sent
        boot.allgather(&address, sizeof address, addresses.data());
        for (auto const* const other : addresses) everybody->push_back(*other);
        boot.barrier();
    } catch (...) {
        static_cast<void>(offered.release()); // others may be copying it at this moment
        throw;
    }
    auto const own_machine = machines[static_cast<std::size_t>(boot.rank())];
    for (std::size_t r = 0; r < machines.size(); ++r)
        where.bases.push_back(machines[r] == own_machine ? (*everybody)[r]->base() : nullptr);
    where.peers = std::move(everybody);
    return std::make_unique<arena_space>(std::move(where), layout);
}

} // namespace sode
