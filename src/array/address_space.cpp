// SPDX-License-Identifier: Apache-2.0
#include <sode/tasks.hpp>

#include "model/job.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode {

bool one_address_space(runtime const& rt) noexcept {
    return rt.job().memory->one_address_space();
}

int owner_of(runtime const& rt, void const* address) noexcept {
    return rt.job().memory->owner_of(address);
}

std::vector<void*> detail::pointers_of_machine(runtime const& rt, void* mine) {
    auto& j = rt.job();
    if (!j.memory->one_address_space())
        throw error{error_kind::environment, "this rank cannot use pointers from other ranks",
                    fmt::format("the ranks share memory by {}, but each rank has its own address space", j.memory->name()),
                    "start the program by `sode run --space=tasks`, or `mpirun ... sode task ./program`"};
    std::vector<void*> all(static_cast<std::size_t>(j.boot->size()));
    // NOLINTNEXTLINE(bugprone-sizeof-expression): it is the pointer that is sent
    j.boot->allgather(&mine, sizeof mine, all.data());
    for (std::size_t r = 0; r < all.size(); ++r)
        if (!j.memory->contains(static_cast<int>(r))) all[r] = nullptr;
    return all;
}

void detail::leave_out_of_forks(runtime& rt, std::byte const* first, std::size_t bytes) {
    if (rt.job().memory->leave_out_of_forks(first, bytes)) return;
    throw error{error_kind::usage, fmt::format("{} bytes cannot be excluded from forks", bytes),
                "Sode did not allocate this memory, and its pages may hold other data",
                "pass a view of a sode::array, or call madvise(..., MADV_DONTFORK) for your own pages"};
}

} // namespace sode
