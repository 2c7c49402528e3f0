// SPDX-License-Identifier: Apache-2.0
// Point-to-point messages of all kinds around a ring, under the layer: what arrives, and what statuses tell.
#include "job.hpp"

#include <array>

namespace sode::internal::test {
namespace {

class Messages : public ::testing::TestWithParam<int> {
protected:
    void TearDown() override { MPI_Barrier(MPI_COMM_WORLD); }
    ring const here;
    every_other const type;
    MPI_Comm const all = MPI_COMM_WORLD;
    int const round = GetParam();
    int const tag = 10 + GetParam();
    std::vector<double> out = told_by(here.rank, round);
    std::vector<double> in = empty_array();
    MPI_Status status{};
};
INSTANTIATE_TEST_SUITE_P(Again, Messages, ::testing::Range(0, 5));

TEST_P(Messages, Blocking) {
    // Even ranks first, so that it needs no buffering.
    auto const send = [&] { MPI_Send(out.data(), 1, type.get(), here.right, tag, all); };
    auto const receive = [&] {
        MPI_Recv(in.data(), 1, type.get(), MPI_ANY_SOURCE, MPI_ANY_TAG, all, &status);
        EXPECT_TRUE(came_from(in, here.left, round));
        EXPECT_TRUE(tells(status, here.left, tag));
    };
    if (here.size == 1) return;
    if (here.rank % 2 == 0) send();
    receive();
    if (here.rank % 2 == 1) send();
}

TEST_P(Messages, SynchronousAndReady) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), 1, type.get(), here.left, tag, all, &request);
    MPI_Barrier(all);
    MPI_Rsend(out.data(), 1, type.get(), here.right, tag, all);
    MPI_Wait(&request, &status);
    EXPECT_TRUE(came_from(in, here.left, round));
    EXPECT_TRUE(tells(status, here.left, tag));
    in = empty_array();
    MPI_Irecv(in.data(), 1, type.get(), here.left, tag, all, &request);
    MPI_Ssend(out.data(), 1, type.get(), here.right, tag, all);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_TRUE(came_from(in, here.left, round));
}

TEST_P(Messages, TheBufferIsFreeAfterASend) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), 1, type.get(), here.left, tag, all, &request);
    MPI_Send(out.data(), 1, type.get(), here.right, tag, all);
    std::fill(out.begin(), out.end(), 0.0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_TRUE(came_from(in, here.left, round));
}

TEST_P(Messages, AReceiverInABarrier) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), 1, type.get(), here.left, tag, all, &request);
    MPI_Send(out.data(), 1, type.get(), here.right, tag, all);
    std::fill(out.begin(), out.end(), 0.0);
    MPI_Barrier(all);
    MPI_Wait(&request, &status);
    EXPECT_TRUE(came_from(in, here.left, round));
    EXPECT_TRUE(tells(status, here.left, tag));
}

TEST_P(Messages, ASenderInABarrier) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), 1, type.get(), here.right, tag, all, &request);
    if (here.rank == 0) MPI_Barrier(all);
    MPI_Recv(in.data(), 1, type.get(), here.left, tag, all, &status);
    if (here.rank != 0) MPI_Barrier(all);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_TRUE(came_from(in, here.left, round));
}

TEST_P(Messages, ManyOutstandingInOrder) {
    constexpr std::size_t many = 6;
    constexpr int whole = static_cast<int>(many);
    std::vector<std::vector<double>> outs, ins(many, empty_array());
    std::array<MPI_Request, 2 * many> requests{};
    for (int i = 0; i < whole; ++i) outs.push_back(told_by(here.rank, i));
    // Of one tag: the order decides.
    for (std::size_t i = 0; i < many; ++i) MPI_Irecv(ins[i].data(), 1, type.get(), here.left, tag, all, &requests[i]);
    for (std::size_t i = 0; i < many; ++i) MPI_Isend(outs[i].data(), 1, type.get(), here.right, tag, all, &requests[many + i]);
    std::array<MPI_Status, 2 * many> statuses{};
    MPI_Waitall(2 * whole, requests.data(), statuses.data());
    for (std::size_t i = 0; i < many; ++i) {
        EXPECT_TRUE(came_from(ins[i], here.left, static_cast<int>(i)));
        EXPECT_TRUE(tells(statuses[i], here.left, tag));
        EXPECT_EQ(requests[i], MPI_REQUEST_NULL);
        EXPECT_EQ(requests[many + i], MPI_REQUEST_NULL);
    }
}

