// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/noted_receives.hpp"
#include "interpose/requests/statuses.hpp"

#include <array>
#include <cstddef>
#include <mpi.h>

namespace sode::internal::interpose {

/// The noted receives among requests that a call will complete, all of them. They are forgotten before: who waits for a message has
/// time then, and not when it has come.
class expected_receives {
public:
    static constexpr int most = 128;

    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): what is not used costs nothing
    [[gnu::always_inline]] expected_receives(noted_receives& all, int count, MPI_Request const* requests) noexcept : all_(all) {
        one* end = list_.data();
        for (int i = 0; i < count; ++i)
            if (noted_receive* const r = all.find(requests[i])) {
                *end++ = {requests[i], i, r};
                if (!r->now.persistent) all.drop(*r);
            }
        end_ = end;
    }
    /// Whether records may have come for some of them. `statuses`: of all requests.
    [[nodiscard]] bool may_have_records(MPI_Status const* statuses) const noexcept {
        for (one const* e = list_.data(); e != end_; ++e)
            if (has_length_of_record(statuses[e->index]) || e->place->now.arrived) return true;
        return false;
    }
    [[nodiscard]] bool empty() const noexcept { return end_ == list_.data(); }
    /// They are noted again, but for those that are over by `requests`.
    void undo(MPI_Request const* requests) noexcept {
        for (one const* e = list_.data(); e != end_; ++e)
            if (requests[e->index] != MPI_REQUEST_NULL && !e->place->now.persistent) all_.bring_back(*e->place, e->handle);
    }
    /// All are noted again. Handles of those that are over by `requests`, at their places, with null handles between.
    [[nodiscard]] std::array<MPI_Request, most> over(MPI_Request const* requests) noexcept {
        std::array<MPI_Request, most> handles; // NOLINT(cppcoreguidelines-pro-type-member-init)
        handles.fill(MPI_REQUEST_NULL);
        for (one const* e = list_.data(); e != end_; ++e) {
            bool const persistent = e->place->now.persistent; // which may be over
            if (!persistent) all_.bring_back(*e->place, e->handle);
            if (persistent || requests[e->index] == MPI_REQUEST_NULL) handles[static_cast<std::size_t>(e->index)] = e->handle;
        }
        return handles;
    }

private:
    struct one {
        MPI_Request handle;
        int index;
        noted_receive* place;
    };
    noted_receives& all_;
    one* end_;
    std::array<one, most> list_;
};

} // namespace sode::internal::interpose
