// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/handle.hpp>

#include <vector>

namespace sode::internal::testing {

/// The memory of a context, without a context: for tests of the protocol alone.
class protocol_memory {
public:
    using word = gmpi::word;

    protocol_memory(word entries, std::uint32_t slots, std::uint32_t rings = 1, word deadline = 0)
        : units_(rings, std::vector<word>(2 * 4 * entries)), ends_(3 * 16 * rings), free_((slots + 63) / 64), generation_(slots),
          state_(slots), short_data_(std::size_t{gmpi::detail::short_words} * slots), target_(slots), rest_(64) {
        for (std::uint32_t s = 0; s < slots; ++s) free_[s / 64] |= word{1} << s % 64;
        handle_.ring_count = rings;
        for (std::uint32_t r = 0; r < rings; ++r) {
            word* const ends = ends_.data() + std::size_t{3 * 16} * r;
            handle_.rings[r] = {units_[r].data(), ends, ends + 16, ends + 32, 4 * entries};
        }
        handle_.requests = {free_.data(), generation_.data(), state_.data(), &rest_[0], slots, short_data_.data(), target_.data()};
        handle_.alarm = {&rest_[1], &rest_[2], &rest_[8], deadline};
        handle_.signals = {&rest_[16], 4};
    }
    protocol_memory(protocol_memory const&) = delete;
    protocol_memory& operator=(protocol_memory const&) = delete;

    [[nodiscard]] gmpi::device_handle const& handle() const { return handle_; }
    [[nodiscard]] gmpi::device_handle& handle() { return handle_; }

private:
    std::vector<std::vector<word>> units_;
    std::vector<word> ends_, free_, generation_, state_, short_data_, target_, rest_;
    gmpi::device_handle handle_;
};

} // namespace sode::internal::testing