TEST_P(Messages, AllFormsOfWaitingAndTesting) {
    constexpr int forms = 8;
    for (int form = 0; form < forms; ++form) {
        in = empty_array();
        std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        std::array<MPI_Status, 3> statuses{};
        MPI_Irecv(in.data(), 1, type.get(), here.left, tag, all, &requests[0]);
        MPI_Isend(out.data(), 1, type.get(), here.right, tag, all, &requests[2]);
        std::array<int, 3> indices{};
        int flag = 0, index = 0, done = 0;
        switch (form) {
        case 0:
            MPI_Wait(&requests[0], &statuses[0]);
            MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
            break;
        case 1:
            while (flag == 0) MPI_Test(&requests[0], &flag, &statuses[0]);
            for (flag = 0; flag == 0;) MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
            break;
        case 2: MPI_Waitall(3, requests.data(), statuses.data()); break;
        case 3:
            while (flag == 0) MPI_Testall(3, requests.data(), &flag, statuses.data());
            break;
        case 4:
            for (int i = 0; i < 2; ++i) {
                MPI_Waitany(3, requests.data(), &index, &status);
                if (index == 0) statuses[0] = status;
            }
            MPI_Waitany(3, requests.data(), &index, &status);
            EXPECT_EQ(index, MPI_UNDEFINED);
            break;
        case 5:
            while (done < 2) {
                MPI_Testany(3, requests.data(), &index, &flag, &status);
                if (flag == 0) continue;
                ++done;
                if (index == 0) statuses[0] = status;
            }
            MPI_Testany(3, requests.data(), &index, &flag, &status);
            EXPECT_TRUE(flag != 0 && index == MPI_UNDEFINED);
            break;
        default:
            for (int some = 0; done < 2; done += some) {
                std::array<MPI_Status, 3> told{};
                if (form == 6)
                    MPI_Waitsome(3, requests.data(), &some, indices.data(), told.data());
                else
                    MPI_Testsome(3, requests.data(), &some, indices.data(), told.data());
                for (std::size_t i = 0; i < static_cast<std::size_t>(some); ++i)
                    statuses[static_cast<std::size_t>(indices[i])] = told[i];
            }
        }
        EXPECT_EQ(requests[0], MPI_REQUEST_NULL) << form;
        EXPECT_EQ(requests[2], MPI_REQUEST_NULL) << form;
        EXPECT_TRUE(came_from(in, here.left, round)) << form;
        EXPECT_TRUE(tells(statuses[0], here.left, tag)) << form;
    }
}

/// Receives of 600 doubles each, more than the layer keeps in places of their own, and the sends for them.
class many_receives {
public:
    static constexpr int many = 300, elements = 600;
    many_receives(ring const& here, int tag) : here_(here), from_(room, 0.0), into_(many, std::vector<double>(room, untouched)) {
        for (std::size_t i = 0; i < room; ++i) from_[i] = 1e6 * here.rank + static_cast<double>(i);
        for (int i = 0; i < many; ++i)
            MPI_Irecv(into_[at(i)].data(), 1, type_.get(), here.left, tag + i, MPI_COMM_WORLD, &requests[at(i)]);
        for (int i = many - 1; i >= 0; --i) // not in the order of the receives
            MPI_Isend(from_.data(), 1, type_.get(), here.right, tag + i, MPI_COMM_WORLD, &sends_[at(i)]);
    }
    ~many_receives() { MPI_Waitall(many, sends_.data(), MPI_STATUSES_IGNORE); }
    many_receives(many_receives const&) = delete;
    many_receives& operator=(many_receives const&) = delete;
    many_receives(many_receives&&) = delete;
    many_receives& operator=(many_receives&&) = delete;

