// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/scratch.hpp"

#include <cstddef>
#include <mpi.h>

namespace sode::internal::interpose {

/// Statuses for all, wherever the user wants them or not.
class wanted_statuses {
public:
    wanted_statuses(MPI_Status* callers, int count)
        : own_(callers == MPI_STATUSES_IGNORE ? static_cast<std::size_t>(count) : 0),
          statuses_(callers == MPI_STATUSES_IGNORE ? own_.data() : callers) {}
    [[nodiscard]] MPI_Status* get() noexcept { return statuses_; }

private:
    scratch<MPI_Status> own_;
    MPI_Status* statuses_;
};

} // namespace sode::internal::interpose
