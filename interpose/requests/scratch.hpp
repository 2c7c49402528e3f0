// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

namespace sode::internal::interpose {

/// Where a scratch has its elements.
class scratch_room {
protected:
    scratch_room() noexcept {} // NOLINT: the bytes are the vector's business
    std::pmr::memory_resource* memory() noexcept { return &memory_; }

private:
    alignas(std::max_align_t) std::array<std::byte, 2048> bytes_;
    std::pmr::monotonic_buffer_resource memory_{bytes_.data(), bytes_.size()};
};

/// A vector for as long as a call lasts. Only a long one needs the heap: programs call MPI_Test in loops.
template <class T> class scratch : private scratch_room, public std::pmr::vector<T> {
public:
    explicit scratch(std::size_t count = 0) : std::pmr::vector<T>(count, memory()) {}
    ~scratch() = default;
    scratch(scratch const&) = delete; // its memory stays where it is
    scratch& operator=(scratch const&) = delete;
    scratch(scratch&&) = delete;
    scratch& operator=(scratch&&) = delete;
};

} // namespace sode::internal::interpose
