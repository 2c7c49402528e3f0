// SPDX-License-Identifier: Apache-2.0
// Differential fuzzing: random datatypes, counts and kinds of calls; every message goes once by MPI itself and once by the layer,
// and the receive buffers, statuses and results must be the same, gaps included.
#include "job.hpp"
#include "random_pairs.hpp"
#include "support/cases.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>

namespace sode::internal::test {
namespace {

/// The functions of the MPI library itself, past everything that was preloaded.
class plain_mpi {
public:
    decltype(&PMPI_Sendrecv) const sendrecv = find<decltype(&PMPI_Sendrecv)>("PMPI_Sendrecv");

private:
    template <class Function> static Function find(char const* name) {
#if defined(OPEN_MPI)
        constexpr char const* library = "libmpi.so.40";
#else
        constexpr char const* library = "libmpich.so.12";
#endif
        void* const mpi = ::dlopen(library, RTLD_NOW | RTLD_NOLOAD);
        return mpi == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(mpi, name));
    }
};

class Fuzz : public ::testing::Test {
protected:
    /// The ring sends `what` once.
    static void send_plain(plain_mpi const& mpi, pair_of_types const& what, std::byte* from, std::byte* to, ring const& here,
                           MPI_Status* status) {
        mpi.sendrecv(from, what.from_count, what.from.get(), here.right, 1, to, what.to_count, what.to.get(), here.left, 1,
                     MPI_COMM_WORLD, status);
    }
    static int send_ours(std::int64_t way, pair_of_types const& what, std::byte* from, std::byte* to, ring const& here,
                         MPI_Status* status) {
        MPI_Comm const all = MPI_COMM_WORLD;
        std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        std::array<MPI_Status, 2> statuses{};
        MPI_Datatype const s = what.from.get(), r = what.to.get();
        int result = MPI_SUCCESS;
        switch (way) {
        case 0: return MPI_Sendrecv(from, what.from_count, s, here.right, 1, to, what.to_count, r, here.left, 1, all, status);
        case 1:
            MPI_Irecv(to, what.to_count, r, here.left, 1, all, &requests[0]);
            MPI_Send(from, what.from_count, s, here.right, 1, all);
            return MPI_Wait(&requests[0], status);
        case 2:
            MPI_Isend(from, what.from_count, s, here.right, 1, all, &requests[1]);
            result = MPI_Recv(to, what.to_count, r, MPI_ANY_SOURCE, 1, all, status);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
            return result;
        case 3:
            MPI_Isend(from, what.from_count, s, here.right, 1, all, &requests[1]);
            MPI_Probe(here.left, 1, all, status);
            result = MPI_Recv(to, what.to_count, r, here.left, 1, all, status);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
            return result;
        default:
            MPI_Recv_init(to, what.to_count, r, here.left, 1, all, &requests[0]);
            MPI_Send_init(from, what.from_count, s, here.right, 1, all, &requests[1]);
            MPI_Startall(2, requests.data());
            result = MPI_Waitall(2, requests.data(), statuses.data());
            *status = statuses[0];
            for (MPI_Request& q : requests) MPI_Request_free(&q);
            return result;
        }
    }
};

TEST_F(Fuzz, SameAsPlainMpi) {
    plain_mpi const mpi;
    ASSERT_NE(mpi.sendrecv, nullptr);
    ring const here;
    char const* const asked = std::getenv("TEST_PAIRS"); // ./check --full
    int const pairs = asked == nullptr ? sode::internal::testing::random_cases(500) : std::atoi(asked);
    char const* const given = std::getenv("TEST_SEED");
    auto const seed = given == nullptr ? std::uint64_t{1} : std::strtoull(given, nullptr, 10);
    random_datatypes random{seed};
    if (here.rank == 0) std::printf("%d pairs, seed %llu\n", pairs, static_cast<unsigned long long>(seed));
    for (int i = 0, compared = 0; compared < pairs; ++i) {
        pair_of_types const what = random_pair(random);
        auto const way = random.between(0, 4);
        if (!receivable(what.to.get(), what.to_count)) continue;
        ++compared;
        SCOPED_TRACE("seed " + std::to_string(seed) + " case " + std::to_string(i) + " way " + std::to_string(way) + ": " +
                     std::to_string(what.from_count) + " of " + described(what.from.get()) + " into " +
                     std::to_string(what.to_count) + " of " + described(what.to.get()));
        datatype_buffer from{what.from.get(), what.from_count};
        from.number(static_cast<unsigned>(7 * here.rank + i));
        datatype_buffer plain{what.to.get(), what.to_count}, ours{what.to.get(), what.to_count};
        plain.fill(std::byte{0xee});
        ours.fill(std::byte{0xee});
        MPI_Status plain_status{}, our_status{};
        send_plain(mpi, what, from.base(), plain.base(), here, &plain_status);
        ASSERT_EQ(send_ours(way, what, from.base(), ours.base(), here, &our_status), MPI_SUCCESS);
        ASSERT_TRUE(plain.bytes() == ours.bytes());
        MPI_Count expected = -1, elements = -2;
        PMPI_Get_elements_x(&plain_status, MPI_BYTE, &expected); // not of the type: MPICH 4.0 divides by the size of an empty one
        PMPI_Get_elements_x(&our_status, MPI_BYTE, &elements);
        ASSERT_EQ(elements, expected);
        ASSERT_EQ(our_status.MPI_SOURCE, here.left);
        ASSERT_EQ(our_status.MPI_TAG, 1);
    }
}

} // namespace
} // namespace sode::internal::test
