// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/transport/record.hpp"

#include <atomic>
#include <list>
#include <mpi.h>
#include <mutex>
#include <optional>

namespace sode::internal::interpose {

/// A short message that a probe has met, taken out of MPI's hands to see whether it is a record: only its content tells.
struct peeked_message {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Status status{}; ///< as a receive would tell it, of the message that a record announces
    std::optional<record> announced;
    record_message content{};
    int bytes = 0; ///< of content

    // Where the program holds a handle to it:
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Request again = MPI_REQUEST_NULL; ///< that sends it to ourselves
};

/// The messages that were peeked at and not received yet, in their order. They come before all that MPI still has: a receive must
/// look here first. Any thread may ask.
class peeked_messages {
public:
    /// No lock: for the quick way around.
    [[nodiscard]] bool empty() const noexcept { return count_.load(std::memory_order_acquire) == 0; }

    void add(peeked_message m);
    /// The first that a receive of these arguments would match: how it looks, or itself.
    [[nodiscard]] std::optional<MPI_Status> look(int source, int tag, MPI_Comm communicator);
    [[nodiscard]] std::optional<peeked_message> take(int source, int tag, MPI_Comm communicator);

    /// Gives the message a handle of MPI, through a message to ourselves over `self`.
    MPI_Message hand_out(peeked_message m, MPI_Comm self);
    /// The message of a handle, which is thereby gone.
    [[nodiscard]] std::optional<peeked_message> take(MPI_Message handle);

private:
    void count_by(int more);
    [[nodiscard]] std::list<peeked_message>::iterator find(int source, int tag, MPI_Comm communicator);

    std::mutex mutex_;
    std::list<peeked_message> waiting_;
    std::list<peeked_message> handed_out_; ///< a list, because MPI sends the contents from where they are
    std::atomic<int> count_{0};
};

} // namespace sode::internal::interpose
