// SPDX-License-Identifier: Apache-2.0
// Statuses and requests as the standard has them: of all calls that complete something or probe, on every path. They run on MPI
// alone, too: what they expect is not the layer's.
#include "statuses.hpp"

#include <string>

namespace sode::internal::test {
namespace {

/// What a message holds: so many doubles, from every other place or without gaps. 8 and 11 are as long as a record.
struct content {
    int doubles;
    bool gaps;
};
constexpr std::array contents{content{0, false}, content{1, false},    content{8, false},
                              content{11, true}, content{20000, true}, content{20000, false}};

enum class origin { irecv, wildcards, persistent, probed, matched };
constexpr std::array origins{origin::irecv, origin::wildcards, origin::persistent, origin::probed, origin::matched};

class Statuses : public ::testing::Test {
protected:
    void TearDown() override { MPI_Barrier(all); }

    /// Begins to send this rank's data to the right.
    MPI_Request send(content const& c, int tag) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (!c.gaps) {
            MPI_Isend(dense.data(), c.doubles, MPI_DOUBLE, here.right, tag, all, &request);
        } else {
            every_other const some{c.doubles};
            MPI_Isend(out.data(), 1, some.get(), here.right, tag, all, &request);
        }
        return request;
    }
    /// A request that receives that from the left: errors come when it is completed, not before.
    MPI_Request receive(origin from, int tag, MPI_Datatype into) {
        std::fill(in.begin(), in.end(), untouched);
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Status told = marked();
        if (from == origin::persistent) {
            MPI_Recv_init(in.data(), 1, into, here.left, tag, all, &request);
            EXPECT_EQ(MPI_Start(&request), MPI_SUCCESS);
        } else if (from == origin::matched) {
            MPI_Message message = MPI_MESSAGE_NULL;
            MPI_Mprobe(here.left, tag, all, &message, &told);
            EXPECT_TRUE(error_left_alone_by_probe(told));
            EXPECT_EQ(MPI_Imrecv(in.data(), 1, into, &message, &request), MPI_SUCCESS);
            EXPECT_EQ(message, MPI_MESSAGE_NULL);
        } else {
            if (from == origin::probed) MPI_Probe(here.left, tag, all, &told);
            EXPECT_TRUE(error_left_alone_by_probe(told));
            bool const any = from == origin::wildcards;
            EXPECT_EQ(MPI_Irecv(in.data(), 1, into, any ? MPI_ANY_SOURCE : here.left, any ? MPI_ANY_TAG : tag, all, &request),
                      MPI_SUCCESS);
        }
        return request;
    }
    void expect_message(MPI_Status const& status, content const& c, int tag) {
        EXPECT_TRUE(tells(status, here.left, tag, c.doubles));
        EXPECT_FALSE(is_cancelled(status));
        EXPECT_TRUE(came_from(in, here.left, 0, c.doubles));
    }

