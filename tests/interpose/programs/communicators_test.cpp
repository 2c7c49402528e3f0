// SPDX-License-Identifier: Apache-2.0
// Collectives and messages over all kinds of communicators, with arguments that count for nobody.
#include "job.hpp"

#include <array>
#include <cstring>

namespace sode::internal::test {
namespace {

class Communicators : public ::testing::Test {
protected:
    void TearDown() override { MPI_Barrier(all); }

    /// What an argument holds of which MPI says that it is not significant.
    template <class Handle> static Handle garbage() {
        Handle h{};
        std::memset(&h, 0x5a, sizeof h);
        return h;
    }
    /// Every other number of it, as all of them send it.
    void expect_dense(double const* got, int from) const {
        for (int i = 0; i < every_other::elements; ++i) ASSERT_EQ(got[i], 1e6 * from + 2.0 * i) << "of rank " << from;
    }

    ring const here;
    every_other const type;
    MPI_Comm const all = MPI_COMM_WORLD;
    std::vector<double> const out = told_by(here.rank);
    std::size_t const part = every_other::elements;
};

/// The even ranks of the world on one side, the odd ones on the other.
class Intercommunicators : public Communicators {
protected:
    Intercommunicators() {
        MPI_Comm_split(all, side, here.rank, &mine);
        if (here.size > 1) MPI_Intercomm_create(mine, 0, all, 1 - side, 1, &both);
        if (here.size > 1) MPI_Comm_remote_size(both, &others);
    }
    ~Intercommunicators() override {
        if (both != MPI_COMM_NULL) MPI_Comm_free(&both);
        MPI_Comm_free(&mine);
    }
    void SetUp() override {
        if (here.size == 1) GTEST_SKIP() << "there is no other side";
    }
    /// In the world.
    [[nodiscard]] int other(int rank) const { return 2 * rank + 1 - side; }

