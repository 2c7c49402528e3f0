// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode::internal::interpose {

/// A collective that was planned once with its memory, and is started again and again.
class startable {
public:
    startable() = default;
    virtual ~startable() = default;
    startable(startable const&) = delete;
    startable& operator=(startable const&) = delete;
    startable(startable&&) = delete;
    startable& operator=(startable&&) = delete;

    /// Takes what is given, and starts. Returns a code of MPI; nothing is started then, if it is an error.
    [[nodiscard]] virtual int begin() = 0;
    /// Goes on without waiting, and without a call of MPI: any thread, one at a time. True if nothing is left but end().
    [[nodiscard]] virtual bool proceed() = 0;
    /// Waits, and leaves what is got where it is wanted. Returns a code of MPI.
    [[nodiscard]] virtual int end() = 0;
};

} // namespace sode::internal::interpose
