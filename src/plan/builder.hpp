// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/entry_index.hpp"
#include "plan/plan.hpp"

namespace sode::internal {

/// Bytes that lie together at both ends of a copy.
struct block_copy {
    explicit constexpr block_copy(std::int64_t count) noexcept : bytes(count) {}
    std::int64_t bytes;
};

/// Puts a plan together: tables without duplicates, streams that may be filled in any order, thresholds written as epochs.
/// Pure: no memory but the plan's own, no communication.
class plan_builder {
public:
    plan_builder(std::string name, int rank, int ranks);

    [[nodiscard]] std::uint32_t add(buffer const& b);  ///< equal buffers share an entry
    [[nodiscard]] std::uint32_t add(counter const& c); ///< equal counters share an entry
    [[nodiscard]] std::uint32_t add(copy_program p);
    [[nodiscard]] std::uint32_t add(block_copy b);          ///< equal ones share a program
    [[nodiscard]] std::uint32_t add(loop_strides const& s); ///< equal strides share an entry
    [[nodiscard]] std::uint32_t add_stream(int peer, executor runs_on = {});
    /// A stream that runs where way `way` of that choice is active.
    [[nodiscard]] std::uint32_t add_stream(int peer, std::uint32_t choice, std::uint8_t way);
    /// An engine with several network interfaces has that one issue it; to all others it says nothing.
    void wish_nic(std::uint32_t stream, std::uint8_t nic) { plan_.streams.at(stream).nic = nic; }
    [[nodiscard]] std::uint32_t add(plan_choice const& c); ///< \return its number; equal ones share an entry

    [[nodiscard]] std::uint32_t add(operand const& o); ///< equal operands share an entry
    /// \return the combiner that means this operator; equal ones share an entry
    [[nodiscard]] std::uint32_t add(user_operator const& o);

    /// Appends to `stream` and returns the descriptor for further settings; the reference lives until the next call.
    descriptor& emit(std::uint32_t stream, operation op);
    descriptor& copy(std::uint32_t stream, operation op, std::uint32_t dst, std::uint32_t src, copy_program p, int peer = -1);
    descriptor& copy(std::uint32_t stream, operation op, std::uint32_t dst, std::uint32_t src, block_copy b, int peer = -1);

    /// Room for so many steps, of who knows.
    void reserve(std::size_t steps);

    plan& target() noexcept { return plan_; }
    /// Lays the streams one behind the other, each closed by `end`. The builder is empty afterwards.
    [[nodiscard]] plan finish();

private:
    descriptor& emit_copy(std::uint32_t stream, operation op, std::uint32_t dst, std::uint32_t src, std::uint32_t program,
                          int peer);

    plan plan_;
    std::vector<descriptor> steps_;        // of all streams, as they were emitted,
    std::vector<std::uint32_t> stream_of_; // and in which of them each is
    entry_index buffers_, counters_;
    std::vector<std::uint32_t> blocks_; // programs of block_copy
};

} // namespace sode::internal
