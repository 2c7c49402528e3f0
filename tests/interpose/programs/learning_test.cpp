// SPDX-License-Identifier: Apache-2.0
// Whatever is tried while paths are learnt: every message arrives as it was sent, and in order.
#include "job.hpp"

#include <array>
#include <numeric>

namespace sode::internal::test {
namespace {

constexpr int rounds = 300; // more than a learner needs to settle

/// A datatype and the memory that a rank sends by it, and receives.
struct pattern {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::vector<int> places; ///< of the ints that it names
    std::vector<int> out, in;

    pattern(int count, int block, int pitch) {
        MPI_Type_vector(count, block, pitch, MPI_INT, &type);
        MPI_Type_commit(&type);
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < block; ++j) places.push_back(i * pitch + j);
        out.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(pitch));
        in.resize(out.size());
    }
    explicit pattern(std::vector<int> list) : places(std::move(list)) {
        MPI_Type_create_indexed_block(static_cast<int>(places.size()), 1, places.data(), MPI_INT, &type);
        MPI_Type_commit(&type);
        out.resize(static_cast<std::size_t>(places.back()) + 1);
        in.resize(out.size());
    }
    ~pattern() { MPI_Type_free(&type); }
    pattern(pattern const&) = delete;
    pattern& operator=(pattern const&) = delete;
    pattern(pattern&&) = delete;
    pattern& operator=(pattern&&) = delete;

    void write(int rank, int round) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(i) + 1'000'000 * rank + 7 * round;
        std::fill(in.begin(), in.end(), -1);
    }
    /// `in` is what `rank` wrote in that round, there and nowhere else.
    [[nodiscard]] bool came(int rank, int round) const {
        std::vector<int> right(in.size(), -1);
        for (int const at : places) right[static_cast<std::size_t>(at)] = at + 1'000'000 * rank + 7 * round;
        return in == right;
    }
};

std::vector<int> scattered(int count) {
    std::vector<int> list;
    for (int i = 0; i < count; ++i) list.push_back(i * 17 + i % 5);
    return list;
}

class Learning : public ::testing::Test {
protected:
    ring const here;

    /// Ranks of a pair take turns, so that each waits for the other.
    void ping_pong(pattern& p, int round, int tag) {
        p.write(here.rank, round);
        int const other = here.rank ^ 1;
        if (other >= here.size) return;
        if (here.rank % 2 == 0) {
            MPI_Send(p.out.data(), 1, p.type, other, tag, MPI_COMM_WORLD);
            MPI_Recv(p.in.data(), 1, p.type, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(p.in.data(), 1, p.type, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(p.out.data(), 1, p.type, other, tag, MPI_COMM_WORLD);
        }
        ASSERT_TRUE(p.came(other, round)) << "round " << round;
    }
    /// All at once, around the ring.
    void exchange(pattern& p, int round, int tag) {
        p.write(here.rank, round);
        std::array<MPI_Request, 2> requests{};
        MPI_Irecv(p.in.data(), 1, p.type, here.left, tag, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(p.out.data(), 1, p.type, here.right, tag, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        ASSERT_TRUE(p.came(here.left, round)) << "round " << round;
    }
};

double volatile sink = 0;
void compute(int steps) {
    double x = 1;
    for (int i = 0; i < steps; ++i) x = x * 1.0000001 + 1e-9;
    sink = x;
}

TEST_F(Learning, SamePatternsAgainAndAgain) {
    pattern columns{2048, 2, 16}, rows{64, 384, 512}, list{scattered(3225)};
    for (int round = 0; round < rounds; ++round) {
        ping_pong(columns, round, 1);
        ping_pong(rows, round, 2);
        ping_pong(list, round, 3);
    }
}

TEST_F(Learning, AroundTheRing) {
    pattern columns{2048, 2, 16}, list{scattered(3225)};
    for (int round = 0; round < rounds; ++round) {
        exchange(columns, round, 1);
        exchange(list, round, 2);
    }
}

TEST_F(Learning, MessagesOfOneSenderKeepTheirOrder) {
    constexpr std::size_t at_once = 4;
    std::array<pattern, at_once> several{pattern{2048, 2, 16}, pattern{2048, 2, 16}, pattern{512, 8, 24}, pattern{2048, 2, 16}};
    for (int round = 0; round < rounds / 3; ++round) {
        std::array<MPI_Request, 2 * at_once> requests{};
        for (std::size_t i = 0; i < at_once; ++i) {
            several[i].write(here.rank, 10 * round + static_cast<int>(i));
            MPI_Irecv(several[i].in.data(), 1, several[i].type, here.left, 5, MPI_COMM_WORLD, &requests[i]);
        }
        for (std::size_t i = 0; i < at_once; ++i)
            MPI_Isend(several[i].out.data(), 1, several[i].type, here.right, 5, MPI_COMM_WORLD, &requests[at_once + i]);
        MPI_Waitall(2 * at_once, requests.data(), MPI_STATUSES_IGNORE);
        for (std::size_t i = 0; i < at_once; ++i)
            ASSERT_TRUE(several[i].came(here.left, 10 * round + static_cast<int>(i))) << "round " << round << ", message " << i;
    }
}

TEST_F(Learning, ContiguousMessagesOnly) {
    pattern whole{1, 30'000, 30'000};
    for (int round = 0; round < rounds; ++round) ping_pong(whole, round, 1);
}

TEST_F(Learning, TypesThatTakeTurns) {
    pattern columns{2048, 2, 16}, list{scattered(3225)};
    for (int round = 0; round < rounds; ++round) ping_pong(round % 2 == 0 ? columns : list, round, 1);
}

TEST_F(Learning, ComputationBetween) {
    pattern columns{2048, 2, 16};
    for (int round = 0; round < rounds; ++round) {
        columns.write(here.rank, round);
        std::array<MPI_Request, 2> requests{};
        MPI_Irecv(columns.in.data(), 1, columns.type, here.left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(columns.out.data(), 1, columns.type, here.right, 1, MPI_COMM_WORLD, &requests[1]);
        compute(here.rank % 2 == 0 ? 20'000 : 60'000);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        ASSERT_TRUE(columns.came(here.left, round)) << "round " << round;
    }
}

} // namespace
} // namespace sode::internal::test
