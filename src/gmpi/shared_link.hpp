// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/frame_link.hpp"

#include <cstdint>

namespace sode::internal::kernels {

/// To a rank of the same space: two rings of frames, each in the memory of who reads it, with one writer and one reader.
class shared_link final : public frame_link {
public:
    static constexpr std::size_t slots = 8, slot_bytes = 4096, line = 128;
    /// What a reader needs in its memory for each writer, zeroed.
    static constexpr std::size_t inbox_bytes = 2 * line + slots * slot_bytes;

    /// `mine`: this rank's inbox for the peer; `theirs`: the peer's for this rank.
    shared_link(std::byte* mine, std::byte* theirs) noexcept : mine_(mine), theirs_(theirs) {}

    bool try_put(frame const& f, std::byte const* payload) override;
    bool take(int peer, frame_reader& to) override;
    [[nodiscard]] std::size_t most_payload() const noexcept override { return slot_bytes - sizeof(frame); }

private:
    std::byte* mine_;
    std::byte* theirs_;
    std::uint64_t put_ = 0;
    std::uint64_t room_until_ = slots;
    std::uint64_t taken_ = 0;
};

} // namespace sode::internal::kernels
