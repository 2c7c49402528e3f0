// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/arguments.hpp"
#include "interpose/transport/inbox.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <mpi.h>
#include <utility>

namespace sode::internal::interpose {

/// A receive under way of which nothing need be done, unless a record comes for it.
struct noted_receive {
    MPI_Request handle = MPI_REQUEST_NULL;
    landing where;       ///< its form may be missing: then
    MPI_Datatype type{}; ///< is predefined, so nobody can free it
    MPI_Count count = 0;
    MPI_Comm communicator = MPI_COMM_NULL;
    int source = MPI_ANY_SOURCE; ///< in MPI_COMM_WORLD
    bool is_long = false;        ///< what it takes may be asked
    bool plain = false;          ///< it has come, and was no record
    bool arrived = false;        ///< moved already; `status` and `result` are what the user will be told
    MPI_Status status{};
    int result = MPI_SUCCESS;
};

/// Receives of which nothing else is known, by handle. That is nearly all of most programs, and they take a microsecond each: so
/// nothing is allocated and nothing is locked. One thread at a time: where there are several, receives are in the request_table.
class noted_receives {
public:
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

    /// A place for a receive; null: there is none. What it had before is still there.
    [[nodiscard]] noted_receive* add(MPI_Request handle) noexcept {
        noted_receive* place = nullptr;
        for (std::size_t n = 0; n < near; ++n) {
            noted_receive& r = all_[(first(handle) + n) % places];
            if (r.handle == handle) return &r; // completed behind our back
            if (place == nullptr && r.handle == MPI_REQUEST_NULL) place = &r;
        }
        if (place == nullptr) return nullptr;
        place->handle = handle;
        ++count_;
        return place;
    }
    /// Null, if it is none of these.
    [[nodiscard]] noted_receive* find(MPI_Request handle) noexcept {
        if (count_ == 0 || handle == MPI_REQUEST_NULL) return nullptr;
        for (std::size_t n = 0; n < near; ++n)
            if (noted_receive& r = all_[(first(handle) + n) % places]; r.handle == handle) return &r;
        return nullptr;
    }
    /// Before it is completed: an error handler of the program may receive, and MPI gives the handle to the next request.
    [[nodiscard]] noted_receive take(noted_receive& r) noexcept {
        --count_;
        noted_receive taken = std::move(r);
        r.handle = MPI_REQUEST_NULL;
        return taken;
    }
    /// Calls `visit(receive)` for up to `most`, going on where the last call stopped.
    template <class Visit> void some(std::size_t most, Visit const& visit) {
        for (std::size_t looked = 0, seen = 0; looked < places && seen < std::min(most, count_); ++looked) {
            next_ = (next_ + 1) % places;
            if (all_[next_].handle == MPI_REQUEST_NULL) continue;
            ++seen;
            visit(all_[next_]);
        }
    }

private:
    static constexpr std::size_t places = 256;
    static constexpr std::size_t near = 4;

    static std::size_t first(MPI_Request handle) noexcept {
        std::uint64_t bits = 0;
        // NOLINTNEXTLINE(bugprone-sizeof-expression): it is the handle, a pointer in one MPI and a number in another
        std::memcpy(&bits, &handle, sizeof handle);
        return (bits * 0x9E3779B97F4A7C15U) >> 56;
    }

    std::array<noted_receive, places> all_;
    std::size_t count_ = 0;
    std::size_t next_ = 0;
};

} // namespace sode::internal::interpose
