// SPDX-License-Identifier: Apache-2.0
#include "base/shared_memory.hpp"

#include "base/byte_text.hpp"
#include "base/limits.hpp"
#include "base/system_error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sode::internal {

namespace {

unique_fd unsealed_memfd(std::string const& name, std::size_t bytes) {
    unique_fd file{memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    if (!file) throw refused("a memory file cannot be created", "memfd_create", errno, "use Linux 3.17 or newer");
    no_file_size_signal const quiet;
    if (ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
        throw refused(fmt::format("a memory file of {} cannot be created", byte_text(bytes)), "ftruncate", errno,
                      "use fewer ranks");
    return file;
}

void seal(unique_fd const& file, int seals) {
    if (fcntl(file.get(), F_ADD_SEALS, seals | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw system_error("a memory file cannot be sealed", "F_ADD_SEALS", "");
}

} // namespace

unique_fd make_memfd(std::string const& name, std::size_t bytes) {
    auto file = unsealed_memfd(name, bytes);
    seal(file, 0);
    return file;
}

unique_fd make_constant_memfd(std::string const& name, std::span<std::byte const> content) {
    auto file = unsealed_memfd(name, content.size());
    for (std::size_t done = 0; done < content.size();) {
        auto const n = pwrite(file.get(), content.data() + done, content.size() - done, static_cast<off_t>(done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) throw refused(fmt::format("no memory for {}", byte_text(content.size())), "pwrite", errno, "use fewer ranks");
        done += static_cast<std::size_t>(n);
    }
    seal(file, F_SEAL_WRITE);
    return file;
}

mapping::mapping(unique_fd const& file, std::size_t bytes, use kind) : bytes_(bytes) {
    struct stat status {};
    if (fstat(file.get(), &status) != 0) throw system_error("shared memory cannot be mapped", "fstat", "");
    if (static_cast<std::size_t>(status.st_size) != bytes)
        throw error{error_kind::environment, "shared memory cannot be mapped",
                    fmt::format("the memory has {} bytes, but {} bytes were expected", status.st_size, bytes),
                    "use the same version of Sode for the whole job"};
    // Linux before 6.7 maps no file as shared that is sealed against writing; of pages that nobody writes there is one copy anyhow.
    int const access = kind == use::shared ? PROT_READ | PROT_WRITE : PROT_READ;
    void* const p = mmap(nullptr, bytes, access, kind == use::shared ? MAP_SHARED : MAP_PRIVATE, file.get(), 0);
    if (p == MAP_FAILED)
        throw refused(fmt::format("{} of shared memory cannot be mapped", byte_text(bytes)), "mmap", errno, "use fewer ranks");
    data_ = static_cast<std::byte*>(p);
}

mapping::mapping(mapping&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

mapping& mapping::operator=(mapping&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

mapping::~mapping() {
    if (data_ != nullptr) munmap(data_, bytes_);
}

} // namespace sode::internal
