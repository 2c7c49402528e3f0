// SPDX-License-Identifier: Apache-2.0
#include "space/pages.hpp"

#include "base/byte_text.hpp"
#include "space/memory_room.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 // Linux 5.14
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 // Linux 6.1
#endif

namespace sode::internal {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
/// Without swap the kernel does not refuse memory that it does not have: it kills somebody. So the room is looked at before each
/// step, and steps are small because the other ranks of the machine allocate at the same time.
constexpr std::uint64_t step = 16 * mebibyte;
/// Too little to look, and far less than what is kept free.
constexpr std::uint64_t unnoticed = mebibyte;

void expect_room(std::uint64_t bytes, std::uint64_t wanted) {
    auto const room = memory_room::now();
    auto const kept_free = room.total / 64 + step;
    if (bytes + kept_free <= room.available) return;
    throw error{error_kind::environment, fmt::format("no memory for an array of {}", byte_text(wanted)),
                fmt::format("{} of {} are free, of which {} are reserved for the system", byte_text(room.available),
                            byte_text(room.total), byte_text(kept_free)),
                "use smaller arrays or more machines, or end other programs"};
}

bool resident(std::span<std::byte> memory) noexcept {
    auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::array<unsigned char, 512> states; // a huge page of 2 MiB in pages of 4 KiB
    for (std::size_t at = 0; at < memory.size(); at += states.size() * page) {
        auto const bytes = std::min(memory.size() - at, states.size() * page);
        if (::mincore(memory.data() + at, bytes, states.data()) != 0) return false;
        if (!std::all_of(states.begin(), states.begin() + bytes / page, [](unsigned char s) { return (s & 1U) != 0; }))
            return false;
    }
    return true;
}

} // namespace

void pages::reserve(std::uint64_t offset, std::uint64_t bytes) {
    if (bytes > unnoticed) expect_room(bytes, bytes);
    std::uint64_t done = 0;
    try {
        while (done < bytes) {
            // No step but the last ends within a huge page.
            auto const part = std::min(step - (offset + done) % step, bytes - done);
            if (done != 0) expect_room(part, bytes);
            back(offset + done, part);
            done += part;
        }
    } catch (...) {
        give_back(offset, std::min(bytes, done + step));
        throw;
    }
}

bool populate(std::byte* base, std::size_t bytes) noexcept {
    return ::madvise(base, bytes, MADV_POPULATE_WRITE) == 0;
}

bool back_by_huge_pages(std::span<std::byte> memory, std::size_t huge_page) noexcept {
    // The kernel collapses what has at least one page.
    auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    for (std::size_t at = 0; at < memory.size(); at += huge_page)
        if (!populate(memory.data() + at, page)) return false;
    return ::madvise(memory.data(), memory.size(), MADV_COLLAPSE) == 0;
}

void complete_huge_pages(std::span<std::byte> added, std::size_t huge_page) noexcept {
    auto const before = reinterpret_cast<std::uintptr_t>(added.data()) % huge_page;
    auto const last = (before + added.size() - 1) / huge_page * huge_page;
    for (auto const at : {std::size_t{0}, last}) {
        bool const added_whole = at >= before && at + huge_page <= before + added.size();
        std::span const all{added.data() - before + at, huge_page};
        if (!added_whole && resident(all)) ::madvise(all.data(), all.size(), MADV_COLLAPSE);
        if (last == 0) break;
    }
}

void touch(std::byte* base, std::size_t bytes) noexcept {
    auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    for (std::size_t at = 0; at < bytes; at += page) *reinterpret_cast<char volatile*>(base + at) = 0;
}

} // namespace sode::internal
