// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace sode {

/// The messages of one plan. The messages are created once and started in every exchange, like persistent requests in MPI.
class SODE_API message_set {
public:
    virtual ~message_set() = default;

    /// Adds a message to or from rank `peer`. The memory of a message must stay at the same address. Messages with the same peer
    /// and tag are matched in the order in which the messages are started.
    /// \return the number of the message in this set: 0, 1, 2, …
    [[nodiscard]] virtual std::size_t send(void const* data, std::size_t bytes, int peer, int tag) = 0;
    [[nodiscard]] virtual std::size_t receive(void* data, std::size_t bytes, int peer, int tag) = 0;

    /// Starts a message, which must not be in progress.
    virtual void start(std::size_t message) = 0;
    /// Makes progress without waiting, and writes the numbers of completed messages to `done`. For each
    /// start of a message, the number of the message is written once.
    /// \return the number of completed messages, at most done.size()
    [[nodiscard]] virtual std::size_t collect(std::span<std::size_t> done) = 0;
};

/// A mailbox: sends and receives short messages between any two ranks, without matching receives. Sode uses a mailbox for requests
/// to other ranks. Only one thread at a time may use a mailbox. Different threads may use a mailbox one after another only if
/// messenger::several_threads() is true. Messages between two ranks arrive in the order in which they were sent.
class SODE_API letter_box {
public:
    virtual ~letter_box() = default;

    /// Sends a copy of `text`.
    virtual void send(int peer, std::span<std::byte const> text) = 0;

    struct letter {
        int from = -1; ///< negative: no message has arrived
        std::span<std::byte const> text;
    };
    /// Makes progress with sends without waiting, and returns the next message that has arrived. The message is valid until the
    /// next call of receive().
    [[nodiscard]] virtual letter receive() = 0;

    /// Closes the mailbox. close() is collective. Call close() when no rank sends any more messages through the mailbox, and all
    /// messages have been received. If close() was not called, the destructor does not free the MPI objects and buffers.
    virtual void close() = 0;
};

/// Sends messages between ranks that do not share memory. All functions throw a peer error if the underlying library (MPI) fails.
class SODE_API messenger {
public:
    virtual ~messenger() = default;

    /// Creates a set of messages. When the set is destroyed, no message of the set may be in progress.
    [[nodiscard]] virtual std::unique_ptr<message_set> make_set() = 0;
    /// Returns the largest tag. The smallest tag is 0.
    [[nodiscard]] virtual int most_tag() const noexcept = 0;

    /// Opens a mailbox for messages of up to `most_bytes` bytes. The call is collective. The default implementation returns null:
    /// mailboxes are not supported.
    [[nodiscard]] virtual std::unique_ptr<letter_box> open_letters(std::size_t most_bytes) {
        static_cast<void>(most_bytes);
        return nullptr;
    }
    /// True if several threads may send and receive concurrently.
    [[nodiscard]] virtual bool several_threads() const noexcept { return false; }
};

} // namespace sode
