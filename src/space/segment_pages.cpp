// SPDX-License-Identifier: Apache-2.0
#include "space/segment_pages.hpp"

#include "base/byte_text.hpp"
#include "base/system_error.hpp"

#include <fmt/format.h>

#include <fcntl.h>

#include <cerrno>
#include <cstring>

namespace sode {
namespace {

address_range map_whole(int fd, std::uint64_t parts, std::uint64_t part) {
    void* const base = ::mmap(nullptr, parts * part, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (base == MAP_FAILED)
        throw system_error(fmt::format("the shared memory of this node, {} arenas of {}, cannot be mapped", parts, byte_text(part)),
                           "mmap", "raise `ulimit -v` or lower SODE_SEGMENT_SIZE");
    return {base, parts * part};
}

} // namespace

segment_pages::segment_pages(unique_fd file, std::uint64_t parts, std::uint64_t part, std::uint64_t own)
    : file_(std::move(file)), memory_(map_whole(file_.get(), parts, part)), part_(part), own_(own) {
    ::madvise(memory_.base(), memory_.size(), MADV_DONTDUMP);
    ::madvise(memory_.base(), memory_.size(), MADV_HUGEPAGE); // obeyed where shmem_enabled says `advise`
}

void segment_pages::back(std::uint64_t offset, std::uint64_t bytes) {
    auto const fail = [bytes](std::string_view call) {
        return system_error(fmt::format("no shared memory for {}", byte_text(bytes)), call,
                            "use smaller arrays or end other programs");
    };
    // By a fault and not by fallocate, which knows nothing of this mapping's wish for huge pages and gives small ones.
    std::byte* const at = base() + offset;
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
