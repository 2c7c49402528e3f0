// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/basic_types.hpp"
#include "interpose/collective/packed_memory.hpp"
#include "interpose/collective/passed_call.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mpi.h>
#include <utility>

namespace sode::internal::interpose {

class call_line;
class communicator_plans;
class way_trial;

/// A datatype for as long as a call is under way: the program may free its own as soon as the call has begun. Not a duplicate,
/// which would call what the program has attached to its datatype.
class held_type {
public:
    held_type() = default;
    explicit held_type(MPI_Datatype of) {
        PMPI_Type_contiguous(1, of, &type_);
        PMPI_Type_commit(&type_);
    }
    ~held_type() {
        if (type_ != MPI_DATATYPE_NULL) PMPI_Type_free(&type_);
    }
    held_type(held_type const&) = delete;
    held_type& operator=(held_type const&) = delete;
    held_type(held_type&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
    held_type& operator=(held_type&& other) noexcept {
        std::swap(type_, other.type_);
        return *this;
    }
    [[nodiscard]] MPI_Datatype get() const noexcept { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// A nonblocking call that a plan carries, until the program has heard of its end. The program's handle is a request of MPI's that
/// never starts, so all else that one may do with a request is right, too.
struct begun_call {
    MPI_Request request = MPI_REQUEST_NULL;
    bool taken = false;     ///< the program has the handle, or it was freed before the end
    bool forgotten = false; ///< MPI_Request_free was called
    passed_call call{};
    held_type given{}, got{}; ///< where they have gaps
    MPI_Comm communicator = MPI_COMM_NULL;
    call_line* line = nullptr;           ///< that carries it, until it is over
    communicator_plans* plans = nullptr; ///< null: the communicator is gone
    std::uint64_t number = 0;            ///< of the call on its communicator
    std::int64_t took = 0;               ///< ns in calls of the program, if that counts for a trial
    way_trial* trial = nullptr;
    begun_call* next = nullptr;
    std::unique_ptr<std::byte[]> packed{};  ///< what is given, if the call has to wait in line
    std::unique_ptr<std::byte[]> arrived{}; ///< what is got, if no thread of the program was there; of `got_bytes`
    std::int64_t got_bytes = 0;
    int result = MPI_SUCCESS;
    std::exception_ptr failure{};
    std::atomic<bool> over{false};

    /// It is over; puts what has arrived where it is wanted. In the program's thread.
    void settle() {
        if (!arrived) return;
        result = unpack(arrived.get(), got_bytes, call.got, MPI_COMM_WORLD);
        arrived.reset();
    }
    void hold(passed_call const& passed) {
        call = passed;
        if (!lies_densely(passed.given.type) && passed.given.count > 0 && passed.given.type != MPI_DATATYPE_NULL)
            call.given.type = (given = held_type{passed.given.type}).get();
        if (!lies_densely(passed.got.type) && passed.got.count > 0 && passed.got.type != MPI_DATATYPE_NULL)
            call.got.type = (got = held_type{passed.got.type}).get();
    }
};

} // namespace sode::internal::interpose
