// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "record.hpp"

#include <cstdint>
#include <mpi.h>

namespace sode::interpose {

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

/// Makes the status that of a message of so many bytes: MPI_Get_count and the like work on it as on any other.
inline void set_bytes(MPI_Status& status, std::int64_t bytes) noexcept {
    PMPI_Status_set_elements_x(&status, MPI_BYTE, bytes);
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
    MPI_Status own_; // left to MPI to write: this is done for every receive
    MPI_Status* status_;
};

} // namespace sode::interpose
