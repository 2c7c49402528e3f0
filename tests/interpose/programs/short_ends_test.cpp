// SPDX-License-Identifier: Apache-2.0
// Short messages of derived datatypes by calls that block, so many that each end has tried both to leave them to MPI and to pack
// them itself: what comes is right whoever packs it, and whatever stands at the other end.
#include "job.hpp"
#include "short_shapes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sode::internal::test {
namespace {

constexpr int tag = 5;

class ShortEnds : public short_messages {
protected:
    /// Every rank sends to the right and receives from the left, in an order that needs no buffer.
    template <class Send, class Receive> void around(Send const& send, Receive const& receive) const {
        if (here.size == 1) return;
        bool const first = here.rank % 2 == 0 && here.rank != here.size - 1;
        if (first) send();
        receive();
        if (!first) send();
    }
    void exchange(shape const& from, shape const& to) const {
        for (int round = 0; round < rounds; ++round) {
            auto const out = told(round);
            std::vector<double> in(4'096, untouched);
            MPI_Status status{};
            bool const any = round % 3 == 0;
            around([&] { MPI_Send(out.data(), 1, from.type, here.right, tag, MPI_COMM_WORLD); },
                   [&] {
                       MPI_Recv(in.data(), 1, to.type, any ? MPI_ANY_SOURCE : here.left, any ? MPI_ANY_TAG : tag, MPI_COMM_WORLD,
                                &status);
                       int types = 0;
                       MPI_Get_count(&status, to.type, &types);
                       EXPECT_EQ(types, from.size() == to.size() ? 1 : MPI_UNDEFINED);
                       expect_status(status, from, tag);
                       EXPECT_TRUE(came(in, from, to, round));
                   });
            if (HasFailure()) break;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void exchange_once(shape const& list, int round) const {
        auto const out = told(round);
        std::vector<double> in(4'096, untouched);
        around([&] { MPI_Send(out.data(), 1, list.type, here.right, tag, MPI_COMM_WORLD); },
               [&] {
                   MPI_Recv(in.data(), 1, list.type, here.left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                   EXPECT_TRUE(came(in, list, list, round));
               });
    }
    /// With fewer ranks, as many as the first that are left alone, and a trial; with more, all rounds together are as many.
    int const rounds = here.size <= 2 ? 400 : 60;
};

TEST_F(ShortEnds, FromLayoutToLayout) {
    for (int const n : {30, 128, 500}) {
        auto const strided = every(n, 3);
        auto const list = scattered(n, 7);
        exchange(strided, strided);
        exchange(strided, list);
        exchange(list, strided);
        exchange(list, list);
    }
}

// A receive may have room for more than comes.
TEST_F(ShortEnds, LessThanThereIsRoomFor) {
    exchange(scattered(100, 1), every(257, 2));
    exchange(every(33, 2), scattered(90, 2));
}

// At the other end the same bytes may lie together, or be waited for by a request.
TEST_F(ShortEnds, WhateverTheOtherEndIs) {
    auto const list = scattered(200, 3);
    shape together;
    MPI_Type_contiguous(list.size(), MPI_DOUBLE, &together.type);
    MPI_Type_commit(&together.type);
    for (int i = 0; i < list.size(); ++i) together.places.push_back(i);
    exchange(list, together);
    exchange(together, list);
    for (int round = 0; round < rounds; ++round) {
        auto const out = told(round);
        std::vector<double> in(4'096, untouched);
        MPI_Request request = MPI_REQUEST_NULL;
        if (round % 2 == 0) {
            MPI_Irecv(in.data(), 1, list.type, here.left, tag, MPI_COMM_WORLD, &request);
            MPI_Send(out.data(), 1, list.type, here.right, tag, MPI_COMM_WORLD);
        } else {
            MPI_Isend(out.data(), 1, list.type, here.right, tag, MPI_COMM_WORLD, &request);
            MPI_Recv(in.data(), 1, list.type, here.left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        ASSERT_TRUE(came(in, list, list, round));
    }
}

// Messages that go by records come to receives that are used to short ones, and to those that make room for them.
TEST_F(ShortEnds, AmongLongMessages) {
    auto const small = scattered(300, 4);
    every_other const big;
    for (int round = 0; round < rounds / 4; ++round) {
        exchange_once(small, round);
        auto const out = told_by(here.rank, round);
        auto in = empty_array();
        MPI_Status status{};
        around([&] { MPI_Send(out.data(), 1, big.get(), here.right, tag, MPI_COMM_WORLD); },
               [&] {
                   MPI_Recv(in.data(), 1, big.get(), here.left, tag, MPI_COMM_WORLD, &status);
                   EXPECT_TRUE(came_from(in, here.left, round));
               });
    }
}

TEST_F(ShortEnds, ProbedFor) {
    auto const list = scattered(150, 5);
    for (int round = 0; round < rounds; ++round) {
        auto const out = told(round);
        std::vector<double> in(4'096, untouched);
        around([&] { MPI_Send(out.data(), 1, list.type, here.right, tag, MPI_COMM_WORLD); },
               [&] {
                   MPI_Status status{};
                   MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
                   int doubles = 0;
                   MPI_Get_count(&status, MPI_DOUBLE, &doubles);
                   EXPECT_EQ(doubles, list.size());
                   MPI_Recv(in.data(), 1, list.type, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                   EXPECT_TRUE(came(in, list, list, round));
               });
    }
}

// Types come and go, and a handle is used again for another layout.
TEST_F(ShortEnds, OfTypesThatAreMadeAnew) {
    for (int round = 0; round < rounds; ++round) {
        auto const list = scattered(40 + round % 5, static_cast<unsigned>(round % 7));
        exchange_once(list, round);
        if (HasFailure()) break;
    }
}

TEST_F(ShortEnds, Truncation) {
    if (here.size == 1) return;
    auto const list = scattered(120, 6);
    auto const less = scattered(60, 6);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < rounds; ++round) {
        auto const out = told(round);
        std::vector<double> in(4'096, untouched);
        bool const cut = round % 8 == 7;
        around([&] { MPI_Send(out.data(), 1, list.type, here.right, tag, MPI_COMM_WORLD); },
               [&] {
                   int const result =
                       MPI_Recv(in.data(), 1, cut ? less.type : list.type, here.left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                   int kind = MPI_SUCCESS;
                   MPI_Error_class(result, &kind);
                   EXPECT_EQ(kind, cut ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
                   if (!cut) {
                       EXPECT_TRUE(came(in, list, list, round));
                   }
               });
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

} // namespace
} // namespace sode::internal::test
