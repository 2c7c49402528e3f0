// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>
#include <sode/error.hpp>

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

/// Jobs for tests of the lower floors, small enough to be seen through at once: no launcher, no settings, no deadlines.
namespace sode::internal::testing {

/// What the ranks of a test share. Lies in memory that processes inherit by fork.
struct mini_board {
    static constexpr int most_ranks = 64;
    static constexpr std::size_t most_bytes = 4096;
    struct line {
        alignas(128) std::atomic<std::uint64_t> epoch{0};
        std::atomic<bool> left{false};
        char bytes[2][most_bytes] = {};
    };
    line lines[most_ranks];

    struct unmap {
        void operator()(mini_board* board) const noexcept { ::munmap(static_cast<void*>(board), sizeof(mini_board)); }
    };
    [[nodiscard]] static std::unique_ptr<mini_board, unmap> make() {
        void* const memory = ::mmap(nullptr, sizeof(mini_board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc{};
        return std::unique_ptr<mini_board, unmap>{new (memory) mini_board};
    }
};

struct mini_options {
    std::vector<int> machines{};  ///< by rank; empty: one machine
    bool tells_departures = true; ///< false: bootstrap::departed() knows nothing (as under MPI), only the collectives do
};

class mini_bootstrap final : public bootstrap {
public:
    mini_bootstrap(mini_board& board, int rank, int size, bool threads, mini_options options)
        : board_(board), rank_(rank), size_(size), threads_(threads), options_(std::move(options)) {}

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return size_; }
    std::string_view name() const noexcept override { return threads_ ? "mini threads" : "mini processes"; }
    bool one_process() const noexcept override { return threads_; }
    std::vector<int> machines() override {
        return options_.machines.empty() ? std::vector<int>(static_cast<std::size_t>(size_), 0) : options_.machines;
    }
    void allgather(void const* mine, std::size_t bytes, void* all) override {
        if (bytes > mini_board::most_bytes) throw std::length_error{"too long for a test"};
        auto const parity = ++epoch_ % 2;
        auto& own = board_.lines[rank_];
        std::memcpy(own.bytes[parity], mine, bytes);
        own.epoch.store(epoch_, std::memory_order_release);
        for (int r = 0; r < size_; ++r) {
            auto& other = board_.lines[r];
            while (other.epoch.load(std::memory_order_acquire) < epoch_) {
                if (other.left.load(std::memory_order_acquire) && other.epoch.load(std::memory_order_acquire) < epoch_)
                    throw error{error_kind::peer, "rank " + std::to_string(r) + " has left", "the test let it", ""};
                ::sched_yield();
            }
            std::memcpy(static_cast<char*>(all) + static_cast<std::size_t>(r) * bytes, other.bytes[parity], bytes);
        }
    }
    std::optional<std::string> departed(int rank) noexcept override {
        if (options_.tells_departures && board_.lines[rank].left.load(std::memory_order_acquire)) return "left";
        return std::nullopt;
    }

private:
    mini_board& board_;
    int rank_;
    int size_;
    bool threads_;
    mini_options options_;
    std::uint64_t epoch_ = 0;
};

using mini_program = std::function<void(bootstrap&)>;

/// Runs `program` as one rank. An exception is a failure of the test.
inline void run_mini_rank(mini_bootstrap& boot, mini_program const& program) {
    try {
        program(boot);
    } catch (std::exception const& e) {
        ADD_FAILURE() << "rank " << boot.rank() << ": " << e.what();
    }
}

/// Runs `program` as processes, waits for all, and returns their wait statuses. A rank in which an expectation failed exits with 1.
/// `meanwhile` runs in the parent once all are started.
inline std::vector<int> run_processes_for_status(int ranks, mini_program const& program, mini_options const& options = {},
                                                 std::function<void(std::vector<pid_t> const&)> const& meanwhile = {}) {
    auto const board = mini_board::make();
    std::fflush(nullptr);
    std::vector<pid_t> pids;
    for (int rank = 0; rank < ranks; ++rank) {
        pid_t const pid = ::fork();
        if (pid == 0) {
            mini_bootstrap boot{*board, rank, ranks, false, options};
            run_mini_rank(boot, program);
            std::fflush(nullptr);
            ::_exit(::testing::Test::HasFailure() ? 1 : 0);
        }
        pids.push_back(pid);
    }
    if (meanwhile) meanwhile(pids);
    std::vector<int> statuses(static_cast<std::size_t>(ranks), -1);
    auto const wait_for = [&](std::size_t rank, int flags) {
        if (::waitpid(pids[rank], &statuses[rank], flags) != pids[rank]) return false;
        board->lines[rank].left.store(true, std::memory_order_release);
        return true;
    };
    // In the order in which they end: the others may be waiting to be told.
    std::vector<bool> ended(pids.size(), false);
    for (std::size_t left = pids.size(); left > 0;) {
        for (std::size_t rank = 0; rank < pids.size(); ++rank) {
            if (ended[rank] || !wait_for(rank, WNOHANG)) continue;
            ended[rank] = true;
            --left;
        }
        ::usleep(1000);
    }
    return statuses;
}

/// The same; every rank is expected to succeed.
inline void run_processes(int ranks, mini_program const& program, mini_options const& options = {}) {
    auto const statuses = run_processes_for_status(ranks, program, options);
    for (std::size_t rank = 0; rank < statuses.size(); ++rank) EXPECT_EQ(statuses[rank], 0) << "wait status of rank " << rank;
}

/// Runs `program` as threads of this process.
inline void run_threads(int ranks, mini_program const& program, mini_options const& options = {}) {
    auto const board = mini_board::make();
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank)
        threads.emplace_back([&, rank] {
            mini_bootstrap boot{*board, rank, ranks, true, options};
            run_mini_rank(boot, program);
            board->lines[rank].left.store(true, std::memory_order_release);
        });
    for (auto& t : threads) t.join();
}

} // namespace sode::internal::testing
