// SPDX-License-Identifier: Apache-2.0
#include "tasks/task_house.hpp"

#include "base/limits.hpp"
#include "tasks/board_memory.hpp"
#include "tasks/initial_stack.hpp"
#include "tasks/pages.hpp"
#include "tasks/partition_map.hpp"
#include "tasks/prepared_task.hpp"
#include "tasks/starter.hpp"
#include "tasks/supervisor.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <deque>
#include <fmt/format.h>
#include <random>
#include <sys/wait.h>

namespace sode::internal {

namespace {

std::uint64_t now() noexcept {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

std::deque<int> order_of_entries(int capacity, std::optional<std::uint64_t> scatter) {
    std::deque<int> order;
    for (int i = 0; i < capacity; ++i) order.push_back(i);
    if (scatter) std::shuffle(order.begin(), order.end(), std::mt19937_64{*scatter});
    return order;
}

} // namespace

struct task_house::parts {
    explicit parts(house_options const& options)
        : map(options.capacity, options.partition_bytes, options.scatter), board(options.capacity, map),
          with_shortcuts(options.shortcuts), free(order_of_entries(options.capacity, options.scatter)),
          prepared(static_cast<std::size_t>(options.capacity)), maker(partition_map::area, partition_map::area_end) {
        auto const empty = kernel.largest_gap(partition_map::area, partition_map::area_end);
        if (!empty || empty->begin != partition_map::area || empty->end != partition_map::area_end)
            throw error{
                error_kind::environment, "no room for tasks",
                fmt::format("this process has mapped memory between {:#x} and {:#x}", partition_map::area, partition_map::area_end),
                "start tasks from a process that keeps these addresses free; sanitizers use them"};
        for (int i = 0; i < options.capacity; ++i) supervised.emplace_back(kernel, memory);
        watcher.emplace(maker.listener(), board.get(), supervised);
    }

    [[nodiscard]] task_entry& entry(int index) const { return board.get().entries[index]; }
    [[nodiscard]] bool anybody_runs() const noexcept {
        auto const* const first = board.get().entries;
        return std::any_of(first, first + board.get().capacity, [](task_entry const& e) { return e.state == task_state::running; });
    }
    void clear_away(int index) noexcept {
        supervised[static_cast<std::size_t>(index)].own.close();
        std::erase(left, index);
    }

    /// Task `index` is no more. Its memory stays while others run, who may be reading it.
    void bury(int index, int wait_status) {
        {
            auto const pause = watcher->pause();
            entry(index).wait_status = wait_status;
            entry(index).state = task_state::ended;
            left.push_back(index);
            if (!anybody_runs())
                while (!left.empty()) clear_away(left.back());
        }
        supervised[static_cast<std::size_t>(index)].pidfd.reset();
        prepared[static_cast<std::size_t>(index)].reset();
        free.push_back(index);
    }

    partition_map map;
    board_memory board;
    mappings kernel;
    own_memory memory;
    auxiliary_vector auxiliary;
    bool with_shortcuts;
    std::deque<int> free; ///< entries without a task, the one free for longest first
    std::deque<supervised_task> supervised;
    std::vector<std::unique_ptr<prepared_task>> prepared;
    std::vector<int> left; ///< entries whose tasks have ended, but not their memory
    starter maker;
    std::optional<supervisor> watcher; ///< ends before the starter, whose descriptor it reads
};

task_house::task_house(house_options const& options) : parts_(std::make_unique<parts>(options)) {}

task_house::~task_house() {
    auto const& board = parts_->board.get();
    for (std::uint32_t i = 0; i < board.capacity; ++i)
        if (board.entries[i].state == task_state::running) ::kill(board.entries[i].pid, SIGKILL);
    for (std::uint32_t i = 0; i < board.capacity; ++i) {
        if (board.entries[i].state != task_state::running) continue;
        int status = 0;
        while (::waitpid(board.entries[i].pid, &status, 0) < 0 && errno == EINTR) {
        }
        parts_->bury(static_cast<int>(i), status);
    }
}

std::uint64_t task_house::calls_answered() const noexcept {
    return parts_->watcher->answered();
}

task_board const& task_house::board() const noexcept {
    return parts_->board.get();
}

started_task task_house::start(task_order const& order) {
    auto& all = *parts_;
    if (all.free.empty())
        throw error{error_kind::environment, fmt::format("cannot start {}", order.path),
                    fmt::format("all {} places for tasks are taken", board().capacity), "request more tasks"};
    int const index = all.free.front();
    auto& entry = all.entry(index);
    auto& task = all.supervised[static_cast<std::size_t>(index)];
    all.clear_away(index);
    auto const base = all.map.next_base(index);
    task.own.open(base, all.map.bytes());
    auto& prepared = all.prepared[static_cast<std::size_t>(index)];
    try {
        prepared = std::make_unique<prepared_task>(order, task.own, all.auxiliary, task_place_text(board(), index));
        if (all.with_shortcuts) task.quick.open(task.own);
    } catch (...) {
        task.own.close();
        throw;
    }

    // Until the descriptor of the process is in its place, the supervisor must not look for it.
    auto const pause = all.watcher->pause();
    int pidfd = -1;
    clone_args how{};
    how.flags = CLONE_VM | CLONE_PIDFD | CLONE_PARENT_SETTID | CLONE_CLEAR_SIGHAND;
    how.exit_signal = SIGCHLD;
    how.pidfd = reinterpret_cast<std::uintptr_t>(&pidfd);
    static_assert(sizeof entry.pid == sizeof(pid_t) && decltype(entry.pid)::is_always_lock_free); // the kernel writes it
    // Before the process runs, so that no call of its can come from a pid that nobody knows.
    how.parent_tid = reinterpret_cast<std::uintptr_t>(&entry.pid);
    how.stack = prepared->stack_low();
    how.stack_size = prepared->entry_stack_bytes();
    entry.base = base;
    entry.rank = order.rank;
    entry.begun = now();
    entry.state = task_state::starting;
    long const pid = all.maker.clone(how, prepared->plan());
    if (pid < 0) {
        entry.state = task_state::free;
        prepared.reset();
        task.own.close();
        throw refused(fmt::format("cannot start {} as a task", order.path), "clone3", static_cast<int>(-pid));
    }
    task.pidfd = unique_fd{pidfd};
    entry.state = task_state::running;
    all.free.pop_front();
    return {index, static_cast<pid_t>(pid), pidfd};
}

std::string task_house::ended(int index, int wait_status) {
    auto& all = *parts_;
    if (index < 0 || static_cast<std::size_t>(index) >= all.prepared.size() || !all.prepared[static_cast<std::size_t>(index)])
        throw error{error_kind::internal, fmt::format("task {} is reported to have ended", index),
                    "the task never started, or its end was already reported", "report the end of each task once"};
    auto why = all.prepared[static_cast<std::size_t>(index)]->failure();
    all.bury(index, wait_status);
    return why;
}

} // namespace sode::internal
