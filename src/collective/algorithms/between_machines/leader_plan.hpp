// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/fold.hpp"
#include "cost/expense.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sode::internal {

/// A collective over several machines, of which each speaks through one rank, its leader: the ranks of a machine put what they give
/// into memory of the leader's (`gather`), leaders exchange messages and combine what comes (`receive`, `send`, `fold`), and the
/// ranks of a machine take from there what they get (`deliver`). An algorithm says what leaders do, and nothing else.
///
/// Nobody tells that it is done with the memory: there are two instances of it, used in turn, and a rank of a machine begins an
/// epoch only when its leader is over the one before, which is only when all its ranks have begun that.
class leader_plan {
public:
    /// Who leads, the terms say (leader_on).
    leader_plan(collective_terms const& t, int rank);

    [[nodiscard]] int machines() const noexcept { return terms_.machines.machines(); }
    [[nodiscard]] int machine() const noexcept { return terms_.machines.of(rank_); }
    [[nodiscard]] int root_machine() const noexcept { return terms_.root < 0 ? 0 : terms_.machines.of(terms_.root); }
    [[nodiscard]] bool leads() const noexcept { return rank_ == leader_; }
    /// Nobody else is on this machine.
    [[nodiscard]] bool alone() const noexcept { return terms_.machines.on(machine()).size() == 1; }

    /// Bytes in memory of this leader, or in an array of its own.
    struct place {
        std::uint32_t buffer = 0;
        std::int64_t offset = 0;
        std::uint32_t ready = 0; ///< the counter that says that they are there; 0: they are

        [[nodiscard]] place at(std::int64_t bytes) const noexcept { return {buffer, offset + bytes, ready}; }
    };
    /// Bytes that become ready piece by piece: all of them are of `piece` bytes, but for the last one.
    struct flow {
        place at{}; ///< its `ready` says nothing
        std::int64_t bytes = 0;
        std::int64_t piece = 0;
        std::uint8_t nic = 0;    ///< the network interface that it would have, of an engine with several
        std::uint32_t whole = 0; ///< the counter of the pieces before the last one; 0: all is there when `gather` is over
        std::uint32_t last = 0;  ///< that of the last one

        [[nodiscard]] std::int32_t pieces_before_last() const noexcept { return static_cast<std::int32_t>((bytes - 1) / piece); }
    };
    /// Room for so many bytes in the memory of the leader. Before `gather`; every rank of a machine asks for the same.
    [[nodiscard]] std::int64_t reserve(std::int64_t bytes);
    [[nodiscard]] place in_memory(std::int64_t reserved);

    /// What ranks give goes into their machine's memory; its leader goes on when all of it is there.
    void gather();
    /// What the ranks of this machine give, in their order. Of a broadcast: the root's.
    [[nodiscard]] std::vector<place> given();

    /// Begins with the epoch. Messages from one machine to another one meet in the order in which they are said here.
    [[nodiscard]] place receive(int machine, place to, std::int64_t bytes);
    /// What is said after this waits until the bytes are there.
    void await(place const& p);
    /// When what has been said so far is done, and when the bytes are there. They stay as they are until the end of the epoch.
    void send(int machine, place from, std::int64_t bytes);
    /// A message of no bytes to one machine, and one from another.
    void tell(int to);
    void hear(int from);
    /// Combines some bytes of what ranks give, `offset` behind its beginning, of several places in their order.
    void fold(place to, std::vector<place> const& of, std::int64_t offset, std::int64_t bytes);

    /// The same piece by piece, after `gather`. What is said of a flow has a stream of its own, so that flows do not wait for each
    /// other, and may go by several network interfaces. Sent are also flows that are just being received, or combined. \return the
    /// flow at `to`
    [[nodiscard]] flow receive(int machine, flow to);
    void send(int machine, flow const& from);
    [[nodiscard]] flow fold(flow to, std::vector<flow> const& of); ///< of one or more; they commute
    void await(flow const& f);

    /// Where a leader makes what its machine gets: in its own array, if nobody else needs it; else in memory.
    [[nodiscard]] place result(std::int64_t reserved);
    /// Of a leader: `from` is what its machine gets. Of all others: they take it, from `reserved`.
    void deliver(place const& from, std::int64_t reserved);
    [[nodiscard]] plan finish();

private:
    [[nodiscard]] std::uint32_t contributed();
    [[nodiscard]] std::uint32_t complete();
    [[nodiscard]] std::uint32_t memory();
    [[nodiscard]] bool gets() const noexcept;
    [[nodiscard]] bool combines() const noexcept {
        return terms_.kind != collective_kind::broadcast && terms_.kind != collective_kind::barrier;
    }
    /// The root of a broadcast is here, and another rank leads: what it gives goes through memory of the leader's.
    [[nodiscard]] bool is_handed_over() const noexcept {
        return terms_.kind == collective_kind::broadcast && machine() == root_machine() && leader_ != terms_.root;
    }
    [[nodiscard]] bool two_here() const noexcept { return terms_.machines.on(machine()).size() == 2; }
    [[nodiscard]] int leader_of(int machine) const noexcept;
    [[nodiscard]] std::uint32_t next_flag(std::int64_t step = 1);
    [[nodiscard]] bool reads_own_array() const noexcept;
    [[nodiscard]] std::uint32_t stream_of(flow const& f);
    void begin_with_what_is_given(std::uint32_t stream, std::vector<flow> const& of);
    descriptor& message(std::uint32_t stream, operation op, int machine, place const& at, std::int64_t bytes, std::uint32_t flag);
    void fold_piece_of(std::uint32_t stream, flow const& to, std::vector<flow> const& of, bool last);

    collective_terms const& terms_;
    int rank_;
    int leader_;
    plan_builder b_;
    std::uint32_t own_ = 0;      // streams: what this rank gives,
    std::uint32_t arriving_ = 0; // messages that begin at once,
    std::uint32_t main_ = 0;     // and all else
    std::int64_t reserved_ = 0;
    std::int64_t contributions_ = 0; // where they begin in memory
    std::uint32_t flags_ = 0;
    std::uint32_t gathered_ = 0;      // the flag that says so to flows; 0: nobody has asked yet
    std::vector<std::uint32_t> sent_; // flags
    // How many, of the few machines that a leader speaks with.
    struct message_count {
        int machine = 0;
        std::uint32_t messages = 0;
    };
    std::vector<message_count> sent_to_, heard_of_;
    std::optional<std::uint32_t> memory_; // the buffer, once somebody has asked
};

/// What an operator that need not commute asks for: the ranks of a machine follow each other, and so do the machines.
[[nodiscard]] bool machines_in_order(collective_terms const& t);
/// All operators commute.
[[nodiscard]] bool commutes(collective_terms const& t) noexcept;
/// `count` messages of so many bytes each that a leader sends at once, while as many come.
[[nodiscard]] expense leader_round(collective_terms const& t, double count, double bytes) noexcept;
/// What ranks of a machine do before and after the messages.
[[nodiscard]] expense within_machine(collective_terms const& t) noexcept;

} // namespace sode::internal
