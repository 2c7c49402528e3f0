// SPDX-License-Identifier: Apache-2.0
// Programs ask for their requests in loops: that takes no memory of the heap. Nor do receives in programs of one thread, from the
// second one of a datatype on.
#include "job.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

namespace {

std::atomic<long> allocations{0}; // of this process, the layer's included

void* counted(void* p) noexcept {
    allocations.fetch_add(1, std::memory_order_relaxed);
    return p;
}
void* there(void* p) {
    if (p == nullptr) throw std::bad_alloc{};
    return p;
}

} // namespace

void* operator new(std::size_t bytes) {
    return there(counted(std::malloc(bytes)));
}
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
    return counted(std::malloc(bytes));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    auto const a = static_cast<std::size_t>(alignment);
    return there(counted(std::aligned_alloc(a, (bytes + a - 1) / a * a)));
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    std::free(p);
}

namespace sode::internal::test {
namespace {

/// A receive for which nothing has been sent, of which `ask` is to find so.
class Steady : public ::testing::Test {
protected:
    static constexpr int asked = 1000;
    void expect_no_allocations(std::function<void()> const& ask) {
        auto const before_receive = allocations.load();
        MPI_Irecv(in.data(), 1, type.get(), here.left, 1, MPI_COMM_WORLD, &requests[1]);
        EXPECT_GT(allocations.load(), before_receive) << "the layer does not track it, or its allocations are not seen";
        ask(); // the first one may
        auto const before = allocations.load();
        for (int i = 0; i < asked; ++i) {
            ask();
            EXPECT_EQ(flag, 0);
        }
        EXPECT_EQ(allocations.load() - before, 0) << "in " << asked << " calls";
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(out.data(), 1, type.get(), here.right, 1, MPI_COMM_WORLD);
        while (flag == 0) ask();
        EXPECT_TRUE(came_from(in, here.left));
    }
    ring const here;
    every_other const type;
    std::vector<double> out = told_by(here.rank), in = empty_array();
    std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::array<MPI_Status, 3> statuses{};
    std::array<int, 3> indices{};
    int flag = 0, index = 0;
};

TEST_F(Steady, Test) {
    expect_no_allocations([&] { MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE); });
}

TEST_F(Steady, Testall) {
    expect_no_allocations([&] { MPI_Testall(3, requests.data(), &flag, MPI_STATUSES_IGNORE); });
}

TEST_F(Steady, Testany) {
    expect_no_allocations([&] { MPI_Testany(3, requests.data(), &index, &flag, MPI_STATUS_IGNORE); });
}

TEST_F(Steady, Testsome) {
    expect_no_allocations([&] { MPI_Testsome(3, requests.data(), &flag, indices.data(), statuses.data()); });
}

TEST_F(Steady, Receives) {
    int level = MPI_THREAD_MULTIPLE;
    MPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE) GTEST_SKIP() << "of several threads";
    constexpr int many = 12;
    std::vector<double> dense(many * 100);
    auto const exchange = [&](int receives) {
        std::vector<MPI_Request> all(static_cast<std::size_t>(receives) + 1);
        long const before = allocations.load();
        for (int i = 0; i < receives; ++i)
            if (i % 2 == 0)
                MPI_Irecv(dense.data() + 100 * i, 100, MPI_DOUBLE, here.left, 2 + i, MPI_COMM_WORLD,
                          &all[static_cast<std::size_t>(i)]);
            else
                MPI_Irecv(in.data(), i == 1 ? 1 : 0, type.get(), here.left, 2 + i, MPI_COMM_WORLD,
                          &all[static_cast<std::size_t>(i)]);
        long const taken = allocations.load() - before;
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < receives; ++i)
            if (i % 2 == 0)
                MPI_Send(out.data(), 100, MPI_DOUBLE, here.right, 2 + i, MPI_COMM_WORLD);
            else
                MPI_Send(out.data(), i == 1 ? 1 : 0, type.get(), here.right, 2 + i, MPI_COMM_WORLD);
        while (flag == 0) MPI_Testall(receives, all.data(), &flag, MPI_STATUSES_IGNORE);
        EXPECT_TRUE(came_from(in, here.left));
        EXPECT_EQ(dense[100 * (many - 2) + 99], 1e6 * here.left + 99);
        flag = 0;
        return taken;
    };
    static_cast<void>(exchange(many));
    EXPECT_EQ(exchange(many), 0);
}

} // namespace
} // namespace sode::internal::test
