// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/arguments.hpp"
#include "interpose/transport/inbox.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <mpi.h>

namespace sode::internal::interpose {

/// No handle of MPI, and none that a program could take for one.
[[nodiscard]] inline MPI_Request no_request() noexcept {
    MPI_Request none = MPI_REQUEST_NULL;
    std::uintptr_t const bits = 1;
    std::memcpy(&none, &bits, sizeof none); // NOLINT(bugprone-sizeof-expression): the handle itself
    return none;
}

/// A receive under way, or a persistent one, of which nothing need be done, unless a record comes for it. What is written for each
/// is one line of memory.
struct alignas(64) noted_receive {
    MPI_Request handle = no_request();
    std::byte* buffer = nullptr;
    MPI_Datatype type{}; ///< where there is no form it is predefined, so nobody can free it
    MPI_Count count = 0;
    MPI_Comm communicator = MPI_COMM_NULL;
    struct state {
        int source = MPI_ANY_SOURCE; ///< in MPI_COMM_WORLD, where what it takes may be asked
        bool has_form = false;
        bool is_long = false;    ///< what it takes may be asked
        bool persistent = false; ///< stays here when it is over
        bool plain = false;      ///< it has come, and was no record
        bool arrived = false;    ///< moved already; `status` and `result` are what the user will be told
    } now;

    alignas(64) std::shared_ptr<message_layout const> form;
    MPI_Status status{};
    int result = MPI_SUCCESS;
    int from = MPI_ANY_SOURCE; ///< of a persistent one, what MPI_Recv_init was told
    int tag = MPI_ANY_TAG;

    /// A new one of that handle.
    [[gnu::always_inline]] void describe(void* where, MPI_Count how_many, MPI_Datatype what, MPI_Comm where_from) noexcept {
        buffer = static_cast<std::byte*>(where);
        type = what;
        count = how_many;
        communicator = where_from;
        now = {};
    }
    /// Its datatype is one of the program.
    void set_form(std::shared_ptr<message_layout const> const& known) {
        if (form != known) form = known; // mostly it is that of the last receive in this place
        now.has_form = true;
    }
    [[nodiscard]] landing where() const { return {buffer, now.has_form ? form : nullptr}; }
};

/// Receives of which nothing else is known, by handle. That is nearly all of most programs, and they take a microsecond each: so
/// nothing is allocated and nothing is locked. One thread at a time: where there are several, receives are in the request_table.
class noted_receives {
public:
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    /// Whether what some of them take may be asked.
    [[nodiscard]] bool has_long() const noexcept { return long_ != 0; }
    /// That of `r` may be.
    void note_long(noted_receive& r) noexcept {
        r.now.is_long = true;
        ++long_;
    }

    /// A place for a receive, to be described; null: there is none.
    [[nodiscard, gnu::always_inline]] noted_receive* add(MPI_Request handle) noexcept {
        noted_receive& r = all_[first(handle)];
        if (r.handle != no_request() || elsewhere_ != 0) [[unlikely]]
            return add_elsewhere(handle);
        r.handle = handle;
        ++count_;
        return &r;
    }
    /// Null, if it is none of these.
    [[nodiscard, gnu::always_inline]] noted_receive* find(MPI_Request handle) noexcept {
        if (noted_receive& r = all_[first(handle)]; r.handle == handle) return &r;
        return elsewhere_ == 0 ? nullptr : find_elsewhere(handle);
    }
    /// One that is over, and what was known of it. To be called before it is completed: an error handler of the program may
    /// receive, and MPI gives the handle to the next request.
    [[nodiscard]] noted_receive take(noted_receive& r) noexcept {
        noted_receive taken = r;
        if (r.now.persistent)
            r.now.plain = r.now.arrived = false;
        else
            drop(r);
        return taken;
    }
    /// It is forgotten; what was known of it stays until its place is needed.
    [[gnu::always_inline]] void drop(noted_receive& r) noexcept {
        --count_;
        if (r.now.is_long) --long_;
        if (elsewhere_ != 0 && &r != &all_[first(r.handle)]) [[unlikely]]
            --elsewhere_;
        r.handle = no_request();
    }
    /// It was dropped too early. Nothing happens if its place has another one.
    void bring_back(noted_receive& r, MPI_Request handle) noexcept;
    /// The request of that handle is over, if it is one of these.
    [[gnu::always_inline]] void forget(MPI_Request handle) noexcept {
        if (noted_receive* const r = find(handle); r != nullptr && !r->now.persistent) drop(*r);
    }
    /// Calls `visit(receive)` for up to `most`, going on where the last call stopped.
    template <class Visit> void some(std::size_t most, Visit const& visit) {
        for (std::size_t looked = 0, seen = 0; looked < places && seen < std::min(most, count_); ++looked) {
            next_ = (next_ + 1) % places;
            if (all_[next_].handle == no_request()) continue;
            ++seen;
            visit(all_[next_]);
        }
    }

private:
    static constexpr std::size_t places = 256;
    static constexpr std::size_t near = 4; ///< places where a receive may be

    static std::size_t first(MPI_Request handle) noexcept {
        std::uint64_t bits = 0;
        // NOLINTNEXTLINE(bugprone-sizeof-expression): it is the handle, a pointer in one MPI and a number in another
        std::memcpy(&bits, &handle, sizeof handle);
        return (bits * 0x9E3779B97F4A7C15U) >> 56;
    }
    [[nodiscard]] noted_receive* add_elsewhere(MPI_Request handle) noexcept;
    [[nodiscard]] noted_receive* find_elsewhere(MPI_Request handle) noexcept;

    std::size_t count_ = 0;
    std::size_t long_ = 0;
    std::size_t elsewhere_ = 0; ///< those that are not in the first of their places
    std::size_t next_ = 0;
    std::array<noted_receive, places> all_;
};

} // namespace sode::internal::interpose
