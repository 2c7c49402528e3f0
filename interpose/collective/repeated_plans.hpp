// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/collective_report.hpp"
#include "interpose/collective/passed_exchange.hpp"
#include "interpose/collective/repeated_plan.hpp"

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <optional>
#include <vector>

namespace sode::internal::interpose {

class collective_service;

/// What a rank passes for a persistent collective: as a collective of the library, or as messages, or as both, of which messages
/// are taken where the kernel reads them; neither, if only MPI can carry it.
struct repeated_wish {
    planned_function what = planned_function::barrier;
    std::optional<passed_call> combined{};
    std::vector<std::int64_t> dealt{}; ///< of MPI_Reduce_scatter: bytes by rank
    std::optional<passed_exchange> exchanged{};

    [[nodiscard]] std::int64_t longest() const noexcept;         ///< bytes that it gives another rank, or combines
    [[nodiscard]] std::int64_t memory(int ranks) const noexcept; ///< that a rank keeps for it, at most
};

/// The persistent collectives of one communicator, all of whose ranks are on one machine: the same places are taken on all ranks.
class repeated_plans {
public:
    static constexpr std::size_t most = 256;                ///< at a time
    static constexpr std::int64_t most_bytes = 8 << 20;     ///< that a rank keeps for them, if each needs less than
    static constexpr std::int64_t much = 1 << 20;           ///< this; what needs more is the process's affair
    static constexpr std::int64_t most_together = 16 << 20; ///< of what all ranks give
    /// That is a plan's unless plans carry all they can; and where strings move what is longer.
    static constexpr std::int64_t longest = 64 << 10, longest_by_strings = 1 << 20;

    repeated_plans(collective_service& service, MPI_Comm communicator, int ranks) noexcept
        : service_(service), communicator_(communicator), ranks_(ranks) {}
    ~repeated_plans();
    repeated_plans(repeated_plans const&) = delete;
    repeated_plans& operator=(repeated_plans const&) = delete;
    repeated_plans(repeated_plans&&) = delete;
    repeated_plans& operator=(repeated_plans&&) = delete;

    /// Collective: a plan, which the ranks of `part` have in common; or null on all ranks, and why. Errors: those of prepared.
    [[nodiscard]] repeated_plan* make(std::shared_ptr<detail::job> const& part, repeated_wish&& wish, left_to_mpi& why);
    /// Collective: those that no rank needs any more go. Returns those that somebody may start yet, which outlive the communicator:
    /// as many on all ranks.
    [[nodiscard]] std::vector<std::unique_ptr<repeated_plan>> end();

private:
    struct agreed;
    [[nodiscard]] agreed agree(std::uint64_t mine);
    [[nodiscard]] bool has_room(repeated_wish const& wish) const noexcept;
    [[nodiscard]] bool is_short(repeated_wish const& wish) const noexcept;

    collective_service& service_;
    MPI_Comm communicator_;
    int ranks_;
    std::int64_t bytes_ = 0;
    std::vector<std::unique_ptr<repeated_plan>> all_;
};

} // namespace sode::internal::interpose