    ring const here;
    every_other const type;
    MPI_Comm const all = MPI_COMM_WORLD;
    std::vector<double> const out = told_by(here.rank);
    std::vector<double> const dense = [this] {
        std::vector<double> d(every_other::elements);
        for (std::size_t i = 0; i < d.size(); ++i) d[i] = out[2 * i];
        return d;
    }();
    std::vector<double> in = empty_array();
};

/// The combinations by name: where a failure is.
#define SODE_SCOPE(how, from, c)                                                                                                   \
    SCOPED_TRACE("way " + std::to_string(static_cast<int>(how)) + ", origin " + std::to_string(static_cast<int>(from)) + ", " +    \
                 std::to_string((c).doubles) + ((c).gaps ? " doubles with gaps" : " doubles"))

TEST_F(Statuses, OfReceives) {
    for (content const& c : contents)
        for (origin const from : origins)
            for (way const how : all_ways) {
                if (!c.gaps && how != way::wait && how != way::waitall) continue; // enough of what is left to MPI
                SODE_SCOPE(how, from, c);
                MPI_Request sent = send(c, 5), request = receive(from, 5, type.get());
                MPI_Status status = marked();
                EXPECT_EQ(finish(how, request, status), MPI_SUCCESS);
                expect_message(status, c, 5);
                EXPECT_TRUE(error_left_alone(how, status)) << status.MPI_ERROR;
                EXPECT_EQ(request != MPI_REQUEST_NULL, from == origin::persistent);
                if (from == origin::persistent) MPI_Request_free(&request);
                MPI_Wait(&sent, MPI_STATUS_IGNORE);
            }
}

TEST_F(Statuses, Ignored) {
    content const c = contents[4];
    for (origin const from : origins)
        for (bool const several : {false, true}) {
            MPI_Request sent = send(c, 5), request = receive(from, 5, type.get());
            EXPECT_EQ(several ? MPI_Waitall(1, &request, MPI_STATUSES_IGNORE) : MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
            EXPECT_TRUE(came_from(in, here.left));
            if (from == origin::persistent) MPI_Request_free(&request);
            MPI_Wait(&sent, MPI_STATUS_IGNORE);
        }
    MPI_Request sent = send(c, 5);
    MPI_Probe(here.left, 5, all, MPI_STATUS_IGNORE);
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Mprobe(here.left, 5, all, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in.data(), 1, type.get(), &message, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

TEST_F(Statuses, OfBlockingReceives) {
    for (content const& c : contents)
        for (int form = 0; form < 5; ++form) {
            SODE_SCOPE(way::wait, origin::irecv, c);
            SCOPED_TRACE("form " + std::to_string(form));
            std::fill(in.begin(), in.end(), untouched);
            MPI_Request sent = send(c, 5);
            MPI_Status status = marked();
            MPI_Message message = MPI_MESSAGE_NULL;
            double const mine = here.rank;
            double theirs = untouched;
            switch (form) {
            case 0: MPI_Recv(in.data(), 1, type.get(), MPI_ANY_SOURCE, 5, all, &status); break;
            case 1:
                MPI_Probe(MPI_ANY_SOURCE, 5, all, &status);
                status = marked();
                MPI_Recv(in.data(), 1, type.get(), here.left, MPI_ANY_TAG, all, &status);
                break;
            case 2:
                MPI_Mprobe(here.left, 5, all, &message, &status);
                status = marked();
                MPI_Mrecv(in.data(), 1, type.get(), &message, &status);
                EXPECT_EQ(message, MPI_MESSAGE_NULL);
                break;
            default:
                if (form == 4) MPI_Probe(here.left, 5, all, MPI_STATUS_IGNORE);
                MPI_Sendrecv(&mine, 1, MPI_DOUBLE, here.right, 6, in.data(), 1, type.get(), here.left, 5, all, &status);
                MPI_Recv(&theirs, 1, MPI_DOUBLE, here.left, 6, all, MPI_STATUS_IGNORE);
            }
            expect_message(status, c, 5);
            EXPECT_EQ(status.MPI_ERROR, mark);
            MPI_Wait(&sent, MPI_STATUS_IGNORE);
        }
}

TEST_F(Statuses, OfProbes) {
    for (content const& c : contents)
        for (int form = 0; form < 4; ++form) {
            SODE_SCOPE(way::wait, origin::probed, c);
            SCOPED_TRACE("form " + std::to_string(form));
            std::fill(in.begin(), in.end(), untouched);
            MPI_Request sent = send(c, 5);
            MPI_Message message = MPI_MESSAGE_NULL;
            for (int again = 0; again < (form < 2 ? 2 : 1); ++again) {
                MPI_Status status = marked();
                int flag = 0;
                if (form == 0) MPI_Probe(here.left, 5, all, &status);
                while (form == 1 && flag == 0) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, all, &flag, &status);
                if (form == 2) MPI_Mprobe(MPI_ANY_SOURCE, 5, all, &message, &status);
                while (form == 3 && flag == 0) MPI_Improbe(here.left, MPI_ANY_TAG, all, &flag, &message, &status);
                EXPECT_TRUE(tells(status, here.left, 5, c.doubles));
                EXPECT_TRUE(error_left_alone_by_probe(status));
            }
            EXPECT_EQ(message != MPI_MESSAGE_NULL, form >= 2);
            MPI_Status status = marked();
            if (form < 2)
                MPI_Recv(in.data(), 1, type.get(), here.left, 5, all, &status);
            else
                MPI_Mrecv(in.data(), 1, type.get(), &message, &status);
            expect_message(status, c, 5);
            MPI_Wait(&sent, MPI_STATUS_IGNORE);
        }
}

TEST_F(Statuses, OfSends) {
    std::array const inits{&MPI_Send_init, &MPI_Ssend_init, &MPI_Rsend_init};
    std::array const sends{&MPI_Isend, &MPI_Issend, &MPI_Irsend};
    for (std::size_t mode = 0; mode < sends.size(); ++mode)
        for (bool const persistent : {false, true})
            for (way const how : all_ways) {
                SODE_SCOPE(how, origin::irecv, contents[4]);
                SCOPED_TRACE("mode " + std::to_string(mode) + (persistent ? ", persistent" : ""));
                MPI_Request came = receive(origin::irecv, 5, type.get()), request = MPI_REQUEST_NULL;
                MPI_Barrier(all);
                (persistent ? inits : sends)[mode](out.data(), 1, type.get(), here.right, 5, all, &request);
                if (persistent) MPI_Start(&request);
                MPI_Status status = marked();
                EXPECT_EQ(finish(how, request, status), MPI_SUCCESS);
                EXPECT_FALSE(is_cancelled(status));
                EXPECT_TRUE(error_left_alone(how, status)) << status.MPI_ERROR;
                EXPECT_EQ(request != MPI_REQUEST_NULL, persistent);
                if (persistent) MPI_Request_free(&request);
                EXPECT_EQ(MPI_Wait(&came, &status), MPI_SUCCESS);
                expect_message(status, contents[4], 5);
            }
}

/// What calls tell that have nothing to complete.
void expect_nothing_in(MPI_Request request) {
    MPI_Request const before = request;
    std::array requests{MPI_REQUEST_NULL, request};
    std::array statuses{marked(), marked()};
    std::array indices{mark, mark};
    MPI_Status status = marked();
    int flag = 0, index = mark;
    EXPECT_EQ(MPI_Wait(&request, &status), MPI_SUCCESS);
    EXPECT_TRUE(is_empty(status));
    status = marked();
    EXPECT_EQ(MPI_Test(&request, &flag, &status), MPI_SUCCESS);
    EXPECT_NE(flag, 0);
    EXPECT_TRUE(is_empty(status));
    status = marked();
    flag = 0;
    EXPECT_EQ(MPI_Request_get_status(request, &flag, &status), MPI_SUCCESS);
    EXPECT_NE(flag, 0);
    EXPECT_TRUE(is_empty(status));
    status = marked();
    EXPECT_EQ(MPI_Waitany(2, requests.data(), &index, &status), MPI_SUCCESS);
    EXPECT_EQ(index, MPI_UNDEFINED);
    EXPECT_TRUE(is_empty(status));
    status = marked();
    index = flag = 0;
    EXPECT_EQ(MPI_Testany(2, requests.data(), &index, &flag, &status), MPI_SUCCESS);
    EXPECT_NE(flag, 0);
    EXPECT_EQ(index, MPI_UNDEFINED);
#if defined(OPEN_MPI) // MPICH 4.0 writes none, of inactive ones
    EXPECT_TRUE(is_empty(status));
#endif
    for (auto const some : {&MPI_Waitsome, &MPI_Testsome}) {
        int done = mark;
        EXPECT_EQ(some(2, requests.data(), &done, indices.data(), statuses.data()), MPI_SUCCESS);
        EXPECT_EQ(done, MPI_UNDEFINED);
    }
    EXPECT_EQ(MPI_Waitall(2, requests.data(), statuses.data()), MPI_SUCCESS);
    EXPECT_TRUE(is_empty(statuses[0]) && is_empty(statuses[1]));
    statuses = {marked(), marked()};
    flag = 0;
    EXPECT_EQ(MPI_Testall(2, requests.data(), &flag, statuses.data()), MPI_SUCCESS);
    EXPECT_NE(flag, 0);
    EXPECT_TRUE(is_empty(statuses[0]) && is_empty(statuses[1]));
    EXPECT_EQ(request, before);
    EXPECT_EQ(requests[1], before);
}

TEST_F(Statuses, OfNullAndInactiveRequests) {
    expect_nothing_in(MPI_REQUEST_NULL);
    MPI_Request sends = MPI_REQUEST_NULL, receives = MPI_REQUEST_NULL;
    MPI_Send_init(out.data(), 1, type.get(), here.right, 5, all, &sends);
    MPI_Recv_init(in.data(), 1, type.get(), here.left, 5, all, &receives);
    for (int round = 0; round < 3; ++round) { // never started, and after they have been over
        expect_nothing_in(sends);
        expect_nothing_in(receives);
        std::fill(in.begin(), in.end(), untouched);
        MPI_Start(&receives);
        MPI_Start(&sends);
        MPI_Status status = marked();
        MPI_Wait(&receives, &status);
        expect_message(status, contents[4], 5);
        MPI_Wait(&sends, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&sends);
    MPI_Request_free(&receives);
    EXPECT_EQ(sends, MPI_REQUEST_NULL);
    EXPECT_EQ(receives, MPI_REQUEST_NULL);
}

TEST_F(Statuses, OfNobody) {
    auto const expect_nobody = [](MPI_Status const& status) {
        int bytes = -1;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
        EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
        EXPECT_EQ(bytes, 0);
    };
#if defined(OPEN_MPI) // MPICH 4.0 tells source and tag 0, or nothing
    for (way const how : all_ways) {
        SODE_SCOPE(how, origin::irecv, contents[4]);
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Status status = marked();
        MPI_Irecv(in.data(), 1, type.get(), MPI_PROC_NULL, 5, all, &request);
        EXPECT_EQ(finish(how, request, status), MPI_SUCCESS);
        expect_nobody(status);
        MPI_Isend(out.data(), 1, type.get(), MPI_PROC_NULL, 5, all, &request);
        EXPECT_EQ(finish(how, request, status), MPI_SUCCESS);
    }
#endif
    for (int form = 0; form < 6; ++form) {
        SCOPED_TRACE("form " + std::to_string(form));
        MPI_Status status = marked();
        MPI_Message message = MPI_MESSAGE_NULL;
        int flag = 1;
        switch (form) {
        case 0: MPI_Recv(in.data(), 1, type.get(), MPI_PROC_NULL, 5, all, &status); break;
        case 1:
            MPI_Sendrecv(out.data(), 1, type.get(), MPI_PROC_NULL, 5, in.data(), 1, type.get(), MPI_PROC_NULL, 5, all, &status);
            break;
        case 2: MPI_Probe(MPI_PROC_NULL, 5, all, &status); break;
        case 3: MPI_Iprobe(MPI_PROC_NULL, 5, all, &flag, &status); break;
        case 4: MPI_Mprobe(MPI_PROC_NULL, 5, all, &message, &status); break;
        default: MPI_Improbe(MPI_PROC_NULL, 5, all, &flag, &message, &status);
        }
        EXPECT_NE(flag, 0);
        expect_nobody(status);
        if (form < 4) continue;
        EXPECT_EQ(message, MPI_MESSAGE_NO_PROC);
        status = marked();
        MPI_Mrecv(in.data(), 1, type.get(), &message, &status);
        EXPECT_EQ(message, MPI_MESSAGE_NULL);
        expect_nobody(status);
    }
    EXPECT_TRUE(in == empty_array());
}

TEST_F(Statuses, OfCancelledReceives) {
    for (bool const persistent : {false, true})
        for (way const how : all_ways) {
            SODE_SCOPE(how, origin::irecv, contents[4]);
            MPI_Request request = receive(persistent ? origin::persistent : origin::irecv, 99, type.get()); // which nobody sends
            EXPECT_EQ(MPI_Cancel(&request), MPI_SUCCESS);
            MPI_Status status = marked();
            EXPECT_EQ(finish(how, request, status), MPI_SUCCESS);
            EXPECT_TRUE(is_cancelled(status));
            EXPECT_EQ(request != MPI_REQUEST_NULL, persistent);
            if (persistent) MPI_Request_free(&request);
        }
    EXPECT_TRUE(in == empty_array());
}

// What has come cannot be cancelled any more.
TEST_F(Statuses, OfReceivesThatAreCancelledTooLate) {
    for (content const& c : contents)
        for (origin const from : {origin::irecv, origin::probed, origin::matched}) {
            SODE_SCOPE(way::wait, from, c);
            MPI_Request sent = send(c, 5), request = receive(from, 5, type.get());
            for (int flag = 0; flag == 0;) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
            EXPECT_EQ(MPI_Cancel(&request), MPI_SUCCESS);
            MPI_Status status = marked();
            EXPECT_EQ(MPI_Wait(&request, &status), MPI_SUCCESS);
            expect_message(status, c, 5);
            MPI_Wait(&sent, MPI_STATUS_IGNORE);
        }
}

// Either the send was cancelled and nothing comes, or it was not and the message comes.
TEST_F(Statuses, OfCancelledSends) {
    for (auto const send_by : {&MPI_Isend, &MPI_Issend})
        for (bool const late : {false, true}) {
            MPI_Request request = MPI_REQUEST_NULL;
            if (late) request = receive(origin::irecv, 5, type.get());
            MPI_Request sent = MPI_REQUEST_NULL;
            send_by(out.data(), 1, type.get(), here.right, 5, all, &sent);
            MPI_Cancel(&sent);
            MPI_Status status = marked();
            if (!late) request = receive(origin::irecv, 5, type.get());
            MPI_Wait(&sent, &status);
            int mine = is_cancelled(status) ? 1 : 0, theirs = -1;
            MPI_Sendrecv(&mine, 1, MPI_INT, here.right, 6, &theirs, 1, MPI_INT, here.left, 6, all, MPI_STATUS_IGNORE);
            if (theirs == 1) MPI_Cancel(&request);
            status = marked();
            MPI_Wait(&request, &status);
            EXPECT_EQ(is_cancelled(status), theirs == 1);
            if (theirs == 0) expect_message(status, contents[4], 5);
            MPI_Barrier(all);
        }
}

TEST_F(Statuses, Truncation) {
    every_other const half{every_other::elements / 2};
    content const c = contents[4];
    for (origin const from : origins)
        for (way const how : all_ways) {
            SODE_SCOPE(how, from, c);
            MPI_Request sent = send(c, 5), request = receive(from, 5, half.get());
            MPI_Status status = marked();
            int const kind = class_of(finish(how, request, status));
            if (takes_several(how)) {
                EXPECT_EQ(kind, MPI_ERR_IN_STATUS);
                EXPECT_EQ(class_of(status.MPI_ERROR), MPI_ERR_TRUNCATE);
            } else {
                EXPECT_EQ(kind, MPI_ERR_TRUNCATE);
                EXPECT_EQ(status.MPI_ERROR, mark);
            }
            EXPECT_EQ(status.MPI_SOURCE, here.left);
            EXPECT_EQ(status.MPI_TAG, 5);
            if (from == origin::persistent) MPI_Request_free(&request);
            MPI_Wait(&sent, MPI_STATUS_IGNORE);
        }
}

// The errors of those that succeed say so, where one has failed; or that they go on.
TEST_F(Statuses, TruncationAmongOthers) {
    every_other const half{every_other::elements / 2};
    std::vector<double> second = empty_array(), third = empty_array();
    std::array<MPI_Request, 6> requests{};
    std::array<MPI_Status, 6> statuses{};
    statuses.fill(marked());
    MPI_Irecv(in.data(), 1, type.get(), here.left, 1, all, &requests[0]);
    MPI_Irecv(second.data(), 1, half.get(), here.left, 2, all, &requests[1]);
    MPI_Irecv(third.data(), 1, type.get(), here.left, 3, all, &requests[2]);
    for (int tag = 1; tag <= 3; ++tag) requests[2 + static_cast<std::size_t>(tag)] = send(contents[4], tag);
    EXPECT_EQ(class_of(MPI_Waitall(6, requests.data(), statuses.data())), MPI_ERR_IN_STATUS);
    for (std::size_t i = 0; i < statuses.size(); ++i) {
        int const kind = class_of(statuses[i].MPI_ERROR);
        if (i != 1 && kind == MPI_ERR_PENDING) // MPICH may give up at the first that fails
            EXPECT_EQ(MPI_Wait(&requests[i], MPI_STATUS_IGNORE), MPI_SUCCESS);
        else
            EXPECT_EQ(kind, i == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS) << i;
        EXPECT_EQ(requests[i], MPI_REQUEST_NULL);
    }
    EXPECT_TRUE(came_from(in, here.left));
    EXPECT_TRUE(came_from(third, here.left));
}

// Requests that are none of the layer's, in the same array.
TEST_F(Statuses, BesideOtherRequests) {
    bool freed = false;
    auto const query = [](void*, MPI_Status* status) {
        MPI_Status_set_elements(status, MPI_BYTE, 7);
        MPI_Status_set_cancelled(status, 0);
        status->MPI_SOURCE = 1;
        status->MPI_TAG = 2;
        return MPI_SUCCESS;
    };
    auto const forget = [](void* state) {
        *static_cast<bool*>(state) = true;
        return MPI_SUCCESS;
    };
    std::array<MPI_Request, 4> requests{};
    std::array<MPI_Status, 4> statuses{};
    MPI_Grequest_start(
        query, forget, [](void*, int) { return MPI_SUCCESS; }, &freed, &requests[0]);
    requests[1] = receive(origin::irecv, 5, type.get());
    requests[2] = send(contents[4], 5);
    MPI_Ibarrier(all, &requests[3]);
    MPI_Grequest_complete(requests[0]);
    EXPECT_EQ(MPI_Waitall(4, requests.data(), statuses.data()), MPI_SUCCESS);
    EXPECT_TRUE(freed);
    expect_message(statuses[1], contents[4], 5);
    int bytes = -1;
    MPI_Get_count(statuses.data(), MPI_BYTE, &bytes);
    EXPECT_EQ(bytes, 7);
    for (MPI_Request const r : requests) EXPECT_EQ(r, MPI_REQUEST_NULL);
}

} // namespace
} // namespace sode::internal::test
