// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <cstddef>
#include <cstdint>

namespace sode::internal::fuzz {

/// Small numbers from the input; zeros when it is used up.
class reader {
public:
    reader(std::uint8_t const* data, std::size_t size) : next_(data), end_(data + size) {}

    index_t number(index_t low, index_t high) {
        index_t const byte = next_ == end_ ? 0 : *next_++;
        return low + byte % (high - low + 1);
    }

private:
    std::uint8_t const* next_;
    std::uint8_t const* end_;
};

} // namespace sode::internal::fuzz
