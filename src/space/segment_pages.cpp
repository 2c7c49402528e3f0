// SPDX-License-Identifier: Apache-2.0
#include "space/segment_pages.hpp"

#include "base/byte_text.hpp"
#include "base/limits.hpp"
#include "base/system_error.hpp"
#include "space/memory_room.hpp"

#include <fmt/format.h>

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <span>

namespace sode::internal {
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

constexpr std::uint64_t widest_gap = std::uint64_t{1} << 30;
constexpr std::uint64_t least_unit = std::uint64_t{1} << 21;

/// Wide where there are enough addresses; parts are much wider.
std::uint64_t gap_for(std::uint64_t part, std::uint64_t unit) noexcept {
    return (std::min(widest_gap, part / 8) + unit - 1) / unit * unit;
}

/// Addresses with nothing behind them, from a multiple of `unit` on; empty, if this process may not have so many.
address_range set_aside(std::uint64_t bytes, std::uint64_t unit) {
    void* const room = ::mmap(nullptr, bytes + unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return {};
    auto* const first = static_cast<std::byte*>(room);
    auto const before = (unit - place_of(first) % unit) % unit;
    if (before != 0) ::munmap(first, before);
    if (before != unit) ::munmap(first + before + bytes, unit - before);
    return {first + before, bytes};
}

} // namespace

segment_pages::segment_pages(unique_fd file, std::uint64_t parts, std::uint64_t part, std::uint64_t own)
    : file_(std::move(file)), part_(part), own_(own), huge_(huge_page_bytes()), unit_(std::max(huge_, least_unit)) {
    // A huge page must lie in memory as it lies in the file, so gaps are whole ones.
    for (auto const gap : {gap_for(part, unit_), unit_, std::uint64_t{0}}) {
        gap_ = gap;
        memory_ = set_aside(parts * (part + gap) + gap, unit_);
        if (memory_.base() != nullptr) break;
    }
    if (memory_.base() == nullptr)
        throw refused(fmt::format("the shared memory of this machine, {} arenas of {}, cannot be mapped", parts, byte_text(part)),
                      "mmap", errno, "lower SODE_SEGMENT_SIZE");
    ::madvise(memory_.base(), memory_.size(), MADV_DONTDUMP);
    map(own_);
}

void segment_pages::map(std::uint64_t index) {
    auto const at = static_cast<off_t>(index * part_);
    if (::mmap(part(index), part_, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file_.get(), at) == MAP_FAILED)
        throw refused("the shared memory of this machine cannot be mapped", "mmap", errno, "raise vm.max_map_count");
    ::madvise(part(index), part_, MADV_DONTDUMP);
    ::madvise(part(index), part_, MADV_HUGEPAGE); // obeyed where shmem_enabled says `advise`
}

void segment_pages::open(std::uint64_t index, std::uint64_t offset, std::uint64_t bytes) {
    if (bytes == 0) return;
    auto begin = offset / unit_ * unit_;
    auto end = std::min((offset + bytes + unit_ - 1) / unit_ * unit_, part_);
    std::lock_guard const mine{lock_};
    auto& opened = opened_[index];
    if (opened.empty()) map(index);
    auto next = opened.upper_bound(begin);
    if (next != opened.begin() && std::prev(next)->second >= begin) --next;
    if (next != opened.end() && next->first <= begin && end <= next->second) return;
    if (::mprotect(part(index) + begin, end - begin, PROT_READ | PROT_WRITE) != 0)
        throw refused("the memory of another rank cannot be opened", "mprotect", errno, "raise vm.max_map_count");
    for (; next != opened.end() && next->first <= end; next = opened.erase(next)) {
        begin = std::min(begin, next->first);
        end = std::max(end, next->second);
    }
    opened[begin] = end;
}

void segment_pages::back(std::uint64_t offset, std::uint64_t bytes) {
    auto const fail = [bytes](std::string_view call) {
        return system_error(fmt::format("no shared memory for {}", byte_text(bytes)), call,
                            "use smaller arrays or end other programs");
    };
    std::byte* const at = base() + offset;
    if (::mprotect(at, bytes, PROT_READ | PROT_WRITE) != 0) throw fail("mprotect");
    if (auto const part = huge_part(at, bytes, huge_); !part.empty() && !back_by_huge_pages(part, huge_))
        huge_ = 0; // the machine has none, or they are hard to come by
    // By a fault and not by fallocate, which knows nothing of this mapping's wish for huge pages and gives small ones.
    if (!populate(at, bytes)) {
        if (errno != EINVAL) throw fail("madvise");
        no_file_size_signal const quiet;
        if (::fallocate(file_.get(), 0, file_offset(offset), static_cast<off_t>(bytes)) != 0) throw fail("fallocate");
        touch(at, bytes);
    }
    ::madvise(at, bytes, MADV_DODUMP); // before the next: the neighbours' mapping, of the same kind now, is one with this
    if (huge_ != 0) complete_huge_pages({at, bytes}, huge_);
}

void segment_pages::give_back(std::uint64_t offset, std::uint64_t bytes) noexcept {
    ::madvise(base() + offset, bytes, MADV_DONTDUMP);
    constexpr int punch = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    // Where a sandbox does not let us return memory, it must at least read as zero when it comes into use again.
    if (::fallocate(file_.get(), punch, file_offset(offset), static_cast<off_t>(bytes)) != 0 &&
        ::mprotect(base() + offset, bytes, PROT_READ | PROT_WRITE) == 0)
        std::memset(base() + offset, 0, bytes);
    ::mprotect(base() + offset, bytes, PROT_NONE); // fails only if the process has too many mappings
}

} // namespace sode::internal
