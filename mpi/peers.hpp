// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>
#include <mutex>
#include <vector>

namespace sode::interpose {

/// Whom the ranks of a communicator are in MPI_COMM_WORLD. Found when first asked, without any communication, and kept on the
/// communicator as an attribute; a duplicate finds out anew. Any thread may ask.
class peers {
public:
    /// After MPI_Init. Errors: peer, if MPI fails.
    peers();
    /// Before MPI_Finalize.
    ~peers();
    peers(peers const&) = delete;
    peers& operator=(peers const&) = delete;
    peers(peers&&) = delete;
    peers& operator=(peers&&) = delete;

    /// The rank in MPI_COMM_WORLD of rank `rank`, in an intercommunicator: of the remote group. -1 for one that is not in it
    /// (another job, spawned), and for what is no rank.
    [[nodiscard]] int in_world(MPI_Comm communicator, int rank);

private:
    [[nodiscard]] static std::vector<int> look_up(MPI_Comm communicator);

    int key_ = MPI_KEYVAL_INVALID;
    int world_size_ = 0;
    std::mutex making_;
};

} // namespace sode::interpose
