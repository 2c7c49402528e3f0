// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <utility>
#include <vector>

namespace sode::internal::bench {

/// A committed derived type.
class datatype {
public:
    explicit datatype(MPI_Datatype uncommitted) : type_(uncommitted) { MPI_Type_commit(&type_); }
    ~datatype() {
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    }
    datatype(datatype&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
    datatype& operator=(datatype&&) = delete;

    [[nodiscard]] MPI_Datatype get() const noexcept { return type_; }

private:
    MPI_Datatype type_;
};

/// Persistent requests of one exchange: all receives first, then the sends, so that each kind is started by one call.
class persistent_requests {
public:
    persistent_requests() = default;
    ~persistent_requests() {
        for (auto& r : requests_) MPI_Request_free(&r);
    }
    persistent_requests(persistent_requests&& other) noexcept
        : requests_(std::exchange(other.requests_, {})), receives_(std::exchange(other.receives_, 0)) {}
    persistent_requests& operator=(persistent_requests&&) = delete;

    void receive(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
        MPI_Request r = MPI_REQUEST_NULL;
        MPI_Recv_init(data, count, type, peer, tag, comm, &r);
        requests_.insert(requests_.begin() + receives_++, r);
    }
    void send(void const* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
        MPI_Send_init(data, count, type, peer, tag, comm, &requests_.emplace_back(MPI_REQUEST_NULL));
    }

    void start_receives() { start(0, receives_); }
    void start_sends() { start(receives_, size() - receives_); }
    void start() { start(0, size()); }
    void wait() {
        if (!requests_.empty()) MPI_Waitall(size(), requests_.data(), MPI_STATUSES_IGNORE);
    }
    /// Gives MPI a chance to move bytes.
    void progress() {
        int done = 0;
        if (!requests_.empty()) MPI_Testall(size(), requests_.data(), &done, MPI_STATUSES_IGNORE);
    }

private:
    [[nodiscard]] int size() const noexcept { return static_cast<int>(requests_.size()); }
    void start(int from, int count) {
        if (count > 0) MPI_Startall(count, requests_.data() + from);
    }

    std::vector<MPI_Request> requests_;
    int receives_ = 0;
};

/// Requests of one exchange, posted anew each time into the same memory.
class posted_requests {
public:
    [[nodiscard]] MPI_Request* next() {
        if (used_ == requests_.size()) requests_.emplace_back(MPI_REQUEST_NULL);
        return &requests_[used_++];
    }
    void wait() {
        if (used_ > 0) MPI_Waitall(static_cast<int>(used_), requests_.data(), MPI_STATUSES_IGNORE);
        used_ = 0;
    }

private:
    std::vector<MPI_Request> requests_;
    std::size_t used_ = 0;
};

} // namespace sode::internal::bench
