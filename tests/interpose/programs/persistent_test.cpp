// SPDX-License-Identifier: Apache-2.0
// Persistent collectives: they pass through the layer, every one of them, and do what the collective of that name does.
#include "job.hpp"
#include "persistent_names.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>

namespace sode::internal::test {
namespace {

/// A persistent collective of integers, and the one that returns when it is done. Both read `from` and write a buffer.
struct collective {
    char const* name;
    std::function<int(int* to, MPI_Request*)> init;
    std::function<int(int* to)> plain;
};

class Persistent : public ::testing::Test {
protected:
    Persistent() {
        // No ring: in one of two ranks, Open MPI 4.1 takes one neighbour for the other in one of the two forms.
        int const periodic = 0;
        MPI_Cart_create(all, 1, &here.size, &periodic, 0, &line);
        auto const ranks = static_cast<std::size_t>(here.size);
        counts.resize(ranks);
        places.resize(ranks);
        pair_counts.resize(ranks);
        bytes.resize(ranks);
        for (int i = 0; i < here.size; ++i) {
            auto const r = static_cast<std::size_t>(i);
            counts[r] = 1 + i % 2;
            places[r] = 2 * (here.size - 1 - i);
            pair_counts[r] = 1 + (here.rank + i) % 2;
            bytes[r] = places[r] * static_cast<int>(sizeof(int));
        }
        types.assign(ranks, MPI_INT);
        from.resize(2 * std::max<std::size_t>(ranks, 2));
        std::iota(from.begin(), from.end(), 100 * here.rank);
    }
    ~Persistent() override { MPI_Comm_free(&line); }
    void TearDown() override { MPI_Barrier(all); }

    [[nodiscard]] std::vector<collective> to_and_from_a_root();
    [[nodiscard]] std::vector<collective> among_all();
    [[nodiscard]] std::vector<collective> reductions();
    [[nodiscard]] std::vector<collective> of_neighbours();

#if defined(OPEN_MPI)
    static constexpr int starts = 3;
#else
    // MPICH 4.0 hangs in the second start of a gather by three ranks, and reads what a rank gathers from itself when the request is
    // made, with the layer and without.
    static constexpr int starts = 1;
#endif
    void expect_same_as_plain(collective const& c) {
        SCOPED_TRACE(c.name);
        auto to = from, expected = from;
        MPI_Request request = MPI_REQUEST_NULL;
        ASSERT_EQ(c.init(to.data(), &request), MPI_SUCCESS);
        c.plain(expected.data());
        for (int start = 0; start < starts; ++start) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            EXPECT_EQ(to, expected) << "start " << start;
            EXPECT_NE(request, MPI_REQUEST_NULL);
        }
        MPI_Request_free(&request);
    }

