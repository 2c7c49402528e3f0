// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/transport/record.hpp"

#include <cstdint>
#include <mpi.h>

namespace sode::internal::interpose {

/// How many bytes a message had. Read from the fields themselves, because this is asked after every receive.
[[nodiscard]] inline std::int64_t bytes_of(MPI_Status const& status) noexcept {
#if defined(OPEN_MPI)
    return static_cast<std::int64_t>(status._ucount);
#else
    // MPICH: the highest bit of the second word is the flag of cancellation.
    auto const high = static_cast<std::uint32_t>(status.count_hi_and_cancelled) >> 1;
    return static_cast<std::int64_t>(std::uint64_t{high} << 32 | static_cast<std::uint32_t>(status.count_lo));
#endif
}

/// Whether the message may have been a record: asked of every message, so the quick answer.
[[nodiscard]] inline bool has_length_of_record(MPI_Status const& status) noexcept {
    return static_cast<std::uint64_t>(bytes_of(status)) - shortest_record < record_limit - shortest_record;
}

[[nodiscard]] inline bool was_cancelled(MPI_Status const& status) noexcept {
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    return cancelled != 0;
}

/// Makes the status that of a message of so many bytes: MPI_Get_count and the like work on it as on any other.
inline void set_bytes(MPI_Status& status, std::int64_t bytes) noexcept {
    PMPI_Status_set_elements_x(&status, MPI_BYTE, bytes);
}

/// Tells all but the error, which belongs to calls that complete several requests and fail.
inline void tell(MPI_Status& told, MPI_Status const& status) noexcept {
    int const kept = told.MPI_ERROR;
    told = status;
    told.MPI_ERROR = kept;
}

/// What MPI tells of a message that it has received. A probe of MPICH leaves the flag of cancellation as it was.
[[nodiscard]] inline MPI_Status of_message(MPI_Status status) noexcept {
    PMPI_Status_set_cancelled(&status, 0);
    status.MPI_ERROR = MPI_SUCCESS;
    return status;
}

/// What MPI tells where there is nothing to tell.
[[nodiscard]] inline MPI_Status empty_status() noexcept {
    MPI_Status status{};
    status.MPI_SOURCE = MPI_ANY_SOURCE;
    status.MPI_TAG = MPI_ANY_TAG;
    status.MPI_ERROR = MPI_SUCCESS;
    set_bytes(status, 0);
    PMPI_Status_set_cancelled(&status, 0);
    return status;
}

/// The caller's status, or one of our own where the caller wants none: we always want one.
class wanted_status {
public:
    explicit wanted_status(MPI_Status* callers) noexcept : status_(callers == MPI_STATUS_IGNORE ? &own_ : callers) {}
    [[nodiscard]] MPI_Status& operator*() noexcept { return *status_; }
    [[nodiscard]] MPI_Status* get() noexcept { return status_; }
    wanted_status(wanted_status const&) = delete;
    wanted_status& operator=(wanted_status const&) = delete;
    wanted_status(wanted_status&&) = delete;
    wanted_status& operator=(wanted_status&&) = delete;
    ~wanted_status() = default;

private:
    MPI_Status own_{}; // MPI does not write every field of every status
    MPI_Status* status_;
};

} // namespace sode::internal::interpose
