// SPDX-License-Identifier: Apache-2.0
#include "tasks/own_memory.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace sode::internal {

own_memory::own_memory() : file_(::open("/proc/self/mem", O_RDWR | O_CLOEXEC)) {}

bool own_memory::read(std::uintptr_t from, std::span<std::byte> to) const noexcept {
    return ::pread(file_.get(), to.data(), to.size(), static_cast<off_t>(from)) == static_cast<ssize_t>(to.size());
}

bool own_memory::write(std::uintptr_t to, std::span<std::byte const> from) const noexcept {
    return ::pwrite(file_.get(), from.data(), from.size(), static_cast<off_t>(to)) == static_cast<ssize_t>(from.size());
}

} // namespace sode::internal
