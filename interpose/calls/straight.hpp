// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/known_sizes.hpp"
#include "interpose/calls/predefined.hpp"

#include <atomic>
#include <climits>
#include <cstdint>
#include <mpi.h>

namespace sode::internal::interpose {

class request_table;

/// What every call looks at first, in one line of memory: whether it goes straight to MPI. That is so for most calls of most
/// programs, and they take a fraction of a microsecond each.
///
/// Where a tool is stacked below this library no call goes straight: who is called within a call has to be known there
/// (calls/entry.hpp).
class alignas(64) straight_ways {
public:
    /// Lengths are in bytes, of messages of a predefined datatype but for `formed`; -1: none goes straight.
    struct limits {
        MPI_Count sends = -1;              ///< up to so long they are MPI's
        MPI_Count receives = -1;           ///< there is no room for a record
        MPI_Count watched = -1;            ///< it is enough to ask has_met_records() when the receive is over
        MPI_Count noted = -1;              ///< likewise, of receives by request, which are noted (requests/noted_receives.hpp)
        request_table* requests = nullptr; ///< of which a request may be one; null: nobody knows without a closer look
        MPI_Count watched_with_records =
            -1; ///< likewise, where records have come: who wants to know what long ones take looks closely
        MPI_Count noted_with_records = -1;
        MPI_Count formed = -1; ///< of the program's datatypes, those whose size is known: longer ones are looked at closely
    };
    /// `met`: not 0 once a rank of this machine has sent a record to this one, or asked it something. It says so before.
    void open(limits const& all, std::atomic<std::uint32_t> const& met) noexcept;
    /// All calls are looked at closely from now on.
    void close() noexcept;
    /// Receives are, until release() has been called as often.
    void hold() noexcept;
    void release() noexcept;
    /// There are records, as has_met_records() says: receives look for them from now on.
    void note_records() noexcept {
        if (!has_records_.load(std::memory_order_relaxed)) take_note();
    }

    [[nodiscard]] bool has_met_records() const noexcept { return met_->load(std::memory_order_acquire) != 0; }
    [[nodiscard]] request_table* requests() const noexcept { return requests_.load(std::memory_order_relaxed); }
    template <class Count> [[nodiscard]] bool sends(Count count, MPI_Datatype type) const noexcept {
        return is_within(sends_, count, type);
    }
    template <class Count> [[nodiscard]] bool receives(Count count, MPI_Datatype type) const noexcept {
        return is_within(receives_, count, type);
    }
    template <class Count> [[nodiscard]] bool watches(Count count, MPI_Datatype type) const noexcept {
        return is_within(watched_, count, type);
    }
    template <class Count> [[nodiscard]] bool notes(Count count, MPI_Datatype type) const noexcept {
        return is_within(noted_, count, type);
    }
    [[nodiscard]] bool notes(MPI_Count bytes) const noexcept { return bytes <= noted_.load(std::memory_order_relaxed); }
    // The same for the program's datatypes.
    template <class Count> [[nodiscard]] bool sends_formed(Count count, MPI_Datatype type) const noexcept {
        return is_formed_within(formed_, count, type);
    }
    template <class Count> [[nodiscard]] bool receives_formed(Count count, MPI_Datatype type) const noexcept {
        return is_formed_within(receives_, count, type) && is_formed_within(formed_, count, type);
    }
    template <class Count> [[nodiscard]] bool watches_formed(Count count, MPI_Datatype type) const noexcept {
        return is_formed_within(watched_, count, type) && is_formed_within(formed_, count, type);
    }

private:
    void take_note() noexcept;
    using limit = std::atomic<MPI_Count>;
    template <class Count>
    [[nodiscard, gnu::always_inline]] static bool is_within(limit const& most, Count count, MPI_Datatype type) noexcept {
        if constexpr (sizeof(Count) > sizeof(int))
            if (count > INT_MAX) return false;
        MPI_Count const element = bytes_of_predefined(type);
        return element >= 0 && count * element <= most.load(std::memory_order_relaxed);
    }

    template <class Count>
    [[nodiscard, gnu::always_inline]] static bool is_formed_within(limit const& most, Count count, MPI_Datatype type) noexcept {
        if constexpr (sizeof(Count) > sizeof(int))
            if (count > INT_MAX) return false;
        MPI_Count const element = sizes_of_types.of(type);
        return element >= 0 && count * element <= most.load(std::memory_order_relaxed);
    }

    limit sends_{-1}, receives_{-1}, watched_{-1}, noted_{-1}, formed_{-1};
    std::atomic<request_table*> requests_{nullptr};
    std::atomic<std::uint32_t> const* met_ = nullptr;
    limits open_{}; ///< what release() goes back to
    std::atomic<bool> has_records_{false};
};

inline constinit straight_ways straight;

} // namespace sode::internal::interpose
