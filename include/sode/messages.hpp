// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace sode {

/// The messages of one plan: made once, started in every exchange. MPI calls them persistent requests.
class SODE_API message_set {
public:
    virtual ~message_set() = default;

    /// Adds a message to or from `peer`. The memory must stay where it is. Messages with the same peer and tag are matched in the
    /// order in which they are started. \return its number in this set: 0, 1, 2, …
    [[nodiscard]] virtual std::size_t send(void const* data, std::size_t bytes, int peer, int tag) = 0;
    [[nodiscard]] virtual std::size_t receive(void* data, std::size_t bytes, int peer, int tag) = 0;

    /// Starts a message. The message must not be in progress.
    virtual void start(std::size_t message) = 0;
    /// Makes progress without waiting. Writes the numbers of completed messages to `done`, each number once.
    /// \return how many; at most done.size()
    [[nodiscard]] virtual std::size_t collect(std::span<std::size_t> done) = 0;
};

/// Letters between any two ranks, which nobody has to expect: what carries requests. Used by one thread at a time; by several in
/// turn only where messenger::several_threads() says so. Letters of one rank to another arrive in the order in which they were
/// sent.
class SODE_API letter_box {
public:
    virtual ~letter_box() = default;

    /// Sends a copy of it.
    virtual void send(int peer, std::span<std::byte const> text) = 0;

    struct letter {
        int from = -1; ///< negative: there is none
        std::span<std::byte const> text;
    };
    /// Goes on with what was sent, without waiting, and gives the next letter that is there. It is valid until the next call.
    [[nodiscard]] virtual letter receive() = 0;

    /// No rank sends any more, and all have got what was sent to them: collective. Without it the box may be destroyed, too, but
    /// what it has of the library underneath is then not given back.
    virtual void close() = 0;
};

/// What carries bytes between ranks that share no memory. Errors of all functions here: peer, if the library underneath fails.
class SODE_API messenger {
public:
    virtual ~messenger() = default;

    /// The set must be destroyed only when none of its messages is in progress.
    [[nodiscard]] virtual std::unique_ptr<message_set> make_set() = 0;
    /// The largest tag. The smallest is 0.
    [[nodiscard]] virtual int most_tag() const noexcept = 0;

    /// A letter box for letters of up to `most_bytes`. Collective. Null, as by default: there is no such thing.
    [[nodiscard]] virtual std::unique_ptr<letter_box> open_letters(std::size_t most_bytes) {
        static_cast<void>(most_bytes);
        return nullptr;
    }
    /// Whether several threads may use what carries at the same time.
    [[nodiscard]] virtual bool several_threads() const noexcept { return false; }
};

} // namespace sode
