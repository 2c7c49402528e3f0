// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <vector>

namespace sode::internal::interpose {

/// What is known of a communicator.
struct acquaintance {
    std::vector<int>
        in_world; ///< rank in MPI_COMM_WORLD of each of its ranks, in an intercommunicator: of the remote group; -1: none
    /// Whether all of them are asked for, by pairs, in collectives; decided at the first one, equally on all ranks.
    enum class pairing : std::uint8_t { undecided, none, by_stages, by_buffers } pairs = pairing::undecided;
    MPI_Comm twin = MPI_COMM_NULL; ///< a duplicate, for the messages that make up a collective
    /// What all ranks found of a kind of collectives when they compared notes.
    struct vote {
        std::int64_t kind = 0;
        int calls = 0;
        bool by_pairs = false;
    };
    std::vector<vote> votes;
};

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
    /// All of it; null if MPI refuses. Lives as long as the communicator.
    [[nodiscard]] acquaintance* of(MPI_Comm communicator);

    /// While MPI frees a communicator, it calls what the program has attached, which may still use the communicator. What is
    /// attached then stays behind, and the next communicator gets the handle: so nothing may be.
    class ending {
    public:
        ending(peers& of, MPI_Comm communicator);
        ~ending();
        ending(ending const&) = delete;
        ending& operator=(ending const&) = delete;
        ending(ending&&) = delete;
        ending& operator=(ending&&) = delete;

    private:
        friend class peers;
        peers& of_;
        MPI_Comm communicator_;
        std::unique_ptr<acquaintance> known_; ///< instead of the attribute
    };
    [[nodiscard]] bool is_ending(MPI_Comm communicator);

private:
    [[nodiscard]] ending* find_ending(MPI_Comm communicator);
    [[nodiscard]] acquaintance* look_for(MPI_Comm communicator);
    [[nodiscard]] static std::vector<int> look_up(MPI_Comm communicator);

    int key_ = MPI_KEYVAL_INVALID;
    int world_size_ = 0;
    std::mutex making_;
    std::vector<ending*> endings_; ///< under that lock
};

} // namespace sode::internal::interpose
