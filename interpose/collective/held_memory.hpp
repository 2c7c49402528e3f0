// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>

namespace sode::internal::interpose {

/// Bytes that are counted in a sum for as long as this lives, such as what the plans of a process hold. The sum outlives it.
class held_memory {
public:
    held_memory() = default;
    held_memory(std::int64_t& sum, std::int64_t bytes) noexcept : sum_(&sum), bytes_(bytes) { sum += bytes; }
    ~held_memory() {
        if (sum_ != nullptr) *sum_ -= bytes_;
    }
    held_memory(held_memory const&) = delete;
    held_memory& operator=(held_memory const&) = delete;
    held_memory(held_memory&& other) noexcept : sum_(std::exchange(other.sum_, nullptr)), bytes_(other.bytes_) {}
    held_memory& operator=(held_memory&& other) noexcept {
        std::swap(sum_, other.sum_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }

private:
    std::int64_t* sum_ = nullptr;
    std::int64_t bytes_ = 0;
};

} // namespace sode::internal::interpose