    [[nodiscard]] ::testing::AssertionResult has_come(int i, MPI_Status const& status, int tag) const {
        int vectors = -1;
        MPI_Get_count(&status, type_.get(), &vectors);
        if (requests[at(i)] != MPI_REQUEST_NULL || vectors != 1 || status.MPI_SOURCE != here_.left || status.MPI_TAG != tag + i)
            return ::testing::AssertionFailure() << "receive " << i << ": " << vectors << " vectors, tag " << status.MPI_TAG;
        return came_from(into_[at(i)], here_.left, 0, elements);
    }
    std::array<MPI_Request, many> requests{};

private:
    static constexpr std::size_t room = 2 * elements;
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    ring const& here_;
    every_other const type_{elements};
    std::vector<double> from_;
    std::vector<std::vector<double>> into_;
    std::array<MPI_Request, many> sends_{};
};

TEST_P(Messages, MoreReceivesThanPlacesForThem) {
    constexpr int many = many_receives::many;
    for (int form = 0; form < 5; ++form) {
        many_receives all_of_them{here, tag};
        auto& requests = all_of_them.requests;
        std::array<MPI_Status, many> statuses{};
        std::array<int, many> indices{};
        int flag = 0, index = 0, some = 0;
        if (form == 0) {
            while (flag == 0) MPI_Testall(many, requests.data(), &flag, statuses.data());
            for (int i = 0; i < many; ++i) EXPECT_TRUE(all_of_them.has_come(i, statuses[static_cast<std::size_t>(i)], tag));
            continue;
        }
        for (int over = 0; over < many; over += some) {
            some = 1;
            switch (form) {
            case 1: MPI_Waitany(many, requests.data(), indices.data(), statuses.data()); break;
            case 2: MPI_Testany(many, requests.data(), indices.data(), &some, statuses.data()); break;
            case 3: MPI_Waitsome(many, requests.data(), &some, indices.data(), statuses.data()); break;
            default: MPI_Testsome(many, requests.data(), &some, indices.data(), statuses.data());
            }
            ASSERT_GE(some, 0) << form;
            for (std::size_t i = 0; i < static_cast<std::size_t>(some); ++i)
                ASSERT_TRUE(all_of_them.has_come(indices[i], statuses[i], tag)) << form;
        }
        MPI_Waitany(many, requests.data(), &index, &status);
        EXPECT_EQ(index, MPI_UNDEFINED) << form;
    }
}

TEST_P(Messages, GetStatusLeavesTheRequest) {
    MPI_Request request = MPI_REQUEST_NULL, sent = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), 1, type.get(), here.left, tag, all, &request);
    MPI_Isend(out.data(), 1, type.get(), here.right, tag, all, &sent);
    int flag = 0;
    while (flag == 0) MPI_Request_get_status(request, &flag, &status);
    EXPECT_TRUE(tells(status, here.left, tag));
    EXPECT_TRUE(came_from(in, here.left, round));
    EXPECT_NE(request, MPI_REQUEST_NULL);
    MPI_Wait(&request, &status);
    EXPECT_TRUE(tells(status, here.left, tag));
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

