// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"
#include "base/machine_share.hpp"
#include "base/wait.hpp"
#include "cost/profile.hpp"
#include "interpose/transport/choice_board.hpp"
#include "interpose/transport/followed_paths.hpp"
#include "interpose/transport/pmpi_bootstrap.hpp"
#include "interpose/transport/record.hpp"
#include "interpose/transport/slot.hpp"
#include "model/distance.hpp"
#include "model/recent_distances.hpp"
#include "space/liveness.hpp"
#include "space/space.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace sode::internal {
struct task_board;
} // namespace sode::internal

namespace sode::internal::interpose {

/// This rank among the ranks of its machine: who they are, what memory they share, and how to wait for them.
class machine {
public:
    static constexpr std::uint32_t slots = 256;
    /// The slot of no message: by which a sender learns what one that is left to MPI takes.
    static constexpr std::uint32_t slot_by_mpi = slots - 1;

    /// Collective. Errors: usage, for a setting; environment, where there is no memory to share; on all ranks together.
    explicit machine(config const& settings);

    [[nodiscard]] pmpi_bootstrap& ranks() noexcept { return boot_; }
    [[nodiscard]] int rank() const noexcept { return boot_.rank(); }
    [[nodiscard]] space& memory() noexcept { return *memory_; }
    [[nodiscard]] profile const& costs() const noexcept { return costs_; }
    [[nodiscard]] wait_policy const& waiting() const noexcept { return waiting_; }

    /// Another rank of this machine, with whom messages can be moved. Ranks here and below are those of MPI_COMM_WORLD.
    [[nodiscard]] bool neighbour(int rank) const noexcept;
    /// A neighbour whose whole memory this rank can load and store, and the other way round.
    [[nodiscard]] bool reachable(int rank) const noexcept;
    [[nodiscard]] bool reaches_any() const noexcept;
    /// True if any neighbour is there.
    [[nodiscard]] bool has_neighbours() const noexcept { return has_neighbours_; }
    /// True if there are ranks of MPI_COMM_WORLD on other machines.
    [[nodiscard]] bool has_other_machines() const noexcept { return members_.size() < boot_.size(); }
    /// The machine of a rank, and its place among the ranks there.
    [[nodiscard]] int machine_of(int rank) const noexcept { return machines_.of(rank); }
    [[nodiscard]] int place_of(int rank) const noexcept { return machines_.place(rank); }
    [[nodiscard]] machine_map::members const& members() const noexcept { return members_; } ///< the ranks of this one
    /// Not of this rank itself.
    [[nodiscard]] distance apart(int rank) const noexcept { return distances_->apart(rank); }
    [[nodiscard]] recent_distances& distances() noexcept { return *distances_; }

    /// Of a rank of this machine.
    [[nodiscard]] nonce const& proof_of(int rank) const noexcept { return end_of(rank).proof; }
    [[nodiscard]] message_slot& slot_of(int rank, std::uint32_t slot) const noexcept;

    /// Not 0 once a rank of this machine has sent a record to this one, or asked it what a message took.
    [[nodiscard]] std::atomic<std::uint32_t> const& met() const noexcept { return met_of(boot_.rank()); }
    /// To be called before a record, or a question, goes to a rank of this machine.
    void meet(int rank) const noexcept {
        auto& met = met_of(rank);
        if (met.load(std::memory_order_relaxed) == 0) met.store(1, std::memory_order_seq_cst);
    }

    /// What its ranks have learnt.
    [[nodiscard]] choice_board& learnt() noexcept { return learnt_; }
    /// Which paths others wish for that compare some at present.
    [[nodiscard]] followed_paths& followed() noexcept { return followed_; }
    /// One rank of each machine does what is done once.
    [[nodiscard]] bool is_first() const noexcept;

    /// To be asked in waits for `rank`, where waiter::step() says so. Errors: peer, if it has left; timeout.
    void look_after(int rank, double waited, char const* doing);

private:
    /// What a rank tells the others of itself.
    struct end {
        nonce proof{};
        std::uint64_t slots = 0;         ///< offset in its arena
        std::uint64_t learnt = 0;        ///< of the first one, too
        std::uint64_t met = 0;           ///< in its arena, too
        std::uint64_t address_space = 0; ///< the board of its tasks; 0: an address space of its own
        std::int32_t place = -1;         ///< on the board
        std::int32_t pid = 0;            ///< as the board has it
    };

    [[nodiscard]] end const& end_of(int rank) const noexcept { return ends_[static_cast<std::size_t>(members_.place_of(rank))]; }

    [[nodiscard]] std::atomic<std::uint32_t>& met_of(int rank) const noexcept;

    pmpi_bootstrap boot_;
    machine_share share_; ///< of the real machine, for machines that are pretended share its processors
    machine_map machines_;
    machine_map::members members_; ///< of this machine
    wait_policy waiting_;
    std::atomic<bool> warned_{false};
    profile costs_;
    std::unique_ptr<space> memory_;
    std::unique_ptr<liveness> alive_;
    task_board const* board_ = nullptr; ///< of the tasks of this address space, if it has any
    std::vector<end> ends_;             ///< of the ranks of this machine, by their places
    std::unique_ptr<recent_distances> distances_;
    bool has_neighbours_ = false;
    choice_board learnt_;
    followed_paths followed_{boot_.size()};
};

} // namespace sode::internal::interpose
