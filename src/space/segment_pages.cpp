// SPDX-License-Identifier: Apache-2.0
#include "space/segment_pages.hpp"

#include "base/byte_text.hpp"
#include "base/system_error.hpp"
#include "space/memory_room.hpp"

#include <fmt/format.h>

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <span>

namespace sode {
namespace {

std::uintptr_t place_of(std::byte const* at) noexcept {
    return reinterpret_cast<std::uintptr_t>(at);
}

/// The part of [at, at + bytes) that is whole huge pages.
std::span<std::byte> huge_part(std::byte* at, std::uint64_t bytes, std::uint64_t huge) noexcept {
    if (huge == 0) return {};
    auto const before = (huge - place_of(at) % huge) % huge;
    return before >= bytes ? std::span<std::byte>{} : std::span{at + before, (bytes - before) / huge * huge};
}

address_range map_whole(int fd, std::uint64_t bytes) {
    constexpr int kind = MAP_SHARED | MAP_NORESERVE;
    constexpr int access = PROT_READ | PROT_WRITE;
    // A huge page must lie in memory as it lies in the file. Room for that, if the process has it, is found by a larger mapping.
    if (auto const huge = huge_page_bytes(); huge != 0) {
        void* const room = ::mmap(nullptr, bytes + huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room != MAP_FAILED) {
            auto* const first = static_cast<std::byte*>(room);
            auto const before = (huge - place_of(first) % huge) % huge;
            bool const mapped = ::mmap(first + before, bytes, access, kind | MAP_FIXED, fd, 0) != MAP_FAILED;
            if (before != 0) ::munmap(first, before);
            ::munmap(first + before + bytes, huge - before);
            if (mapped) return {first + before, bytes};
            ::munmap(first + before, bytes);
        }
    }
    void* const base = ::mmap(nullptr, bytes, access, kind, fd, 0);
    return base == MAP_FAILED ? address_range{} : address_range{base, bytes};
}

} // namespace

segment_pages::segment_pages(unique_fd file, std::uint64_t parts, std::uint64_t part, std::uint64_t own)
    : file_(std::move(file)), memory_(map_whole(file_.get(), parts * part)), part_(part), own_(own), huge_(huge_page_bytes()) {
    if (memory_.base() == nullptr)
        throw system_error(fmt::format("the shared memory of this node, {} arenas of {}, cannot be mapped", parts, byte_text(part)),
                           "mmap", "raise `ulimit -v` or lower SODE_SEGMENT_SIZE");
    ::madvise(memory_.base(), memory_.size(), MADV_DONTDUMP);
    ::madvise(memory_.base(), memory_.size(), MADV_HUGEPAGE); // obeyed where shmem_enabled says `advise`
}

void segment_pages::back(std::uint64_t offset, std::uint64_t bytes) {
    auto const fail = [bytes](std::string_view call) {
        return system_error(fmt::format("no shared memory for {}", byte_text(bytes)), call,
                            "use smaller arrays or end other programs");
    };
    std::byte* const at = base() + offset;
    if (auto const part = huge_part(at, bytes, huge_); !part.empty() && !back_by_huge_pages(part, huge_))
        huge_ = 0; // the machine has none, or they are hard to come by
    // By a fault and not by fallocate, which knows nothing of this mapping's wish for huge pages and gives small ones.
    if (!populate(at, bytes)) {
        if (errno != EINVAL) throw fail("madvise");
        if (::fallocate(file_.get(), 0, file_offset(offset), static_cast<off_t>(bytes)) != 0) throw fail("fallocate");
        touch(at, bytes);
    }
    ::madvise(at, bytes, MADV_DODUMP);
}

void segment_pages::give_back(std::uint64_t offset, std::uint64_t bytes) noexcept {
    ::madvise(base() + offset, bytes, MADV_DONTDUMP);
    constexpr int punch = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    // Where a sandbox does not let us return memory, it must at least read as zero when it comes into use again.
    if (::fallocate(file_.get(), punch, file_offset(offset), static_cast<off_t>(bytes)) != 0)
        std::memset(base() + offset, 0, bytes);
}

} // namespace sode