TEST_P(Messages, FreedRequestsAndTypes) {
    MPI_Request request = MPI_REQUEST_NULL, sent = MPI_REQUEST_NULL;
    {
        every_other const passing; // freed while its messages are under way
        MPI_Irecv(in.data(), 1, passing.get(), here.left, tag, all, &request);
        MPI_Isend(out.data(), 1, passing.get(), here.right, tag, all, &sent);
    }
    MPI_Request_free(&sent);
    EXPECT_EQ(sent, MPI_REQUEST_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_TRUE(came_from(in, here.left, round));
    MPI_Barrier(all); // now everything has been sent
}

TEST_P(Messages, Exchanges) {
    MPI_Sendrecv(out.data(), 1, type.get(), here.right, tag, in.data(), 1, type.get(), here.left, tag, all, &status);
    EXPECT_TRUE(came_from(in, here.left, round));
    EXPECT_TRUE(tells(status, here.left, tag));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = i % 2 == 0 ? out[i] : untouched;
    MPI_Sendrecv_replace(in.data(), 1, type.get(), here.right, tag, here.left, tag, all, &status);
    EXPECT_TRUE(came_from(in, here.left, round));
    EXPECT_TRUE(tells(status, here.left, tag));
}

TEST_P(Messages, IntoAnotherLayout) {
    std::vector<double> dense(every_other::elements, untouched);
    MPI_Sendrecv(out.data(), 1, type.get(), here.right, tag, dense.data(), every_other::elements, MPI_DOUBLE, here.left, tag, all,
                 &status);
    for (std::size_t i = 0; i < dense.size(); ++i)
        ASSERT_EQ(dense[i], 1e6 * here.left + 2.0 * static_cast<double>(i) + 1e9 * round);
    std::vector<double> mine(every_other::elements);
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = out[2 * i];
    MPI_Sendrecv(mine.data(), every_other::elements, MPI_DOUBLE, here.right, tag, in.data(), 1, type.get(), here.left, tag, all,
                 &status);
    EXPECT_TRUE(came_from(in, here.left, round));
}

TEST_P(Messages, LessThanThereIsRoomFor) {
    constexpr int fewer = 12345;
    every_other const some{fewer};
    MPI_Sendrecv(out.data(), 1, some.get(), here.right, tag, in.data(), 1, type.get(), here.left, tag, all, &status);
    EXPECT_TRUE(came_from(in, here.left, round, fewer));
    EXPECT_TRUE(tells(status, here.left, tag, fewer));
}

TEST_P(Messages, MoreThanThereIsRoomFor) {
    if (here.size == 1) GTEST_SKIP() << "a message to oneself is MPI's affair, and Open MPI ends the job";
    // The last two have no room for a record; the sender goes on all the same.
    for (int const room : {10000, 100, 5, 1}) {
        std::vector<double> few(static_cast<std::size_t>(room) + 1, untouched);
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(few.data(), room, MPI_DOUBLE, here.left, tag, all, &request);
        MPI_Send(out.data(), 1, type.get(), here.right, tag, all);
        int const result = MPI_Wait(&request, &status);
        int kind = MPI_SUCCESS;
        MPI_Error_class(result, &kind);
        EXPECT_EQ(kind, MPI_ERR_TRUNCATE) << room;
        EXPECT_EQ(few.back(), untouched) << room;
        MPI_Barrier(all);
    }
}

TEST_P(Messages, TruncationAmongOthers) {
    if (here.size == 1) GTEST_SKIP() << "a message to oneself is MPI's affair";
    std::array<MPI_Request, 2> requests{};
    std::array<MPI_Status, 2> statuses{};
    std::vector<double> few(100, untouched);
    MPI_Irecv(few.data(), 100, MPI_DOUBLE, here.left, tag, all, &requests[0]);
    MPI_Irecv(in.data(), 1, type.get(), here.left, tag, all, &requests[1]);
    MPI_Send(out.data(), 1, type.get(), here.right, tag, all);
    MPI_Send(out.data(), 1, type.get(), here.right, tag, all);
    int kind = MPI_SUCCESS;
    MPI_Error_class(MPI_Waitall(2, requests.data(), statuses.data()), &kind);
    EXPECT_EQ(kind, MPI_ERR_IN_STATUS);
    MPI_Error_class(statuses[0].MPI_ERROR, &kind);
    EXPECT_EQ(kind, MPI_ERR_TRUNCATE);
    MPI_Error_class(statuses[1].MPI_ERROR, &kind);
    if (kind == MPI_ERR_PENDING) // as MPICH does with messages of its own
        EXPECT_EQ(MPI_Wait(&requests[1], MPI_STATUS_IGNORE), MPI_SUCCESS);
    else
        EXPECT_EQ(kind, MPI_SUCCESS);
    EXPECT_EQ(requests[1], MPI_REQUEST_NULL);
    EXPECT_TRUE(came_from(in, here.left, round));
}

// The first ones may go by MPI, the later ones need not; whoever receives cannot know which.
TEST_P(Messages, OfOneDatatypeAgainAndAgain) {
    every_other const another;
    for (int i = 0; i < 40; ++i) {
        std::fill(in.begin(), in.end(), untouched);
        auto const fresh = told_by(here.rank, i);
        std::copy(fresh.begin(), fresh.end(), out.begin());
        MPI_Request request = MPI_REQUEST_NULL;
        {
            every_other const passing; // freed before the message has come
            MPI_Datatype const into = i % 3 == 0 ? passing.get() : i % 3 == 1 ? another.get() : type.get();
            MPI_Irecv(in.data(), 1, into, here.left, tag, all, &request);
        }
        MPI_Send(out.data(), 1, type.get(), here.right, tag, all);
        MPI_Wait(&request, &status);
        ASSERT_TRUE(came_from(in, here.left, i)) << i;
        EXPECT_TRUE(tells(status, here.left, tag));
    }
}

TEST_P(Messages, Persistent) {
    std::array<MPI_Request, 2> requests{};
    {
        every_other const passing; // captured when the requests were made
        MPI_Recv_init(in.data(), 1, passing.get(), here.left, tag, all, &requests[0]);
        MPI_Send_init(out.data(), 1, passing.get(), here.right, tag, all, &requests[1]);
    }
    for (int start = 0; start < 4; ++start) {
        std::fill(in.begin(), in.end(), untouched);
        auto const fresh = told_by(here.rank, start);
        std::copy(fresh.begin(), fresh.end(), out.begin());
        if (start % 2 == 0) {
            MPI_Startall(2, requests.data());
        } else {
            MPI_Start(&requests[0]);
            MPI_Start(&requests[1]);
        }
        std::array<MPI_Status, 2> statuses{};
        MPI_Waitall(2, requests.data(), statuses.data());
        EXPECT_TRUE(came_from(in, here.left, start));
        EXPECT_TRUE(tells(statuses[0], here.left, tag));
        EXPECT_NE(requests[0], MPI_REQUEST_NULL);
    }
    MPI_Wait(&requests[0], &status); // inactive: at once
    for (MPI_Request& r : requests) MPI_Request_free(&r);
}

TEST_P(Messages, NobodyAndOneself) {
    MPI_Send(out.data(), 1, type.get(), MPI_PROC_NULL, tag, all);
    MPI_Recv(in.data(), 1, type.get(), MPI_PROC_NULL, tag, all, &status);
    EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), 1, type.get(), here.rank, tag, all, &request);
    MPI_Send(out.data(), 1, type.get(), here.rank, tag, all);
    MPI_Wait(&request, &status);
    EXPECT_TRUE(came_from(in, here.rank, round));
    MPI_Sendrecv(out.data(), 0, type.get(), here.right, tag, in.data(), 1, type.get(), here.left, tag, all, &status);
    int count = -1;
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    EXPECT_EQ(count, 0);
}

