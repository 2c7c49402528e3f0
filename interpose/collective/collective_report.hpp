// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_call.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace sode::internal::interpose {

class pmpi_bootstrap;

/// Why a collective call was left to MPI.
enum class left_to_mpi : std::uint8_t {
    elsewhere, ///< of each machine it has one rank alone, or nothing of it stays inside a machine, or an error came between
    rare,      ///< it has not been called often enough to be worth a plan
    length,    ///< nothing to move, or too much to be kept
    full,      ///< as many as there may be, or all the memory for them, are held by others
    slower,    ///< tried, and MPI was faster; or a trial
    unagreed,  ///< nonblocking, and ranks could agree on no plan: no call came in which they may wait for each other
    types,     ///< an operator of the user's, or a datatype that it does not go with
    threads    ///< persistent, of several machines: MPI must not be called by our helper
};
inline constexpr std::size_t left_to_mpi_reasons = 8;

/// What SODE_MPI_REPORT=1 tells of collectives: calls by function, as many as a rank has made of them on all ranks.
class collective_report {
public:
    void carry(planned_function what, bool nonblocking = false) noexcept { ++row_of(what, nonblocking)[left_to_mpi_reasons]; }
    void leave(planned_function what, left_to_mpi why, bool nonblocking = false) noexcept {
        ++row_of(what, nonblocking)[static_cast<std::size_t>(why)];
    }
    /// Collective. Rank 0 gets the text for all ranks; the others, nothing.
    [[nodiscard]] std::string text(pmpi_bootstrap& ranks) const;

private:
    using row = std::array<std::int64_t, left_to_mpi_reasons + 1>;
    static constexpr std::size_t functions = planned_function_names.size();
    [[nodiscard]] row& row_of(planned_function what, bool nonblocking) noexcept {
        return rows_[static_cast<std::size_t>(what) + (nonblocking ? functions : 0)];
    }
    std::array<row, 2 * functions> rows_{}; // blocking and persistent ones, then nonblocking ones
};

} // namespace sode::internal::interpose
