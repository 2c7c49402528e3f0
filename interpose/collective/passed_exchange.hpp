// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/passed.hpp"
#include "interpose/collective/persistent_arguments.hpp"
#include "interpose/collective/rank_order_fold.hpp"

#include <sode/exchange.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace sode::internal::interpose {

/// A persistent collective as messages between pairs of ranks: those of one rank, from layout to layout, in the memory of the
/// program.
struct passed_exchange {
    /// What is sent lies where something is received: it is put aside at each start.
    struct aside {
        sode::datatype_copy how;
        std::byte* target;
        std::byte const* source;
    };
    std::vector<sode::message_end> ends;
    std::vector<aside> before;
    std::optional<rank_order_fold> after; ///< what comes is combined then
    std::vector<std::unique_ptr<std::byte[]>> rooms;
    std::int64_t bytes = 0;   ///< that this rank gives and gets
    std::int64_t longest = 0; ///< bytes of its longest message

    void give(passed_memory const& what, int peer, int tag = 0);
    /// What is in memory that is received into.
    void give_aside(passed_memory const& what, int peer);
    void take(passed_memory const& what, int peer, int tag = 0);
};

/// The messages of such a call; nothing, if MPI would object to what this rank passes, or only MPI can carry it.
/// Reductions are read so where only_mpi_combines() their elements, or where there are none.
[[nodiscard]] std::optional<passed_exchange> passed_as_exchange(persistent_arguments const& call, calling_rank const& who,
                                                                MPI_Comm communicator);

} // namespace sode::internal::interpose