TEST_P(Messages, OtherCommunicators) {
    MPI_Comm turned = MPI_COMM_NULL, twin = MPI_COMM_NULL;
    MPI_Comm_split(all, 0, -here.rank, &turned);
    MPI_Comm_dup(turned, &twin);
    int rank = 0;
    MPI_Comm_rank(twin, &rank);
    EXPECT_EQ(rank, here.size - 1 - here.rank);
    // To the right there is to the left here.
    MPI_Sendrecv(out.data(), 1, type.get(), (rank + 1) % here.size, tag, in.data(), 1, type.get(),
                 (rank + here.size - 1) % here.size, tag, twin, &status);
    EXPECT_TRUE(came_from(in, here.right, round));
    EXPECT_TRUE(tells(status, (rank + here.size - 1) % here.size, tag));
    MPI_Comm_free(&twin);
    MPI_Comm_free(&turned);
}

TEST_P(Messages, AbsoluteAddresses) {
    auto const absolute = [this](double* data) {
        MPI_Aint at = 0;
        MPI_Get_address(data, &at);
        int const one = 1;
        MPI_Datatype made = MPI_DATATYPE_NULL, element = type.get();
        MPI_Type_create_struct(1, &one, &at, &element, &made);
        MPI_Type_commit(&made);
        return made;
    };
    MPI_Datatype from = absolute(out.data()), to = absolute(in.data());
    MPI_Sendrecv(MPI_BOTTOM, 1, from, here.right, tag, MPI_BOTTOM, 1, to, here.left, tag, all, &status);
    EXPECT_TRUE(came_from(in, here.left, round));
    MPI_Type_free(&from);
    MPI_Type_free(&to);
}

TEST_P(Messages, Cancelled) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), 1, type.get(), here.left, 999, all, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    int cancelled = 0;
    MPI_Test_cancelled(&status, &cancelled);
    EXPECT_NE(cancelled, 0);
}

} // namespace
} // namespace sode::internal::test
