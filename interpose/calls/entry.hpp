// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/next.hpp"

#include <atomic>
#include <utility>

namespace sode::internal::interpose {

struct layer;

/// The layer of this process, from the end of MPI_Init until MPI_Finalize has deleted the attributes of MPI_COMM_SELF, unless it is
/// switched off. The functions of MPI have no argument that could carry it.
inline std::atomic<layer*> on_duty{nullptr};

/// Calls of this library that the thread is in.
inline thread_local int calls_in_progress = 0;

/// A call of the program, or of somebody on its behalf. Both names of a function, MPI_ and PMPI_, lead here: Fortran's bindings and
/// the tools above us use the second one. A tool below us does as well, when we call it; so a call within a call is for MPI itself.
class entry {
public:
    entry() noexcept : nested_(calls_in_progress++ > 0) {}
    ~entry() { --calls_in_progress; }
    entry(entry const&) = delete;
    entry& operator=(entry const&) = delete;
    entry(entry&&) = delete;
    entry& operator=(entry&&) = delete;

    /// Within another one of this thread.
    [[nodiscard]] bool nested() const noexcept { return nested_; }
    [[nodiscard]] call_table const& next() const noexcept { return nested_ ? mpi_itself() : tool_below(); }
    /// Null where the call is none of our business.
    [[nodiscard]] layer* active() const noexcept { return nested_ ? nullptr : on_duty.load(std::memory_order_acquire); }
    /// Whether next() is MPI itself.
    [[nodiscard]] bool goes_to_mpi() const noexcept { return nested_ || !has_tool_below(); }

private:
    bool nested_;
};

/// For as long as it lives, MPI itself works for a call, and may call what the program has attached to a communicator. What that
/// calls are calls of the program.
class program_called_back {
public:
    explicit program_called_back(entry const& call) noexcept
        : before_(call.goes_to_mpi() ? std::exchange(calls_in_progress, 0) : calls_in_progress) {}
    /// Where we call the program ourselves, past any tool: its error handler.
    program_called_back() noexcept : before_(std::exchange(calls_in_progress, 0)) {}
    ~program_called_back() { calls_in_progress = before_; }
    program_called_back(program_called_back const&) = delete;
    program_called_back& operator=(program_called_back const&) = delete;
    program_called_back(program_called_back&&) = delete;
    program_called_back& operator=(program_called_back&&) = delete;

private:
    int before_;
};

} // namespace sode::internal::interpose
