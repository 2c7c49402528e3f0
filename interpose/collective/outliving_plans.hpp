// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/repeated_plan.hpp"

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <vector>

namespace sode::internal::interpose {

/// Persistent plans whose communicator is gone: requests of the program may start them still. They go when all ranks have freed
/// theirs, as another rank may read what a plan wrote; and as these ranks have no call in common any more, they tell each other by
/// nonblocking barriers.
class outliving_plans {
public:
    /// Collective among the ranks of `communicator`, which is going. `part`: whose plans these are; as many on all its ranks.
    outliving_plans(MPI_Comm communicator, std::shared_ptr<detail::job> part, std::vector<std::unique_ptr<repeated_plan>>&& plans);
    /// Only when they are over, or MPI gave them no communicator.
    ~outliving_plans() = default;
    outliving_plans(outliving_plans const&) = delete;
    outliving_plans& operator=(outliving_plans const&) = delete;
    outliving_plans(outliving_plans&&) = delete;
    outliving_plans& operator=(outliving_plans&&) = delete;

    /// Goes on without waiting. True once nothing is left of them. `must_go`: whether the program has freed them or not, as on all
    /// other ranks.
    [[nodiscard]] bool are_over(bool must_go = false);
    /// Ranks cannot tell each other anything of them: they stay until MPI ends.
    [[nodiscard]] bool must_stay() const noexcept { return among_ == MPI_COMM_NULL; }

private:
    enum class stage : std::uint8_t { held, freed, gone, over };
    void meet(stage next);

    MPI_Comm among_ = MPI_COMM_NULL;
    MPI_Request met_ = MPI_REQUEST_NULL;
    std::shared_ptr<detail::job> part_;
    std::vector<std::unique_ptr<repeated_plan>> plans_; // go before their part
    stage stage_ = stage::held;
};

} // namespace sode::internal::interpose
