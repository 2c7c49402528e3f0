// SPDX-License-Identifier: Apache-2.0
#include "support/cores.hpp"

#include <sched.h>

namespace sode::internal::bench {

std::vector<int> usable_cores() {
    cpu_set_t set;
    std::vector<int> result;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return result;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(static_cast<unsigned>(core), &set)) result.push_back(core);
    return result;
}

void bind_to_core(int core) noexcept {
    bind_to_cores({&core, 1});
}

void bind_to_cores(std::span<int const> cores) noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int const core : cores) CPU_SET(static_cast<unsigned>(core), &set);
    sched_setaffinity(0, sizeof set, &set);
}

} // namespace sode::internal::bench
