// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace sode {

/// The messages of one plan: made once, started in every exchange (persistent requests, in MPI's words).
class SODE_API message_set {
public:
    virtual ~message_set() = default;

    /// A message to, or from, `peer`. Memory must stay where it is. Messages of equal peer and tag meet in the order in which they
    /// are started. \return its number in this set: 0, 1, 2, …
    [[nodiscard]] virtual std::size_t send(void const* data, std::size_t bytes, int peer, int tag) = 0;
    [[nodiscard]] virtual std::size_t receive(void* data, std::size_t bytes, int peer, int tag) = 0;

    /// Begins a message. It must not be under way.
    virtual void start(std::size_t message) = 0;
    /// Goes on with what was started, without waiting, and writes the numbers of messages that are over to `done`, each once.
    /// \return how many; at most done.size()
    [[nodiscard]] virtual std::size_t collect(std::span<std::size_t> done) = 0;
};

/// What carries bytes between ranks that share no memory. Errors of all functions here: peer, if the library underneath fails.
class SODE_API messenger {
public:
    virtual ~messenger() = default;

    /// Nothing in it may be under way when it is destroyed.
    [[nodiscard]] virtual std::unique_ptr<message_set> make_set() = 0;
    /// Tags are 0 to this.
    [[nodiscard]] virtual int most_tag() const noexcept = 0;
};

} // namespace sode
