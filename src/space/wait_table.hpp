// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/rank_blocks.hpp"

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sode::internal {

/// What a rank waits in, as other ranks see it.
struct waiting_rank {
    /// A rank whose word is due.
    struct source {
        int rank = -1;
        bool by_message = false; ///< it must have started the same plan and epoch; once it has, a message may be on its way

        friend bool operator==(source const&, source const&) = default;
    };

    bool waits = false;          ///< else it does something of its own, and nothing but `calls` is known
    std::string where;           ///< "in epoch 3 of halo of \"u\"", "at the end of the program"
    std::uint64_t plan = 0;      ///< which plan, from 1; 0: a collective call, in which every rank must have entered as many
    bool in_call = false;        ///< a collective call, of all or of some ranks: it does nothing but wait there
    std::uint64_t epoch = 0;     ///< of the plan
    std::vector<source> awaited; ///< none for collective calls
    bool all_told = true;        ///< false: it waits for others too, or for what nobody can tell
    std::uint64_t calls = 0;     ///< collective calls that it has entered
    std::uint64_t version = 0;   ///< another one whenever the rank has done anything
    std::uint64_t rounds = 0;    ///< times it has found nothing to do since it waits here
    bool gave_up = false;        ///< it stays in this state for ever
};

/// What every rank of a space waits in, told by each in memory that all can read. A rank tells only where it has begun to yield, so
/// that what goes well costs nothing. Used by one thread, that of the rank.
class wait_table {
public:
    /// Collective. `checks`: ranks tell also which plans they have started, and look for waits that cannot end
    /// (SODE_CHECK=collective); only if all ranks want it.
    wait_table(bootstrap& boot, space& memory, bool checks);

    /// This rank waits in an epoch of a plan.
    void tell(std::string_view where, std::uint64_t of_plan, std::uint64_t in_epoch, std::span<waiting_rank::source const> from,
              bool all_told) noexcept;
    /// It has tried again and could do nothing.
    void tell_round() noexcept;
    /// It has done something.
    void tell_no_more() noexcept;
    /// It begins and ends a collective call, for the reason that call_reason gives.
    void enter_call() noexcept;
    /// The same for call `in_epoch` of some ranks of the job, all of whom must have come to it; `part` is no number of a plan.
    void enter_call(std::uint64_t part, std::uint64_t in_epoch, std::span<waiting_rank::source const> others) noexcept;
    void leave_call() noexcept { tell_no_more(); }
    /// It has started an epoch of a plan (where checks() only).
    void tell_start(std::uint64_t of_plan, std::uint64_t in_epoch) noexcept;
    /// What it has told last remains true for ever.
    void give_up() noexcept;

    [[nodiscard]] bool checks() const noexcept { return checks_; }
    [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int ranks() const noexcept { return ranks_; }
    /// What `rank` tells; nothing if its memory cannot be read from here, or it is about to say something else.
    [[nodiscard]] std::optional<waiting_rank> look_at(int rank) const;
    /// False only if `rank` has surely not started that epoch of that plan.
    [[nodiscard]] bool may_have_started(int rank, std::uint64_t of_plan, std::uint64_t in_epoch) const;

private:
    friend class call_reason;
    using word = std::atomic<std::uint64_t>;
    void put(std::size_t at, std::uint64_t value) noexcept { own_[at].store(value, std::memory_order_release); }
    template <class F> void change(F f) noexcept;
    void write_text(std::string_view words) noexcept;
    void write_reason() noexcept; // of the call that it is in

    [[nodiscard]] word const* record_of(int rank) const;

    int rank_;
    int ranks_;
    bool checks_;
    bool gave_up_ = false;
    std::uint64_t calls_ = 0;
    std::uint64_t rounds_ = 0;
    std::string reason_;
    rank_blocks records_;
    word* own_;
};

/// For as long as it lives, collective calls of this rank are made for `reason`, which says more than activity does: "during
/// planning of halo of \"u\"". Of several reasons the outermost counts: what it needs inside is not the user's.
class call_reason {
public:
    /// `table` may be null.
    call_reason(wait_table* table, std::string reason) : table_(table && table->reason_.empty() ? table : nullptr) {
        if (table_) table_->reason_ = std::move(reason);
    }
    ~call_reason() {
        if (table_) table_->reason_.clear();
    }
    call_reason(call_reason const&) = delete;
    call_reason& operator=(call_reason const&) = delete;

private:
    wait_table* table_;
};

} // namespace sode::internal
