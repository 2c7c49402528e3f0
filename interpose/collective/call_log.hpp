// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_call.hpp"
#include "space/rank_blocks.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace sode::detail {
struct job;
}

namespace sode::internal::interpose {

/// What each rank of a communicator has called, by number, in memory that all of them can read: the last calls of each. A call that
/// differs from that of another rank under the same number will never end, or has ended wrong; who waits in it sees that here, also
/// where the other one has gone to MPI.
class call_log {
public:
    /// Collective. `part` outlives it.
    explicit call_log(detail::job& part);
    call_log(call_log const&) = delete;
    call_log& operator=(call_log const&) = delete;
    call_log(call_log&&) = delete;
    call_log& operator=(call_log&&) = delete;
    ~call_log() = default;

    /// A call without its number, as it is noted: what must be equal, mixed; and what one can read.
    struct words {
        std::uint64_t key = 0;
        std::uint64_t text = 0;
    };
    [[nodiscard]] static words words_of(repeated_call const& what, bool nonblocking) noexcept;
    void tell(std::uint64_t number, words const& call) noexcept {
        auto* const at = own_ + number % kept * 2;
        at[1].store(call.text, std::memory_order_relaxed);
        at[0].store(number << number_at | call.key, std::memory_order_release);
    }
    void tell(std::uint64_t number, repeated_call const& what, bool nonblocking) noexcept {
        tell(number, words_of(what, nonblocking));
    }
    /// What this rank and another one have called under that number, if it differs: "… on this rank, and … on rank 1". Any time.
    [[nodiscard]] std::optional<std::string> difference(std::uint64_t number) const;
    /// Nobody reads any more: gives the memory back.
    void end() noexcept;

private:
    using word = std::atomic<std::uint64_t>;
    static constexpr unsigned number_at = 32; ///< in the first word; below it is the key
    static constexpr std::size_t kept = 64;   ///< calls
    static constexpr std::size_t bytes = 2 * kept * sizeof(word);
    [[nodiscard]] word const* of(int rank) const;

    detail::job& part_;
    rank_blocks blocks_;
    word* own_;
};

} // namespace sode::internal::interpose
