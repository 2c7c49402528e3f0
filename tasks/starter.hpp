// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"
#include "tasks/task_entry.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace sode::internal {

/// A thread that makes the tasks and nothing else. It alone is under the filter of system calls, which its children inherit; so the
/// root's own calls are never held up by the supervisor, which is a thread of the root.
class starter {
public:
    /// Errors: those of filter_this_thread().
    starter(std::uintptr_t low, std::uintptr_t high);
    ~starter();
    starter(starter const&) = delete;
    starter& operator=(starter const&) = delete;

    /// What hears of the tasks' system calls.
    [[nodiscard]] int listener() const noexcept { return listener_.get(); }

    /// clone_task() in that thread.
    [[nodiscard]] long clone(clone_args& how, entry_plan& plan);

private:
    void work(std::uintptr_t low, std::uintptr_t high);

    std::mutex mutex_;
    std::condition_variable changed_;
    unique_fd listener_;
    std::exception_ptr refused_;
    bool ready_ = false;
    bool stop_ = false;
    clone_args* how_ = nullptr; ///< an order
    entry_plan* plan_ = nullptr;
    long result_ = 0;
    std::thread thread_;
};

} // namespace sode::internal
