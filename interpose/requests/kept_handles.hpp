// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/noted_receives.hpp"
#include "interpose/requests/statuses.hpp"

#include <array>
#include <cstddef>
#include <mpi.h>

namespace sode::internal::interpose {

/// The handles of some requests from before a call that may complete them: MPI takes away those of requests that are over.
class kept_handles {
public:
    static constexpr int most = 128;

    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): what is not used costs nothing
    [[gnu::always_inline]] kept_handles(noted_receives& all, int count, MPI_Request const* requests) noexcept
        : all_(all), size_(all.size()), requests_(requests), count_(count) {
        // One by one: MPI has just written them, one by one, and a processor that reads more at once waits until that is in its
        // cache.
        for (int i = 0; i < count; ++i) {
            before_[static_cast<std::size_t>(i)] = requests[i];
            asm volatile("" ::: "memory"); // or it is a call of memcpy
        }
    }
    [[nodiscard]] MPI_Request operator[](int i) const noexcept { return before_[static_cast<std::size_t>(i)]; }

    /// Whether a record may have come for the request of that place, which is over with this status.
    [[nodiscard]] bool may_have_record(int i, MPI_Status const& status) const noexcept {
        noted_receive const* const r = all_.find((*this)[i]);
        return r != nullptr && (r->now.arrived || has_length_of_record(status));
    }
    /// The request of that place is forgotten, if it is over.
    [[gnu::always_inline]] void forget(int i, int result) const noexcept {
        // An error handler of the program may have received, and the handle may be that of another request by now.
        if (result != MPI_SUCCESS && all_.size() != size_) return;
        if (requests_[i] == MPI_REQUEST_NULL) all_.forget((*this)[i]);
    }
    void forget_all(int result) const noexcept {
        for (int i = 0; i < count_; ++i) forget(i, result);
    }
    /// Those that are over, among null handles; they are not forgotten yet. Persistent ones may be under way.
    [[nodiscard]] MPI_Request const* over() noexcept {
        for (int i = 0; i < count_; ++i) {
            noted_receive const* const r = all_.find((*this)[i]);
            bool const under_way = r == nullptr || (requests_[i] != MPI_REQUEST_NULL && !r->now.persistent);
            if (under_way) before_[static_cast<std::size_t>(i)] = MPI_REQUEST_NULL;
        }
        return before_.data();
    }

private:
    noted_receives& all_;
    std::size_t size_;
    MPI_Request const* requests_;
    int count_;
    std::array<MPI_Request, most> before_;
};

} // namespace sode::internal::interpose
