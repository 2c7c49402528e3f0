// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace sode::internal {

/// Owns a range of address space, whatever is mapped there in the course of time.
class address_range {
public:
    address_range() noexcept = default;
    /// Takes over what mmap returned.
    address_range(void* base, std::size_t bytes) noexcept : base_(static_cast<std::byte*>(base)), bytes_(bytes) {}
    address_range(address_range&& other) noexcept
        : base_(std::exchange(other.base_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    address_range& operator=(address_range&& other) noexcept {
        std::swap(base_, other.base_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~address_range() {
        if (base_ != nullptr) ::munmap(base_, bytes_);
    }

    [[nodiscard]] std::byte* base() const noexcept { return base_; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

private:
    std::byte* base_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace sode::internal
