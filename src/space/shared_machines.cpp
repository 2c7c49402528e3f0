// SPDX-License-Identifier: Apache-2.0
#include "space/shared_machines.hpp"

#include "base/shared_memory.hpp"
#include "space/agreement.hpp"
#include "space/handed_file.hpp"
#include "space/offered.hpp"

#include <fcntl.h>

#include <memory>
#include <utility>

namespace sode::internal {
namespace {

machine_map shared_by_processes(bootstrap& boot, machine_map all) {
    auto const members = all.on(all.of(boot.rank()));
    auto const table = std::as_bytes(all.table());
    auto const file = handed_file(boot, members, "the table of machines",
                                  {.bytes = table.size(), .seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE},
                                  [&] { return make_constant_memfd("sode machines", table); });
    together(boot, "map the table of machines", [&] {
        if (!file) return;
        auto const mapped = std::make_shared<mapping>(file, table.size(), mapping::use::constant);
        all.read_from({mapped, reinterpret_cast<int const*>(mapped->data())});
    });
    return all;
}

} // namespace

machine_map shared_machines(bootstrap& boot) {
    machine_map all{boot.machines()};
    if (all.table().empty()) return all;
    if (!boot.one_process()) return shared_by_processes(boot, std::move(all));
    int const first = all.on(all.of(boot.rank()))[0];
    return offered_by(boot, first, std::move(all));
}

} // namespace sode::internal
