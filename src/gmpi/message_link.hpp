// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/frame_link.hpp"

#include <sode/messages.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace sode::internal::kernels {

/// To a rank of another machine, by messages of a few fixed lengths. Threads put and take; the rank's own thread carries.
class message_link final : public frame_link {
public:
    /// `carrier` outlives this, and nobody else uses its tag. Errors: peer, if the MPI fails.
    message_link(messenger& carrier, int peer);
    ~message_link() override;

    bool try_put(frame const& f, std::byte const* payload) override;
    bool take(int peer, frame_reader& to) override;
    [[nodiscard]] std::size_t most_payload() const noexcept override { return slot_bytes - sizeof(frame); }
    bool carry() override;
    [[nodiscard]] bool close() override;
    void forsake() noexcept override { forsaken_ = true; }
    [[nodiscard]] bool is_idle() const noexcept override { return sent_ == put_ && leaving_ == 0; }

private:
    static constexpr std::size_t slots = 4, slot_bytes = 8192, brief_bytes = 256;
    static constexpr int tag = 0;
    enum class state : std::uint8_t { empty, full, under_way };
    struct slot {
        std::size_t whole = 0; // numbers of its messages in the set
        std::size_t brief = 0;
        state now = state::empty;
    };

    [[nodiscard]] std::byte* bytes_of(std::size_t number) { return memory_.data() + number * slot_bytes; }

    std::unique_ptr<message_set> set_;
    std::vector<std::byte> memory_; // slots for what comes, then for what leaves
    std::array<slot, slots> in_, out_;
    std::uint64_t taken_ = 0, put_ = 0, sent_ = 0;
    std::uint64_t started_ = 0;               // receives
    std::uint64_t most_started_ = UINT64_MAX; // once the peer says that no more will come
    std::size_t byes_ = 0;                    // that were put
    bool forsaken_ = false;
    std::size_t leaving_ = 0;
    std::vector<std::size_t> done_;
};

} // namespace sode::internal::kernels
