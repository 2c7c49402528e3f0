// SPDX-License-Identifier: Apache-2.0
#include "tasks/placed_call.hpp"

#include "base/unique_fd.hpp"
#include "tasks/pages.hpp"

#include <cerrno>
#include <sys/mman.h>
#include <sys/shm.h>

namespace sode::internal {

namespace {

constexpr std::uintptr_t end_of_addresses = std::uintptr_t{1} << 47U;

/// What the kernel demands of an address for huge pages of hugetlbfs; else 2 MiB where it may bring transparent ones.
std::size_t alignment_for(std::size_t length, int flags) noexcept {
    constexpr unsigned size_shift = MAP_HUGE_SHIFT;
    constexpr unsigned size_mask = MAP_HUGE_MASK;
    if ((flags & MAP_HUGETLB) != 0) {
        auto const shift = static_cast<unsigned>(flags) >> size_shift & size_mask;
        return shift == 0 ? huge_page_bytes : std::size_t{1} << shift;
    }
    return length >= huge_page_bytes && (flags & MAP_ANONYMOUS) != 0 ? huge_page_bytes : page_bytes;
}

/// A range of the partition that nobody else gets, until something is put in its place.
std::uintptr_t reserve(partition& own, std::size_t length) noexcept {
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    long at = own.map(length, length >= huge_page_bytes ? huge_page_bytes : page_bytes, PROT_NONE, flags, -1, 0);
    if (at == -ENOMEM) at = own.map(length, page_bytes, PROT_NONE, flags, -1, 0);
    return at < 0 ? 0 : static_cast<std::uintptr_t>(at);
}

} // namespace

placed_call place_mmap(partition& own, seccomp_data const& call, fetch_fd const& fetch) {
    std::size_t const length = round_up(call.args[1], page_bytes);
    if (call.args[1] == 0 || call.args[1] >= end_of_addresses) return placed_call::left_to_kernel();
    auto const prot = static_cast<int>(call.args[2]);
    // What would touch the pages now is left out: the task's own touch shall decide on which NUMA node they are, and nobody else
    // wait.
    bool const locked = (call.args[3] & MAP_LOCKED) != 0;
    auto const flags = static_cast<int>(call.args[3]) & ~(MAP_POPULATE | MAP_LOCKED);
    auto const offset = static_cast<off_t>(call.args[5]);
    unique_fd file;
    if ((flags & MAP_ANONYMOUS) == 0) {
        int const fetched = fetch(static_cast<int>(call.args[4]));
        if (fetched == -EBADF) return placed_call::failed(-EBADF);
        if (fetched < 0) return placed_call::left_to_kernel();
        file = unique_fd{fetched};
    }
    auto alignment = alignment_for(length, flags);
    long at = own.map_near(call.args[0], length, alignment, prot, flags, file.get(), offset);
    if (at == -ENOMEM && alignment > page_bytes && (flags & MAP_HUGETLB) == 0)
        at = own.map(length, page_bytes, prot, flags, file.get(), offset);
    if (at < 0) return placed_call::failed(at);
    auto const address = static_cast<std::uintptr_t>(at);
    if (locked) (void)::mlock2(memory_at(address), length, MLOCK_ONFAULT); // the kernel does not insist either
    return placed_call::done(address, [=] { ::munmap(memory_at(address), length); });
}

placed_call place_mremap(partition& own, seccomp_data const& call) {
    auto const old = call.args[0];
    auto const old_length = round_up(call.args[1], page_bytes);
    auto const length = round_up(call.args[2], page_bytes);
    auto const flags = static_cast<int>(call.args[3]);
    // A length of 0 duplicates a shared mapping.
    bool const keeps_old = (flags & MREMAP_DONTUNMAP) != 0 || call.args[1] == 0;
    if (call.args[2] == 0 || call.args[2] >= end_of_addresses || call.args[1] >= end_of_addresses || old % page_bytes != 0 ||
        old >= end_of_addresses)
        return placed_call::left_to_kernel();
    if (!keeps_old && ::mremap(memory_at(old), old_length, length, 0) != MAP_FAILED) {
        if (own.contains(old, length)) own.window().skip(old + length);
        return placed_call::done(old, [=] {
            if (length > old_length) ::munmap(memory_at(old + old_length), length - old_length);
        });
    }
    if (!keeps_old && errno != ENOMEM) return placed_call::failed(-errno);
    auto const target = reserve(own, length);
    if (target == 0) return placed_call::failed(-ENOMEM);
    if (::mremap(memory_at(old), old_length, length, flags | MREMAP_FIXED, memory_at(target)) == MAP_FAILED) {
        int const why = errno;
        ::munmap(memory_at(target), length);
        return placed_call::failed(-why);
    }
    return placed_call::done(target, [=] {
        if (keeps_old && (flags & MREMAP_DONTUNMAP) == 0)
            ::munmap(memory_at(target), length);
        else
            ::mremap(memory_at(target), length, old_length, MREMAP_MAYMOVE | MREMAP_FIXED, memory_at(old));
    });
}

placed_call place_shmat(partition& own, seccomp_data const& call) {
    auto const segment = static_cast<int>(call.args[0]);
    auto const flags = static_cast<int>(call.args[2]);
    shmid_ds status{};
    if (call.args[1] != 0 || (flags & SHM_REMAP) != 0 || ::shmctl(segment, IPC_STAT, &status) != 0)
        return placed_call::left_to_kernel();
    auto const length = round_up(status.shm_segsz, page_bytes);
    auto const target = reserve(own, length);
    if (target == 0) return placed_call::failed(-ENOMEM);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): what shmat() returns on failure is such a pointer
    if (::shmat(segment, memory_at(target), flags | SHM_REMAP) == reinterpret_cast<void*>(-1)) {
        int const why = errno;
        ::munmap(memory_at(target), length);
        return placed_call::failed(-why);
    }
    return placed_call::done(target, [=] { ::shmdt(memory_at(target)); });
}

placed_call place_brk(partition& own, seccomp_data const& call) {
    return placed_call::done(own.set_break(call.args[0]), {}); // asked again, it answers the same
}

placed_call refuse_brk() {
    return placed_call::done(0, {});
}

} // namespace sode::internal
