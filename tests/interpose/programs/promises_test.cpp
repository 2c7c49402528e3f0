// SPDX-License-Identifier: Apache-2.0
// What MPI promises of when operations end, and of what may wait for what; also where the layer has no room for what is late.
#include "job.hpp"

#include <array>
#include <functional>
#include <memory>
#include <numeric>

#include <sys/mman.h>

namespace sode::internal::test {
namespace {

class Promises : public ::testing::TestWithParam<int> {
protected:
    void TearDown() override { MPI_Barrier(all); }
    void expect_message(std::vector<double> const& got, int round = 0) { EXPECT_TRUE(came_from(got, here.left, round)); }

    ring const here;
    every_other const type;
    MPI_Comm const all = MPI_COMM_WORLD;
    static constexpr int tag = 5;
    std::vector<double> out = told_by(here.rank), in = empty_array();
    MPI_Status status{};
};
// The first messages of a datatype may go by MPI.
INSTANTIATE_TEST_SUITE_P(Again, Promises, ::testing::Range(0, 3));

// Algorithms that do not know who sends rely on it.
TEST_P(Promises, ASynchronousSendEndsWhenItIsMet) {
    std::array<MPI_Request, 2> sent{}; // one persistent
    MPI_Issend(out.data(), 1, type.get(), here.right, tag, all, &sent[0]);
    MPI_Ssend_init(out.data(), 1, type.get(), here.right, tag, all, &sent[1]);
    MPI_Start(&sent[1]);
    constexpr double long_enough_s = 0.01;
    for (double const begun = MPI_Wtime(); MPI_Wtime() - begun < long_enough_s;)
        for (MPI_Request& r : sent) {
            int ended = 0;
            MPI_Test(&r, &ended, MPI_STATUS_IGNORE);
            ASSERT_EQ(ended, 0);
        }
    MPI_Barrier(all);
    for (int i = 0; i < 2; ++i) {
        in = empty_array();
        MPI_Request came = MPI_REQUEST_NULL;
        MPI_Irecv(in.data(), 1, type.get(), here.left, tag, all, &came);
        MPI_Wait(&came, MPI_STATUS_IGNORE);
        expect_message(in);
    }
    MPI_Waitall(2, sent.data(), MPI_STATUSES_IGNORE);
    MPI_Request_free(&sent[1]);
}

// A receive has begun, so the send ends, whatever else the receiver does. Longer than what there may be room for.
TEST_P(Promises, ASendEndsThoughItsReceiverIsElsewhere) {
    constexpr std::size_t longer = 400'000;
    every_other const whole{longer};
    std::vector<double> data(2 * longer, untouched);
    if (here.rank % 2 == 1) {
        MPI_Request came = MPI_REQUEST_NULL;
        MPI_Irecv(data.data(), 1, whole.get(), here.left, tag, all, &came);
        MPI_Barrier(all);
        MPI_Wait(&came, MPI_STATUS_IGNORE);
        for (std::size_t i = 0; i < data.size(); ++i) ASSERT_EQ(data[i], i % 2 == 0 ? static_cast<double>(i) : untouched);
    } else {
        std::iota(data.begin(), data.end(), 0.0);
        if (here.rank + 1 < here.size) MPI_Send(data.data(), 1, whole.get(), here.right, tag, all);
        std::fill(data.begin(), data.end(), 0.0);
        MPI_Barrier(all);
    }
}

// Everybody asks for what he sends, and for nothing else, until it is gone: that brings what others send him.
TEST_P(Promises, AskingForASendBringsWhatIsReceived) {
    constexpr std::size_t many = 12;
    std::vector<std::vector<double>> ins(many, empty_array());
    for (int form = 0; form < 4; ++form) {
        std::array<MPI_Request, many> came{}, sent{};
        for (std::size_t i = 0; i < many; ++i) MPI_Irecv(ins[i].data(), 1, type.get(), here.left, tag, all, &came[i]);
        for (MPI_Request& r : sent) MPI_Isend(out.data(), 1, type.get(), here.right, tag, all, &r);
        std::array<int, many> indices{};
        for (int ended = 0, some = 0, flag = 0, index = 0; ended < static_cast<int>(many); flag = some = 0) {
            if (form == 0) MPI_Test(&sent[static_cast<std::size_t>(ended)], &flag, MPI_STATUS_IGNORE);
            if (form == 1) MPI_Testany(many, sent.data(), &index, &flag, MPI_STATUS_IGNORE);
            if (form == 2) MPI_Testsome(many, sent.data(), &some, indices.data(), MPI_STATUSES_IGNORE);
            if (form == 3) MPI_Testall(many, sent.data(), &flag, MPI_STATUSES_IGNORE);
            ended += form == 2 ? some : form == 3 ? flag * static_cast<int>(many) : flag;
        }
        MPI_Waitall(many, came.data(), MPI_STATUSES_IGNORE);
        for (auto& one : ins) {
            expect_message(one);
            one = empty_array();
        }
    }
}

TEST_P(Promises, AskingForAllBringsAll) {
    constexpr std::size_t many = 12;
    std::vector<std::vector<double>> ins(many, empty_array());
    std::array<MPI_Request, 2 * many> requests{};
    for (std::size_t i = 0; i < many; ++i) {
        MPI_Irecv(ins[i].data(), 1, type.get(), here.left, tag, all, &requests[i]);
        MPI_Isend(out.data(), 1, type.get(), here.right, tag, all, &requests[many + i]);
    }
    for (int ended = 0; ended == 0;) MPI_Testall(2 * many, requests.data(), &ended, MPI_STATUSES_IGNORE);
    for (auto const& one : ins) expect_message(one);
}

// MPI_Start does not wait for anybody, however many there are.
TEST_P(Promises, PersistentSendsBeforeAnyReceive) {
    constexpr std::size_t many = 300;
    std::vector<MPI_Request> requests(2 * many);
    every_other const less{2000}; // more than MPI sends without a receiver on a forced path: SODE_MPI_EAGER
    std::vector<std::vector<double>> ins(many, std::vector<double>(4000, untouched));
    for (std::size_t i = 0; i < many; ++i) {
        MPI_Send_init(out.data() + i, 1, less.get(), here.right, tag, all, &requests[i]);
        MPI_Recv_init(ins[i].data(), 1, less.get(), here.left, tag, all, &requests[many + i]);
    }
    for (int start = 0; start < 2; ++start) {
        MPI_Startall(2 * many, requests.data());
        if (start == 0) {
            MPI_Waitall(2 * many, requests.data(), MPI_STATUSES_IGNORE);
        } else {
            std::vector<int> indices(2 * many);
            for (int ended = 0, some = 0; ended < static_cast<int>(2 * many); ended += some)
                MPI_Waitsome(2 * many, requests.data(), &some, indices.data(), MPI_STATUSES_IGNORE);
        }
        for (std::size_t i = 0; i < many; ++i) {
            EXPECT_EQ(ins[i][3998], 1e6 * here.left + 3998 + static_cast<double>(i)) << i;
            std::fill(ins[i].begin(), ins[i].end(), untouched);
        }
    }
    for (MPI_Request& r : requests) MPI_Request_free(&r);
}

// No int says how much room there is.
TEST_P(Promises, RoomBeyondTwoGigabytes) {
    constexpr std::size_t elements = 300'000'000;
    constexpr std::size_t bytes = elements * sizeof(double);
    auto const let_go = [](void* p) { ::munmap(p, bytes); };
    void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    std::unique_ptr<void, decltype(let_go)> const room{pages, let_go};
    MPI_Datatype huge = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(elements), MPI_DOUBLE, &huge);
    MPI_Type_commit(&huge);
    MPI_Request came = MPI_REQUEST_NULL;
    MPI_Irecv(pages, 1, huge, here.left, tag, all, &came);
    MPI_Send(out.data(), 1, type.get(), here.right, tag, all);
    MPI_Wait(&came, &status);
    auto const* const got = static_cast<double const*>(pages);
    for (std::size_t i = 0; i < every_other::elements; ++i) ASSERT_EQ(got[i], 1e6 * here.left + 2.0 * static_cast<double>(i));
    MPI_Count doubles = 0;
    MPI_Get_elements_x(&status, huge, &doubles);
    EXPECT_EQ(doubles, every_other::elements);
    MPI_Type_free(&huge);
}

// What is on its way cannot be called back: either it comes, or MPI says that it was cancelled.
TEST_P(Promises, ACancelledSendComesOrNot) {
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), 1, type.get(), here.right, tag, all, &sent);
    MPI_Cancel(&sent);
    MPI_Request came = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), 1, type.get(), here.left, tag, all, &came);
    MPI_Wait(&sent, &status);
    int cancelled = 0, theirs = 0;
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Sendrecv(&cancelled, 1, MPI_INT, here.right, tag + 1, &theirs, 1, MPI_INT, here.left, tag + 1, all, MPI_STATUS_IGNORE);
    if (theirs != 0) MPI_Cancel(&came);
    MPI_Wait(&came, MPI_STATUS_IGNORE);
    if (theirs == 0) expect_message(in);
}

// A request outlives its communicator.
TEST_P(Promises, CommunicatorsThatAreFreedMeanwhile) {
    MPI_Comm passing = MPI_COMM_NULL;
    MPI_Comm_dup(all, &passing);
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(in.data(), 1, type.get(), here.left, tag, passing, &requests[0]);
    MPI_Isend(out.data(), 1, type.get(), here.right, tag, passing, &requests[1]);
    MPI_Comm_free(&passing);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    expect_message(in);
}

} // namespace
} // namespace sode::internal::test