    ring const here;
    MPI_Comm const all = MPI_COMM_WORLD;
    MPI_Comm line = MPI_COMM_NULL;
    int const root = here.size - 1;
    std::vector<int> from, counts, places, pair_counts, bytes;
    std::vector<MPI_Datatype> types;
    std::array<int, 2> const two_counts{1, 2}, other_counts{2, 1}, two_places{0, 2}, ones{1, 1};
    std::array<MPI_Aint, 2> const two_bytes{0, 2 * sizeof(int)};
    std::array<MPI_Datatype, 2> const two_types{MPI_INT, MPI_INT};
    MPI_Info const none = MPI_INFO_NULL;
};

std::vector<collective> Persistent::to_and_from_a_root() {
    auto const rank = static_cast<std::size_t>(here.rank);
    int const* const f = from.data();
    return {
        {"barrier", [=, this](int*, MPI_Request* r) { return barrier_init(all, none, r); },
         [=, this](int*) { return MPI_Barrier(all); }},
        {"bcast", [=, this](int* to, MPI_Request* r) { return bcast_init(to, 2, MPI_INT, root, all, none, r); },
         [=, this](int* to) { return MPI_Bcast(to, 2, MPI_INT, root, all); }},
        {"gather", [=, this](int* to, MPI_Request* r) { return gather_init(f, 2, MPI_INT, to, 2, MPI_INT, root, all, none, r); },
         [=, this](int* to) { return MPI_Gather(f, 2, MPI_INT, to, 2, MPI_INT, root, all); }},
        {"gatherv",
         [=, this](int* to, MPI_Request* r) {
             return gatherv_init(f, counts[rank], MPI_INT, to, counts.data(), places.data(), MPI_INT, root, all, none, r);
         },
         [=, this](int* to) {
             return MPI_Gatherv(f, counts[rank], MPI_INT, to, counts.data(), places.data(), MPI_INT, root, all);
         }},
        {"scatter", [=, this](int* to, MPI_Request* r) { return scatter_init(f, 2, MPI_INT, to, 2, MPI_INT, root, all, none, r); },
         [=, this](int* to) { return MPI_Scatter(f, 2, MPI_INT, to, 2, MPI_INT, root, all); }},
        {"scatterv",
         [=, this](int* to, MPI_Request* r) {
             return scatterv_init(f, counts.data(), places.data(), MPI_INT, to, counts[rank], MPI_INT, root, all, none, r);
         },
         [=, this](int* to) {
             return MPI_Scatterv(f, counts.data(), places.data(), MPI_INT, to, counts[rank], MPI_INT, root, all);
         }},
    };
}

std::vector<collective> Persistent::among_all() {
    auto const rank = static_cast<std::size_t>(here.rank);
    int const* const f = from.data();
    return {
        {"allgather", [=, this](int* to, MPI_Request* r) { return allgather_init(f, 2, MPI_INT, to, 2, MPI_INT, all, none, r); },
         [=, this](int* to) { return MPI_Allgather(f, 2, MPI_INT, to, 2, MPI_INT, all); }},
        {"allgatherv",
         [=, this](int* to, MPI_Request* r) {
             return allgatherv_init(f, counts[rank], MPI_INT, to, counts.data(), places.data(), MPI_INT, all, none, r);
         },
         [=, this](int* to) { return MPI_Allgatherv(f, counts[rank], MPI_INT, to, counts.data(), places.data(), MPI_INT, all); }},
        {"alltoall", [=, this](int* to, MPI_Request* r) { return alltoall_init(f, 2, MPI_INT, to, 2, MPI_INT, all, none, r); },
         [=, this](int* to) { return MPI_Alltoall(f, 2, MPI_INT, to, 2, MPI_INT, all); }},
        {"alltoallv",
         [=, this](int* to, MPI_Request* r) {
             return alltoallv_init(f, pair_counts.data(), places.data(), MPI_INT, to, pair_counts.data(), places.data(), MPI_INT,
                                   all, none, r);
         },
         [=, this](int* to) {
             return MPI_Alltoallv(f, pair_counts.data(), places.data(), MPI_INT, to, pair_counts.data(), places.data(), MPI_INT,
                                  all);
         }},
        {"alltoallw",
         [=, this](int* to, MPI_Request* r) {
             return alltoallw_init(f, pair_counts.data(), bytes.data(), types.data(), to, pair_counts.data(), bytes.data(),
                                   types.data(), all, none, r);
         },
         [=, this](int* to) {
             return MPI_Alltoallw(f, pair_counts.data(), bytes.data(), types.data(), to, pair_counts.data(), bytes.data(),
                                  types.data(), all);
         }},
    };
}

std::vector<collective> Persistent::reductions() {
    int const* const f = from.data();
    return {
        {"reduce", [=, this](int* to, MPI_Request* r) { return reduce_init(f, to, 2, MPI_INT, MPI_SUM, root, all, none, r); },
         [=, this](int* to) { return MPI_Reduce(f, to, 2, MPI_INT, MPI_SUM, root, all); }},
        {"allreduce", [=, this](int* to, MPI_Request* r) { return allreduce_init(f, to, 2, MPI_INT, MPI_SUM, all, none, r); },
         [=, this](int* to) { return MPI_Allreduce(f, to, 2, MPI_INT, MPI_SUM, all); }},
        {"reduce_scatter_block",
         [=, this](int* to, MPI_Request* r) { return reduce_scatter_block_init(f, to, 2, MPI_INT, MPI_SUM, all, none, r); },
         [=, this](int* to) { return MPI_Reduce_scatter_block(f, to, 2, MPI_INT, MPI_SUM, all); }},
        {"reduce_scatter",
         [=, this](int* to, MPI_Request* r) { return reduce_scatter_init(f, to, counts.data(), MPI_INT, MPI_SUM, all, none, r); },
         [=, this](int* to) { return MPI_Reduce_scatter(f, to, counts.data(), MPI_INT, MPI_SUM, all); }},
        {"scan", [=, this](int* to, MPI_Request* r) { return scan_init(f, to, 2, MPI_INT, MPI_SUM, all, none, r); },
         [=, this](int* to) { return MPI_Scan(f, to, 2, MPI_INT, MPI_SUM, all); }},
        {"exscan", [=, this](int* to, MPI_Request* r) { return exscan_init(f, to, 2, MPI_INT, MPI_SUM, all, none, r); },
         [=, this](int* to) { return MPI_Exscan(f, to, 2, MPI_INT, MPI_SUM, all); }},
    };
}

std::vector<collective> Persistent::of_neighbours() {
    int const* const f = from.data();
    return {
        {"neighbor_allgather",
         [=, this](int* to, MPI_Request* r) { return neighbor_allgather_init(f, 1, MPI_INT, to, 1, MPI_INT, line, none, r); },
         [=, this](int* to) { return MPI_Neighbor_allgather(f, 1, MPI_INT, to, 1, MPI_INT, line); }},
        {"neighbor_allgatherv",
         [=, this](int* to, MPI_Request* r) {
             return neighbor_allgatherv_init(f, 1, MPI_INT, to, ones.data(), two_places.data(), MPI_INT, line, none, r);
         },
         [=, this](int* to) { return MPI_Neighbor_allgatherv(f, 1, MPI_INT, to, ones.data(), two_places.data(), MPI_INT, line); }},
        {"neighbor_alltoall",
         [=, this](int* to, MPI_Request* r) { return neighbor_alltoall_init(f, 1, MPI_INT, to, 1, MPI_INT, line, none, r); },
         [=, this](int* to) { return MPI_Neighbor_alltoall(f, 1, MPI_INT, to, 1, MPI_INT, line); }},
        // What goes down comes from above.
        {"neighbor_alltoallv",
         [=, this](int* to, MPI_Request* r) {
             return neighbor_alltoallv_init(f, two_counts.data(), two_places.data(), MPI_INT, to, other_counts.data(),
                                            two_places.data(), MPI_INT, line, none, r);
         },
         [=, this](int* to) {
             return MPI_Neighbor_alltoallv(f, two_counts.data(), two_places.data(), MPI_INT, to, other_counts.data(),
                                           two_places.data(), MPI_INT, line);
         }},
        {"neighbor_alltoallw",
         [=, this](int* to, MPI_Request* r) {
             return neighbor_alltoallw_init(f, two_counts.data(), two_bytes.data(), two_types.data(), to, other_counts.data(),
                                            two_bytes.data(), two_types.data(), line, none, r);
         },
         [=, this](int* to) {
             return MPI_Neighbor_alltoallw(f, two_counts.data(), two_bytes.data(), two_types.data(), to, other_counts.data(),
                                           two_bytes.data(), two_types.data(), line);
         }},
    };
}

TEST_F(Persistent, ToAndFromARoot) {
    for (collective const& c : to_and_from_a_root()) expect_same_as_plain(c);
}

TEST_F(Persistent, AmongAll) {
    for (collective const& c : among_all()) expect_same_as_plain(c);
}

TEST_F(Persistent, Reductions) {
    for (collective const& c : reductions()) expect_same_as_plain(c);
}

TEST_F(Persistent, OfNeighbours) {
    for (collective const& c : of_neighbours()) expect_same_as_plain(c);
}

// They are MPI's, between messages of ours.
TEST_F(Persistent, BetweenMessages) {
    every_other const type;
    auto got = empty_array();
    auto const mine = told_by(here.rank);
    double told = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    bcast_init(&told, 1, MPI_DOUBLE, 0, all, none, &request);
    for (int round = 0; round < 3; ++round) {
        told = here.rank == 0 ? round : -1;
        MPI_Start(&request);
        MPI_Sendrecv(mine.data(), 1, type.get(), here.right, 7, got.data(), 1, type.get(), here.left, 7, all, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT_EQ(told, round);
        EXPECT_TRUE(came_from(got, here.left));
    }
    MPI_Request_free(&request);
}

// A plan can only take over what the layer sees.
TEST_F(Persistent, AllGoThroughTheLayer) {
    std::ifstream list{WRAPPED_PERSISTENT};
    int names = 0;
    for (std::string name; list >> name; ++names) {
#if defined(OPEN_MPI)
        name.replace(0, 3, "MPIX");
#endif
        for (std::string const& called : {name, "P" + name}) {
            Dl_info where{};
            ASSERT_NE(::dladdr(::dlsym(RTLD_DEFAULT, called.c_str()), &where), 0) << called;
            EXPECT_NE(std::string{where.dli_fname}.find("libsode-interpose"), std::string::npos) << called;
        }
    }
    EXPECT_EQ(names, 22); // of MPI-4.0
}

} // namespace
} // namespace sode::internal::test
