// SPDX-License-Identifier: Apache-2.0
// Probes tell of the message, not of the record in its place; and whoever receives what they met gets it.
#include "job.hpp"

#include <array>

namespace sode::internal::test {
namespace {

class Probes : public ::testing::Test {
protected:
    void TearDown() override {
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void send() { MPI_Isend(out.data(), 1, type.get(), here.right, tag, all, &sent); }
    void expect_message() {
        EXPECT_TRUE(came_from(in, here.left));
        EXPECT_TRUE(tells(status, here.left, tag));
    }
    ring const here;
    every_other const type;
    MPI_Comm const all = MPI_COMM_WORLD;
    static constexpr int tag = 3;
    std::vector<double> out = told_by(here.rank);
    std::vector<double> in = empty_array();
    MPI_Status status{};
    MPI_Request sent = MPI_REQUEST_NULL;
};

TEST_F(Probes, ThenReceive) {
    send();
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, all, &status);
    EXPECT_TRUE(tells(status, here.left, tag));
    MPI_Recv(in.data(), 1, type.get(), status.MPI_SOURCE, status.MPI_TAG, all, &status);
    expect_message();
}

TEST_F(Probes, TwiceThenReceiveWithoutBlocking) {
    send();
    for (int i = 0; i < 2; ++i) {
        int flag = 0;
        while (flag == 0) MPI_Iprobe(here.left, tag, all, &flag, &status);
        EXPECT_TRUE(tells(status, here.left, tag));
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), 1, type.get(), MPI_ANY_SOURCE, tag, all, &request);
    MPI_Wait(&request, &status);
    expect_message();
}

TEST_F(Probes, ThenExchange) {
    send();
    MPI_Probe(here.left, tag, all, &status);
    double const mine = here.rank;
    double theirs = untouched;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, here.right, tag + 1, in.data(), 1, type.get(), here.left, tag, all, &status);
    expect_message();
    MPI_Recv(&theirs, 1, MPI_DOUBLE, here.left, tag + 1, all, MPI_STATUS_IGNORE);
    EXPECT_EQ(theirs, here.left);
}

#if MPI_VERSION >= 4
TEST_F(Probes, ThenExchangeWithoutBlocking) {
    for (int form = 0; form < 8; ++form) {
        bool const replace = form % 2 != 0;
        MPI_Request again = MPI_REQUEST_NULL, request = MPI_REQUEST_NULL;
        MPI_Isend(out.data(), 1, type.get(), here.right, tag, all, &again);
        MPI_Probe(here.left, tag, all, &status);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = replace && i % 2 == 0 ? out[i] : untouched;
        if (replace)
            MPI_Isendrecv_replace(in.data(), 1, type.get(), here.right, tag + 1, here.left, tag, all, &request);
        else
            MPI_Isendrecv(out.data(), 1, type.get(), here.right, tag + 1, in.data(), 1, type.get(), here.left, tag, all, &request);
        // Nobody has received yet: what goes is so long that it waits for that.
        int index = MPI_UNDEFINED, over = 0, some = 0;
        if (form / 2 == 1) MPI_Testany(1, &request, &index, &over, &status);
        if (form / 2 == 2) MPI_Testall(1, &request, &over, &status);
        if (form / 2 == 3) MPI_Testsome(1, &request, &some, &index, &status);
        EXPECT_EQ(over + some, 0) << form;
        MPI_Barrier(all);
        auto theirs = empty_array(); // everybody has sent before anybody receives
        MPI_Recv(theirs.data(), 1, type.get(), here.left, tag + 1, all, MPI_STATUS_IGNORE);
        EXPECT_TRUE(came_from(theirs, here.left));
        MPI_Wait(&request, &status);
        expect_message();
        MPI_Wait(&again, MPI_STATUS_IGNORE);
    }
}
#endif

TEST_F(Probes, ThenPersistentReceive) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Recv_init(in.data(), 1, type.get(), here.left, tag, all, &request);
    for (int form = 0; form < 7; ++form) {
        in.assign(in.size(), untouched);
        MPI_Request again = MPI_REQUEST_NULL;
        MPI_Isend(out.data(), 1, type.get(), here.right, tag, all, &again);
        MPI_Probe(here.left, tag, all, &status);
        MPI_Start(&request);
        int index = -1, some = 0, over = 0;
        if (form == 0) MPI_Wait(&request, &status);
        if (form == 1) MPI_Waitany(1, &request, &index, &status);
        if (form == 2) MPI_Waitall(1, &request, &status);
        if (form == 3) MPI_Waitsome(1, &request, &some, &index, &status);
        while (form == 4 && over == 0) MPI_Testany(1, &request, &index, &over, &status);
        while (form == 5 && some == 0) MPI_Testsome(1, &request, &some, &index, &status);
        while (form == 6 && over == 0) MPI_Testall(1, &request, &over, &status);
        expect_message();
        MPI_Wait(&again, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

TEST_F(Probes, Matched) {
    send();
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Mprobe(here.left, tag, all, &message, &status);
    EXPECT_TRUE(tells(status, here.left, tag));
    MPI_Mrecv(in.data(), 1, type.get(), &message, &status);
    EXPECT_EQ(message, MPI_MESSAGE_NULL);
    expect_message();
}

TEST_F(Probes, MatchedAfterAPlainProbe) {
    send();
    MPI_Probe(here.left, tag, all, &status);
    MPI_Message message = MPI_MESSAGE_NULL;
    int flag = 0;
    MPI_Improbe(here.left, tag, all, &flag, &message, &status);
    EXPECT_NE(flag, 0);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Imrecv(in.data(), 1, type.get(), &message, &request);
    MPI_Wait(&request, &status);
    expect_message();
}

// As long as a record is, and none.
TEST_F(Probes, AMessageThatOnlyLooksLikeARecord) {
    std::array<double, 8> mine{}, theirs{};
    mine.fill(here.rank);
    for (bool const matched : {false, true}) {
        theirs.fill(untouched);
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(mine.data(), 8, MPI_DOUBLE, here.right, tag, all, &request);
        int count = 0;
        if (matched) {
            MPI_Message message = MPI_MESSAGE_NULL;
            MPI_Mprobe(here.left, tag, all, &message, &status);
            MPI_Get_count(&status, MPI_DOUBLE, &count);
            EXPECT_EQ(count, 8);
            MPI_Mrecv(theirs.data(), 8, MPI_DOUBLE, &message, &status);
        } else {
            MPI_Probe(here.left, tag, all, &status);
            MPI_Get_count(&status, MPI_DOUBLE, &count);
            EXPECT_EQ(count, 8);
            MPI_Recv(theirs.data(), 8, MPI_DOUBLE, here.left, tag, all, &status);
        }
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        EXPECT_EQ(count, 8);
        EXPECT_EQ(status.MPI_SOURCE, here.left);
        for (double const x : theirs) EXPECT_EQ(x, here.left);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

} // namespace
} // namespace sode::internal::test
