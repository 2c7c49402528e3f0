// SPDX-License-Identifier: Apache-2.0
#include "space/anonymous_memory.hpp"

#include "base/byte_text.hpp"
#include "base/system_error.hpp"
#include "space/pages.hpp"

#include <fmt/format.h>

#include <sys/mman.h>

#include <cerrno>

namespace sode::internal::anonymous_memory {
namespace {

constexpr int anonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

} // namespace

std::byte* set_aside(std::uint64_t bytes) {
    void* const base = ::mmap(nullptr, bytes, PROT_NONE, anonymous, -1, 0);
    if (base == MAP_FAILED)
        throw system_error(fmt::format("no address space for an arena of {}", byte_text(bytes)), "mmap",
                           "raise `ulimit -v` or lower SODE_SEGMENT_SIZE");
    return static_cast<std::byte*>(base);
}

void back(std::byte* at, std::uint64_t bytes) {
    auto const fail = [bytes](std::string_view call) {
        return system_error(fmt::format("no memory for {}", byte_text(bytes)), call, "use smaller arrays or end other programs");
    };
    if (::mmap(at, bytes, PROT_READ | PROT_WRITE, anonymous | MAP_FIXED, -1, 0) == MAP_FAILED) throw fail("mmap");
    ::madvise(at, bytes, MADV_HUGEPAGE); // a wish
    if (populate(at, bytes)) return;
    if (errno != EINVAL) throw fail("madvise");
    touch(at, bytes);
}

void give_back(std::byte* at, std::uint64_t bytes) noexcept {
    // Fails only if the process has too many mappings; the memory is then still freed.
    if (::mmap(at, bytes, PROT_NONE, anonymous | MAP_FIXED, -1, 0) == MAP_FAILED) ::madvise(at, bytes, MADV_DONTNEED);
}

} // namespace sode::internal::anonymous_memory
