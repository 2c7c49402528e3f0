// SPDX-License-Identifier: Apache-2.0
// MPI_THREAD_MULTIPLE: threads that send and receive at the same time, each with its own tag, in all ways at random.
#include "job.hpp"
#include "support/cases.hpp"

#include <atomic>
#include <random>
#include <thread>

namespace sode::internal::test {
namespace {

class one_thread {
public:
    one_thread(int number, int rounds) : tag_(number), rounds_(rounds), random_(static_cast<unsigned>(number)) {}

    /// Number of messages that came wrong.
    int run() {
        int wrong = 0;
        for (int round = 0; round < rounds_; ++round) {
            auto const out = told_by(here_.rank, 100 * tag_ + round);
            auto in = empty_array();
            exchange(out, in, random_() % 4);
            if (!came_from(in, here_.left, 100 * tag_ + round)) ++wrong;
        }
        return wrong;
    }

private:
    void exchange(std::vector<double> const& out, std::vector<double>& in, unsigned way) {
        MPI_Comm const all = MPI_COMM_WORLD;
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        if (way == 0) {
            MPI_Sendrecv(out.data(), 1, type_.get(), here_.right, tag_, in.data(), 1, type_.get(), here_.left, tag_, all,
                         MPI_STATUS_IGNORE);
            return;
        }
        if (way == 1) {
            MPI_Isend(out.data(), 1, type_.get(), here_.right, tag_, all, &requests[1]);
            MPI_Status met;
            MPI_Probe(here_.left, tag_, all, &met);
            MPI_Recv(in.data(), 1, type_.get(), met.MPI_SOURCE, met.MPI_TAG, all, MPI_STATUS_IGNORE);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
            return;
        }
        MPI_Irecv(in.data(), 1, type_.get(), here_.left, tag_, all, &requests[0]);
        if (way == 2)
            MPI_Send(out.data(), 1, type_.get(), here_.right, tag_, all);
        else
            MPI_Isend(out.data(), 1, type_.get(), here_.right, tag_, all, &requests[1]);
        for (int done = 0; done == 0;) MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    }

    ring const here_;
    every_other const type_;
    int tag_;
    int rounds_;
    std::mt19937 random_;
};

TEST(Threads, AtOnce) {
    int provided = 0;
    MPI_Query_thread(&provided);
    if (provided != MPI_THREAD_MULTIPLE) GTEST_SKIP() << "this MPI has one thread at a time";
    constexpr int threads = 4;
    int const rounds = sode::internal::testing::random_cases(30);
    std::atomic<int> wrong{0};
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t)
        running.emplace_back([&wrong, t, rounds] {
            one_thread mine{t, rounds};
            wrong += mine.run();
        });
    for (std::thread& t : running) t.join();
    EXPECT_EQ(wrong, 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

} // namespace
} // namespace sode::internal::test
