// SPDX-License-Identifier: Apache-2.0
#include "base/thread_team.hpp"

#include "base/board.hpp"
#include "base/message.hpp"
#include "base/processors.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace sode::internal {

namespace {

struct exit_note {
    std::atomic<bool> left{false};
    std::string how; // written before `left`
};

struct board_memory {
    explicit board_memory(int ranks) : data(::operator new(board::bytes(ranks), alignment)) {
        std::fill_n(static_cast<std::byte*>(data), board::bytes(ranks), std::byte{0});
    }
    board_memory(board_memory const&) = delete;
    board_memory& operator=(board_memory const&) = delete;
    ~board_memory() { ::operator delete(data, alignment); }

    static constexpr std::align_val_t alignment{128};
    void* data;
};

} // namespace

struct thread_team::shared {
    shared(int ranks, config const& settings)
        : size(ranks), policy(make_wait_policy(settings, ranks, usable_processors())), memory(ranks),
          exits(static_cast<std::size_t>(ranks)) {}

    [[nodiscard]] std::optional<std::string> departed(int rank) {
        exit_note const& e = exits[static_cast<std::size_t>(rank)];
        return e.left.load(std::memory_order_acquire) ? std::optional{e.how} : std::nullopt;
    }

    int size;
    wait_policy policy;
    board_memory memory;
    std::vector<exit_note> exits;
};

namespace {

template <typename Shared> class thread_bootstrap final : public bootstrap {
public:
    thread_bootstrap(std::shared_ptr<Shared> team, int rank)
        : team_(std::move(team)), rank_(rank),
          board_(team_->memory.data, rank, team_->size, team_->policy, [this](int r) { return team_->departed(r); }) {}

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return team_->size; }
    [[nodiscard]] std::string_view name() const noexcept override { return "threads"; }
    [[nodiscard]] bool one_process() const noexcept override { return true; }
    [[nodiscard]] std::vector<int> machines() override { return std::vector<int>(static_cast<std::size_t>(team_->size), 0); }
    void allgather(void const* mine, std::size_t bytes, void* all) override { board_.allgather(mine, bytes, all); }
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override { board_.combine(maxima, sums); }
    void barrier() override { board_.barrier(); }
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept override { return team_->departed(rank); }

private:
    std::shared_ptr<Shared> team_;
    int rank_;
    board board_;
};

} // namespace

thread_team::thread_team(int ranks, config const& settings) {
    if (ranks < 1)
        throw error{error_kind::usage, fmt::format("a job cannot have {} ranks", ranks), "a job has at least one rank",
                    "pass 1 or more"};
    shared_ = std::make_shared<shared>(ranks, settings);
}

std::unique_ptr<bootstrap> thread_team::join(int rank) {
    return std::make_unique<thread_bootstrap<shared>>(shared_, rank);
}

void thread_team::leave(int rank, std::string how) noexcept {
    exit_note& e = shared_->exits[static_cast<std::size_t>(rank)];
    e.how = std::move(how);
    e.left.store(true, std::memory_order_release);
}

void run_as_threads(int ranks, std::function<void(std::unique_ptr<bootstrap>)> const& body, config const& settings) {
    thread_team team{ranks, settings};
    std::mutex guard;
    std::exception_ptr first;
    auto const keep_first = [&] {
        std::scoped_lock const lock{guard};
        if (!first) first = std::current_exception();
    };
    auto const run = [&](int rank) {
        speak_as(speaker::thread, rank, ranks);
        try {
            body(team.join(rank));
            team.leave(rank, "its function returned");
        } catch (std::exception const& e) {
            keep_first();
            team.leave(rank, fmt::format("its function threw: {}", quoted(e.what())));
        } catch (...) {
            keep_first();
            team.leave(rank, "its function threw");
        }
    };
    {
        std::vector<std::jthread> threads;
        threads.reserve(static_cast<std::size_t>(ranks));
        try {
            for (int r = 0; r < ranks; ++r) threads.emplace_back(run, r);
        } catch (std::system_error const&) { // no more threads: those that run must not wait for the rest
            keep_first();
            for (int r = static_cast<int>(threads.size()); r < ranks; ++r) team.leave(r, "its thread could not be started");
        }
    }
    if (first) std::rethrow_exception(first);
}

} // namespace sode::internal
