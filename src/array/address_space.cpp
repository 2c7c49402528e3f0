// SPDX-License-Identifier: Apache-2.0
#include <sode/tasks.hpp>

#include "base/system_error.hpp"
#include "model/job.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace sode {

bool one_address_space(runtime const& rt) noexcept {
    return rt.job().memory->one_address_space();
}

int owner_of(runtime const& rt, void const* address) noexcept {
    return rt.job().memory->owner_of(address);
}

std::vector<void*> detail::pointers_of_node(runtime const& rt, void* mine) {
    auto& j = rt.job();
    if (!j.memory->one_address_space())
        throw error{error_kind::environment, "the pointers of other ranks mean nothing here",
                    fmt::format("their memory is shared by {}, not one address space", j.memory->name()),
                    "start the program by `sode run --space=tasks`, or `mpirun ... sode task ./program`"};
    std::vector<void*> all(static_cast<std::size_t>(j.boot->size()));
    // NOLINTNEXTLINE(bugprone-sizeof-expression): it is the pointer that is sent
    j.boot->allgather(&mine, sizeof mine, all.data());
    for (std::size_t r = 0; r < all.size(); ++r)
        if (!j.memory->contains(static_cast<int>(r))) all[r] = nullptr;
    return all;
}

void leave_out_of_forks(void* first, std::size_t bytes) {
    auto const page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    auto const begin = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
    auto const end = (reinterpret_cast<std::uintptr_t>(first) + bytes) / page * page;
    if (begin >= end) return;
    auto* const at = static_cast<std::byte*>(first) + (begin - reinterpret_cast<std::uintptr_t>(first));
    if (::madvise(at, end - begin, MADV_DONTFORK) != 0)
        throw system_error(fmt::format("{} bytes cannot be left out of forks", bytes), "madvise", "pass memory that is mapped");
}

} // namespace sode
