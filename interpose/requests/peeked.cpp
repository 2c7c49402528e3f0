// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/peeked.hpp"

#include "interpose/calls/next.hpp"
#include "interpose/calls/straight.hpp"

#include <algorithm>

namespace sode::internal::interpose {

/// Under the lock. While there are some, all receives must look here.
void peeked_messages::count_by(int more) {
    int const before = count_.fetch_add(more, std::memory_order_release);
    if (before == 0) straight.hold();
    if (before + more == 0) straight.release();
}

std::list<peeked_message>::iterator peeked_messages::find(int source, int tag, MPI_Comm communicator) {
    return std::find_if(waiting_.begin(), waiting_.end(), [&](peeked_message const& m) {
        return m.communicator == communicator && (source == MPI_ANY_SOURCE || source == m.status.MPI_SOURCE) &&
               (tag == MPI_ANY_TAG || tag == m.status.MPI_TAG);
    });
}

void peeked_messages::add(peeked_message m) {
    std::lock_guard const lock{mutex_};
    waiting_.push_back(m);
    count_by(1);
}

std::optional<MPI_Status> peeked_messages::look(int source, int tag, MPI_Comm communicator) {
    std::lock_guard const lock{mutex_};
    auto const at = find(source, tag, communicator);
    return at == waiting_.end() ? std::nullopt : std::optional{at->status};
}

std::optional<peeked_message> peeked_messages::take(int source, int tag, MPI_Comm communicator) {
    std::lock_guard const lock{mutex_};
    auto const at = find(source, tag, communicator);
    if (at == waiting_.end()) return std::nullopt;
    peeked_message const m = *at;
    waiting_.erase(at);
    count_by(-1);
    return m;
}

MPI_Message peeked_messages::hand_out(peeked_message m, MPI_Comm self) {
    std::lock_guard const lock{mutex_};
    peeked_message& kept = handed_out_.emplace_back(m);
    mpi_itself().isend(kept.content.data(), kept.bytes, MPI_BYTE, 0, 0, self, &kept.again);
    mpi_itself().mprobe(0, 0, self, &kept.handle, MPI_STATUS_IGNORE);
    count_by(1);
    return kept.handle;
}

std::optional<peeked_message> peeked_messages::take(MPI_Message handle) {
    std::lock_guard const lock{mutex_};
    auto const at =
        std::find_if(handed_out_.begin(), handed_out_.end(), [&](peeked_message const& m) { return m.handle == handle; });
    if (at == handed_out_.end()) return std::nullopt;
    peeked_message m = *at;
    mpi_itself().mrecv(m.content.data(), static_cast<int>(m.content.size()), MPI_BYTE, &m.handle, MPI_STATUS_IGNORE);
    mpi_itself().wait(&at->again, MPI_STATUS_IGNORE);
    handed_out_.erase(at);
    count_by(-1);
    return m;
}

} // namespace sode::internal::interpose
