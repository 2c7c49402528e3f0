// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace sode::internal {

/// This address space as a file: what is not there is an answer and no crash, and code can be written.
class own_memory {
public:
    own_memory();

    /// Whether all of it was there.
    [[nodiscard]] bool read(std::uintptr_t from, std::span<std::byte> to) const noexcept;
    /// Writes to private memory, whatever its protection. False, if this kernel or the memory does not allow that.
    [[nodiscard]] bool write(std::uintptr_t to, std::span<std::byte const> from) const noexcept;

private:
    unique_fd file_; ///< none, where /proc is restricted: nothing can be read or written then
};

} // namespace sode::internal
