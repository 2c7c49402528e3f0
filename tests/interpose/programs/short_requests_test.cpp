// SPDX-License-Identifier: Apache-2.0
// Short messages of derived datatypes by requests, so many that each end has found out whether it packs them itself: what comes is
// right however the request is completed, and whatever stands at the other end.
#include "short_shapes.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>

namespace sode::internal::test {
namespace {

constexpr int tag = 6;

/// Completes both requests; `status` is that of the first, the receive.
using completion = std::function<void(std::array<MPI_Request, 2>& both, MPI_Status& status)>;

/// `some` is MPI_Waitsome or MPI_Testsome.
completion by_some(int (*some)(int, MPI_Request*, int*, int*, MPI_Status*)) {
    return [some](auto& both, auto& status) {
        for (int over = 0; over < 2;) {
            int count = 0;
            std::array<int, 2> indices{};
            std::array<MPI_Status, 2> statuses{};
            some(2, both.data(), &count, indices.data(), statuses.data());
            for (int i = 0; i < count; ++i)
                if (indices[static_cast<std::size_t>(i)] == 0) status = statuses[static_cast<std::size_t>(i)];
            over += count;
        }
    };
}

std::vector<completion> completions() {
    return {
        [](auto& both, auto& status) {
            MPI_Wait(&both[0], &status);
            MPI_Wait(&both[1], MPI_STATUS_IGNORE);
        },
        [](auto& both, auto& status) {
            std::array<MPI_Status, 2> statuses{};
            MPI_Waitall(2, both.data(), statuses.data());
            status = statuses[0];
        },
        [](auto& both, auto& status) {
            for (int flag = 0; flag == 0;) MPI_Test(&both[0], &flag, &status);
            for (int flag = 0; flag == 0;) MPI_Test(&both[1], &flag, MPI_STATUS_IGNORE);
        },
        [](auto& both, auto& status) {
            std::array<MPI_Status, 2> statuses{};
            for (int flag = 0; flag == 0;) MPI_Testall(2, both.data(), &flag, statuses.data());
            status = statuses[0];
        },
        [](auto& both, auto& status) {
            for (int i = 0; i < 2; ++i) {
                int index = -1;
                MPI_Status one{};
                MPI_Waitany(2, both.data(), &index, &one);
                if (index == 0) status = one;
            }
        },
        [](auto& both, auto& status) {
            for (int over = 0; over < 2;) {
                int index = -1, flag = 0;
                MPI_Status one{};
                MPI_Testany(2, both.data(), &index, &flag, &one);
                if (flag != 0 && index == 0) status = one;
                if (flag != 0) ++over;
            }
        },
        by_some(MPI_Waitsome),
        by_some(MPI_Testsome),
        [](auto& both, auto& status) {
            for (int flag = 0; flag == 0;) MPI_Request_get_status(both[0], &flag, &status);
            MPI_Status again{};
            MPI_Wait(&both[0], &again);
            EXPECT_EQ(again.MPI_SOURCE, status.MPI_SOURCE);
            MPI_Wait(&both[1], MPI_STATUS_IGNORE);
        },
        [](auto& both, auto& status) { // what is sent lives on
            MPI_Wait(&both[0], &status);
            MPI_Request_free(&both[1]);
        },
    };
}

class ShortRequests : public short_messages {
protected:
    void exchange(shape const& from, shape const& to) const {
        auto const ways = completions();
        std::vector<std::vector<double>> kept; // of freed requests, nobody knows when they are over
        for (int round = 0; round < rounds; ++round) {
            kept.push_back(told(round));
            std::vector<double> const& out = kept.back();
            std::vector<double> in(4'096, untouched);
            bool const any = round % 5 == 0;
            std::array<MPI_Request, 2> both{};
            MPI_Irecv(in.data(), 1, to.type, any ? MPI_ANY_SOURCE : here.left, any ? MPI_ANY_TAG : tag, MPI_COMM_WORLD,
                      both.data());
            MPI_Isend(out.data(), 1, from.type, here.right, tag, MPI_COMM_WORLD, &both[1]);
            MPI_Status status{};
            ways[static_cast<std::size_t>(round) % ways.size()](both, status);
            expect_status(status, from, tag);
            ASSERT_TRUE(came(in, from, to, round));
            if (any) MPI_Barrier(MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    /// Messages of `list`, each sent by `send(buffer, round)` while a receive by request is under way.
    template <class Send> void receive_by_request(shape const& list, Send const& send) const {
        for (int round = 0; round < rounds; ++round) {
            auto const out = told(round);
            std::vector<double> in(4'096, untouched);
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Status status{};
            MPI_Irecv(in.data(), 1, list.type, here.left, tag, MPI_COMM_WORLD, &request);
            send(out.data(), round);
            MPI_Wait(&request, &status);
            expect_status(status, list, tag);
            ASSERT_TRUE(came(in, list, list, round));
        }
    }
    int const rounds = here.size <= 2 ? 400 : 120;
};

TEST_F(ShortRequests, HoweverTheyAreCompleted) {
    for (int const n : {40, 300, 900}) {
        auto const strided = every(n, 3);
        auto const list = scattered(n, 7);
        exchange(strided, list);
        exchange(list, strided);
    }
}

TEST_F(ShortRequests, LessThanThereIsRoomFor) {
    exchange(scattered(150, 1), every(257, 2));
    exchange(every(133, 2), scattered(290, 2));
}

// More than MPI has buffers for: some are not over when MPI_Isend returns.
TEST_F(ShortRequests, MoreThanFitIntoBuffers) {
    constexpr int messages = 700;
    auto const list = scattered(400, 3);
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<std::vector<double>> out, in;
        std::vector<MPI_Request> sends(messages), receives(messages);
        for (int m = 0; m < messages; ++m) {
            out.push_back(told(m));
            in.emplace_back(4'096, untouched);
        }
        for (std::size_t m = 0; m < messages; ++m)
            MPI_Isend(out[m].data(), 1, list.type, here.right, tag, MPI_COMM_WORLD, &sends[m]);
        for (std::size_t m = 0; m < messages; ++m)
            MPI_Irecv(in[m].data(), 1, list.type, here.left, tag, MPI_COMM_WORLD, &receives[m]);
        MPI_Waitall(messages, receives.data(), MPI_STATUSES_IGNORE);
        MPI_Waitall(messages, sends.data(), MPI_STATUSES_IGNORE);
        for (int m = 0; m < messages; ++m) ASSERT_TRUE(came(in[static_cast<std::size_t>(m)], list, list, m));
    }
}

TEST_F(ShortRequests, OfTypesThatAreFreedMeanwhile) {
    for (int round = 0; round < rounds; ++round) {
        auto const kept = scattered(120, 4);
        auto const out = told(round);
        std::vector<double> in(4'096, untouched);
        std::array<MPI_Request, 2> both{};
        {
            auto const list = scattered(120, 4);
            MPI_Irecv(in.data(), 1, list.type, here.left, tag, MPI_COMM_WORLD, both.data());
            MPI_Isend(out.data(), 1, list.type, here.right, tag, MPI_COMM_WORLD, &both[1]);
        }
        auto const other = every(120, 5); // may get the handle
        MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
        ASSERT_TRUE(came(in, kept, kept, round));
    }
}

TEST_F(ShortRequests, Cancelled) {
    auto const list = scattered(200, 5);
    exchange(list, list);
    for (int round = 0; round < 20; ++round) {
        std::vector<double> in(4'096, untouched);
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Status status{};
        MPI_Irecv(in.data(), 1, list.type, here.left, tag + 1, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        int cancelled = 0;
        MPI_Test_cancelled(&status, &cancelled);
        EXPECT_EQ(cancelled, 1);
        for (double const d : in) ASSERT_EQ(d, untouched);
    }
    exchange(list, list);
}

// Some of these go by records, which come into the room of a receive that expects to unpack.
TEST_F(ShortRequests, WhoeverSends) {
    for (int const n : {100, 600, 1'000}) {
        auto const list = scattered(n, 8);
        receive_by_request(list, [&](double const* out, int round) {
            MPI_Request request = MPI_REQUEST_NULL;
            switch (round % 6) {
            case 0: MPI_Send(out, 1, list.type, here.right, tag, MPI_COMM_WORLD); return;
            case 1: MPI_Issend(out, 1, list.type, here.right, tag, MPI_COMM_WORLD, &request); break;
            case 2: MPI_Isend(out, 1, list.type, here.right, tag, MPI_COMM_WORLD, &request); break;
            case 3:
                MPI_Send_init(out, 1, list.type, here.right, tag, MPI_COMM_WORLD, &request);
                MPI_Start(&request);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
                MPI_Request_free(&request);
                return;
            case 4:
                MPI_Sendrecv(out, 1, list.type, here.right, tag, nullptr, 0, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
                return;
            default: {
                std::vector<double> together(static_cast<std::size_t>(n));
                for (std::size_t i = 0; i < together.size(); ++i) together[i] = out[list.places[i]];
                MPI_Send(together.data(), n, MPI_DOUBLE, here.right, tag, MPI_COMM_WORLD);
                return;
            }
            }
            // The receiver waits for the sender on its left, which may wait for its own message: both progress.
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        });
    }
}

TEST_F(ShortRequests, WhoeverReceives) {
    auto const list = scattered(250, 9);
    std::vector<double> in(4'096, untouched);
    MPI_Request persistent = MPI_REQUEST_NULL;
    MPI_Recv_init(in.data(), 1, list.type, here.left, tag, MPI_COMM_WORLD, &persistent);
    for (int round = 0; round < rounds; ++round) {
        auto const out = told(round);
        std::fill(in.begin(), in.end(), untouched);
        MPI_Request send = MPI_REQUEST_NULL;
        if (round % 4 == 0) MPI_Start(&persistent);
        MPI_Isend(out.data(), 1, list.type, here.right, tag, MPI_COMM_WORLD, &send);
        MPI_Status status{};
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Request receive = MPI_REQUEST_NULL;
        switch (round % 4) {
        case 0: MPI_Wait(&persistent, &status); break;
        case 1: MPI_Recv(in.data(), 1, list.type, here.left, tag, MPI_COMM_WORLD, &status); break;
        case 2:
            MPI_Mprobe(here.left, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
            MPI_Imrecv(in.data(), 1, list.type, &message, &receive);
            MPI_Wait(&receive, &status);
            break;
        default:
            MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
            MPI_Irecv(in.data(), 1, list.type, status.MPI_SOURCE, tag, MPI_COMM_WORLD, &receive);
            MPI_Wait(&receive, &status);
        }
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        expect_status(status, list, tag);
        ASSERT_TRUE(came(in, list, list, round));
    }
    MPI_Request_free(&persistent);
}

TEST_F(ShortRequests, Truncation) {
    auto const list = scattered(220, 6);
    auto const less = scattered(110, 6);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < rounds; ++round) {
        auto const out = told(round);
        std::vector<double> in(4'096, untouched);
        bool const cut = round % 8 == 7;
        std::array<MPI_Request, 2> both{};
        MPI_Irecv(in.data(), 1, cut ? less.type : list.type, here.left, tag, MPI_COMM_WORLD, both.data());
        MPI_Isend(out.data(), 1, list.type, here.right, tag, MPI_COMM_WORLD, &both[1]);
        int const result = MPI_Wait(both.data(), MPI_STATUS_IGNORE);
        MPI_Wait(&both[1], MPI_STATUS_IGNORE);
        int kind = MPI_SUCCESS;
        MPI_Error_class(result, &kind);
        EXPECT_EQ(kind, cut ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        if (!cut) {
            ASSERT_TRUE(came(in, list, list, round));
        }
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

// Elements that differ in length: MPICH must not meet one that is cut in two.
TEST_F(ShortRequests, OfMixedElements) {
    struct atom {
        double place[3];
        int kind;
        char name[5];
    };
    for (int const n : {20, 100, 150, 220}) {
        std::array<int, 3> const lengths{3, 1, 5};
        std::array<MPI_Aint, 3> const starts{offsetof(atom, place), offsetof(atom, kind), offsetof(atom, name)};
        std::array<MPI_Datatype, 3> const parts{MPI_DOUBLE, MPI_INT, MPI_CHAR};
        MPI_Datatype one = MPI_DATATYPE_NULL, sized = MPI_DATATYPE_NULL, list = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(3, lengths.data(), starts.data(), parts.data(), &one);
        MPI_Type_create_resized(one, 0, sizeof(atom), &sized);
        MPI_Type_vector(n, 1, 2, sized, &list);
        MPI_Type_commit(&list);
        for (int round = 0; round < rounds; ++round) {
            std::vector<atom> out(static_cast<std::size_t>(2 * n)), in(out.size());
            std::memset(in.data(), 0, in.size() * sizeof(atom));
            for (std::size_t i = 0; i < out.size(); ++i) {
                double const d = value(here.rank, round, static_cast<int>(i));
                out[i] = {{d, d + 1, d + 2},
                          static_cast<int>(i) + round,
                          {'a', static_cast<char>(i), 'c', static_cast<char>(round), 'e'}};
            }
            std::array<MPI_Request, 2> both{};
            MPI_Irecv(in.data(), 1, list, here.left, tag, MPI_COMM_WORLD, both.data());
            if (round % 3 == 0)
                MPI_Send(out.data(), 1, list, here.right, tag, MPI_COMM_WORLD), both[1] = MPI_REQUEST_NULL;
            else
                MPI_Isend(out.data(), 1, list, here.right, tag, MPI_COMM_WORLD, &both[1]);
            MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
            for (std::size_t i = 0; i < in.size(); ++i) {
                double const d = i % 2 == 0 ? value(here.left, round, static_cast<int>(i)) : 0;
                ASSERT_EQ(in[i].place[0], d) << "atom " << i << " of " << n << ", round " << round;
                ASSERT_EQ(in[i].place[2], i % 2 == 0 ? d + 2 : 0);
                ASSERT_EQ(in[i].kind, i % 2 == 0 ? static_cast<int>(i) + round : 0);
                ASSERT_EQ(in[i].name[1], i % 2 == 0 ? static_cast<char>(i) : '\0');
                ASSERT_EQ(in[i].name[4], i % 2 == 0 ? 'e' : '\0');
            }
        }
        MPI_Type_free(&list);
        MPI_Type_free(&sized);
        MPI_Type_free(&one);
    }
}

} // namespace
} // namespace sode::internal::test