    int const side = here.rank % 2;
    int others = 0;
    MPI_Comm mine = MPI_COMM_NULL, both = MPI_COMM_NULL;
};

TEST_F(Intercommunicators, Messages) {
    int rank = 0;
    MPI_Comm_rank(both, &rank);
    // Everybody to the first of the other side, which answers in the order in which they came.
    std::vector<MPI_Request> sent(1 + static_cast<std::size_t>(rank == 0 ? others : 0));
    auto in = empty_array();
    MPI_Status status;
    MPI_Isend(out.data(), 1, type.get(), 0, 3, both, &sent[0]);
    for (std::size_t i = 1; i < sent.size(); ++i) {
        std::fill(in.begin(), in.end(), untouched);
        MPI_Recv(in.data(), 1, type.get(), MPI_ANY_SOURCE, 3, both, &status);
        EXPECT_TRUE(came_from(in, other(status.MPI_SOURCE)));
        MPI_Isend(out.data(), 1, type.get(), status.MPI_SOURCE, 4, both, &sent[i]);
    }
    std::fill(in.begin(), in.end(), untouched);
    MPI_Recv(in.data(), 1, type.get(), 0, 4, both, &status);
    EXPECT_TRUE(came_from(in, other(0)));
    EXPECT_TRUE(tells(status, 0, 4));
    MPI_Waitall(static_cast<int>(sent.size()), sent.data(), MPI_STATUSES_IGNORE);
}

// The even ranks' first one gathers from the odd ones: those give no receive arguments, its fellows none at all.
TEST_F(Intercommunicators, Gather) {
    int rank = 0;
    MPI_Comm_rank(both, &rank);
    auto const no_type = garbage<MPI_Datatype>();
    std::vector<double> to(part * static_cast<std::size_t>(others), untouched);
    for (int again = 0; again < 2; ++again)
        if (side == 1) {
            MPI_Gather(out.data(), 1, type.get(), nullptr, 7, no_type, 0, both);
        } else if (rank == 0) {
            MPI_Gather(nullptr, 7, no_type, to.data(), every_other::elements, MPI_DOUBLE, MPI_ROOT, both);
            for (int i = 0; i < others; ++i) expect_dense(to.data() + part * static_cast<std::size_t>(i), other(i));
        } else {
            MPI_Gather(nullptr, 7, no_type, nullptr, 7, no_type, MPI_PROC_NULL, both);
        }
}

TEST_F(Intercommunicators, Alltoallw) {
    auto const n = static_cast<std::size_t>(others); // counts and types for the other side, which may be smaller than this one
    std::vector<int> const ones(n, 1), parts(n, every_other::elements), nowhere(n, 0);
    std::vector<MPI_Datatype> const types(n, type.get()), doubles(n, MPI_DOUBLE);
    std::vector<int> places(n);
    for (std::size_t i = 0; i < n; ++i) places[i] = static_cast<int>(i * part * sizeof(double));
    std::vector<double> to(part * n, untouched);
    MPI_Alltoallw(out.data(), ones.data(), nowhere.data(), types.data(), to.data(), parts.data(), places.data(), doubles.data(),
                  both);
    for (int i = 0; i < others; ++i) expect_dense(to.data() + part * static_cast<std::size_t>(i), other(i));
}

// Who is not the root may give anything for what only the root reads.
TEST_F(Communicators, WhatOnlyTheRootReads) {
    auto const no_type = garbage<MPI_Datatype>();
    bool const root = here.rank == 0;
    std::vector<double> to(part * static_cast<std::size_t>(here.size), untouched);
    MPI_Gather(out.data(), 1, type.get(), to.data(), root ? every_other::elements : -5, root ? MPI_DOUBLE : no_type, 0, all);
    for (int i = 0; root && i < here.size; ++i) expect_dense(to.data() + part * static_cast<std::size_t>(i), i);
    auto in = empty_array();
    MPI_Scatter(to.data(), root ? every_other::elements : -5, root ? MPI_DOUBLE : no_type, in.data(), 1, type.get(), 0, all);
    for (std::size_t i = 0; i < part; ++i) ASSERT_EQ(in[2 * i], 1e6 * here.rank + 2.0 * static_cast<double>(i));
}

#if !defined(OPEN_MPI) // which wants a type of everything
// Of what is not sent MPICH needs no type.
TEST_F(Communicators, NoDataNoType) {
    if (here.size == 1) GTEST_SKIP() << "somebody must have data";
    bool const idle = here.rank == here.size - 1;
    auto const n = static_cast<std::size_t>(here.size);
    std::vector<int> counts(n, idle ? 0 : 1), rooms(n, idle ? 0 : every_other::elements), places(n), nowhere(n, 0);
    counts.back() = rooms.back() = 0;
    std::vector<MPI_Datatype> types(n, idle ? MPI_DATATYPE_NULL : type.get()), doubles(n, idle ? MPI_DATATYPE_NULL : MPI_DOUBLE);
    types.back() = doubles.back() = MPI_DATATYPE_NULL;
    for (std::size_t i = 0; i < n; ++i) places[i] = static_cast<int>(i * part * sizeof(double));
    std::vector<double> to(part * n, untouched);
    EXPECT_EQ(MPI_Alltoallw(out.data(), counts.data(), nowhere.data(), types.data(), to.data(), rooms.data(), places.data(),
                            doubles.data(), all),
              MPI_SUCCESS);
    for (int i = 0; !idle && i < here.size - 1; ++i) expect_dense(to.data() + part * static_cast<std::size_t>(i), i);
}
#endif

// What a program attaches to a communicator is copied when it duplicates it, and not when we do something.
TEST_F(Communicators, AttributesAreCopiedByDuplicatesAlone) {
    int copies = 0, key = MPI_KEYVAL_INVALID;
    auto const count = [](MPI_Comm, int, void* counter, void* value, void* copy, int* flag) {
        ++*static_cast<int*>(counter);
        *static_cast<void**>(copy) = value;
        *flag = 1;
        return MPI_SUCCESS;
    };
    MPI_Comm_create_keyval(count, MPI_COMM_NULL_DELETE_FN, &key, &copies);
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_split(all, 0, here.rank, &own);
    MPI_Comm_set_attr(own, key, this);
    std::vector<double> to(part * static_cast<std::size_t>(here.size));
    MPI_Allgather(out.data(), 1, type.get(), to.data(), every_other::elements, MPI_DOUBLE, own);
    for (int i = 0; i < here.size; ++i) expect_dense(to.data() + part * static_cast<std::size_t>(i), i);
    EXPECT_EQ(copies, 0);
    MPI_Comm_free(&own);
    MPI_Comm_free_keyval(&key);
}

// Handlers have no argument of ours.
int errors_told = 0;
void count_error(MPI_Comm* /*where*/, int* /*code*/, ...) { // NOLINT(cert-dcl50-cpp): as MPI has it
    ++errors_told;
}

// The handler that counts is the one that the program's communicator has at the time.
TEST_F(Communicators, TruncationInACollective) {
    if (here.size == 1) GTEST_SKIP() << "Open MPI ends the job";
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(all, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_ARE_FATAL);
    auto const n = static_cast<std::size_t>(here.size);
    std::vector<int> counts(n, 1), rooms(n, every_other::elements), places(n), nowhere(n, 0);
    std::vector<MPI_Datatype> const types(n, type.get()), doubles(n, MPI_DOUBLE);
    for (std::size_t i = 0; i < n; ++i) places[i] = static_cast<int>(i * part * sizeof(double));
    counts[static_cast<std::size_t>(here.rank)] = rooms[static_cast<std::size_t>(here.rank)] = 0;
    std::vector<double> to(part * n, untouched);
    auto const exchange = [&] {
        return MPI_Alltoallw(out.data(), counts.data(), nowhere.data(), types.data(), to.data(), rooms.data(), places.data(),
                             doubles.data(), own);
    };
    EXPECT_EQ(exchange(), MPI_SUCCESS);
    MPI_Errhandler note = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(count_error, &note);
    MPI_Comm_set_errhandler(own, note);
    for (int& room : rooms) room /= 2; // what others send does not fit
    int kind = MPI_SUCCESS;
    MPI_Error_class(exchange(), &kind);
    EXPECT_EQ(kind, MPI_ERR_TRUNCATE);
    EXPECT_EQ(errors_told, 1);
    MPI_Errhandler_free(&note);
    MPI_Comm_free(&own);
}

} // namespace
} // namespace sode::internal::test
