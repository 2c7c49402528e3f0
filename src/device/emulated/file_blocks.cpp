// SPDX-License-Identifier: Apache-2.0
#include "device/emulated/file_blocks.hpp"

#include "base/byte_text.hpp"
#include "base/limits.hpp"
#include "base/shared_memory.hpp"
#include "base/system_error.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace sode::internal {
namespace {

struct told_file {
    int descriptor;
    std::uint64_t device, number; ///< so that another file of a later process is not taken for it
};

std::byte* map_file(int file, std::size_t bytes) noexcept {
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) return nullptr;
    ::madvise(at, bytes, MADV_DONTDUMP); // as a device's memory is in no core dump
    return static_cast<std::byte*>(at);
}

std::string reason(std::string_view call) {
    return fmt::format("{}: {}", call, std::generic_category().message(errno));
}

} // namespace

std::byte* file_blocks::allocate(std::size_t bytes) {
    auto file = make_memfd("sode-device", bytes);
    // Now, and not by a signal when somebody touches it.
    no_file_size_signal const quiet;
    if (::fallocate(file.get(), 0, 0, static_cast<off_t>(bytes)) != 0 && errno != EOPNOTSUPP)
        throw system_error(fmt::format("no shared memory for {}", byte_text(bytes)), "fallocate",
                           "use smaller arrays or end other programs");
    auto* const block = map_file(file.get(), bytes);
    if (!block) throw system_error(fmt::format("no address space for {}", byte_text(bytes)), "mmap", "use smaller arrays");
    std::lock_guard const mine{lock_};
    files_.emplace(block, std::move(file));
    return block;
}

void file_blocks::free(std::byte* block, std::size_t bytes) noexcept {
    ::munmap(block, bytes);
    std::lock_guard const mine{lock_};
    files_.erase(block);
}

std::string file_blocks::issue(std::byte* block, ticket& t) {
    if (gives_none_) return "SODE_DEVICE makes the memory of this device private";
    std::lock_guard const mine{lock_};
    told_file told{files_.at(block).get(), 0, 0};
    struct stat status {};
    if (::fstat(told.descriptor, &status) != 0) return reason("fstat");
    told.device = status.st_dev;
    told.number = status.st_ino;
    std::memcpy(t.data(), &told, sizeof told);
    return {};
}

std::byte* file_blocks::map(ticket const& t, process_identity const& owner, std::size_t bytes, std::string& why_not) {
    told_file told{};
    std::memcpy(&told, t.data(), sizeof told);
    unique_fd const file{::open(fmt::format("/proc/{}/fd/{}", owner.pid, told.descriptor).c_str(), O_RDWR | O_CLOEXEC)};
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0) {
        why_not = reason("open");
        return nullptr;
    }
    if (status.st_dev != told.device || status.st_ino != told.number || static_cast<std::size_t>(status.st_size) != bytes) {
        why_not = "the file descriptor of the memory now refers to another file";
        return nullptr;
    }
    auto* const block = map_file(file.get(), bytes);
    if (!block) why_not = reason("mmap");
    return block;
}

void file_blocks::unmap(std::byte* block, std::size_t bytes) noexcept {
    ::munmap(block, bytes);
}

} // namespace sode::internal
