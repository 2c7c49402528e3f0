// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "launch/answer.hpp"
#include "launch/launch.hpp"
#include "launch/rank_process.hpp"
#include "tasks/root/rank_request.hpp"
#include "tasks/root/root_link.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sode::internal::tools {

/// How a rank ended: its wait status, or why it never ran.
struct rank_end {
    int rank = 0;
    int status = 0;
    std::string never_ran;
};

/// The ranks of `sode run --space=tasks`: a root, the child of this process, starts them as tasks in its address space, and tells
/// how they end. If this process dies, the kernel kills the root, and with it the tasks.
class task_ranks {
public:
    /// Starts the root. Errors: environment; usage, if there is no such program.
    explicit task_ranks(launch_options const& options);

    /// Orders a rank. Errors: environment.
    void start(int rank, rank_start const& how);
    /// Waits until every rank that has been ordered is started, or one could not be: why not.
    [[nodiscard]] std::optional<std::string> first_failure();

    /// Can be read when there is something to tell.
    [[nodiscard]] int fd() const noexcept { return link_.fd(); }
    /// The next end, if it has been told; none are lost while ranks are started.
    [[nodiscard]] std::optional<rank_end> next_end();
    /// The root, and all tasks with it, are dead.
    [[nodiscard]] bool gone() const noexcept { return gone_; }

    void signal(int rank, int number);

private:
    void take(tasks::packet what);

    tasks::root_link link_;
    tasks::rank_request request_; ///< what all ranks have in common
    std::vector<int> inherited_;  ///< descriptors that every rank gets under their numbers
    std::deque<rank_end> ends_;
    int unanswered_ = 0;
    bool gone_ = false;
};

/// The program that is root and stub, in the folder where it lies beside this command. Errors: environment.
[[nodiscard]] std::string find_task_program();

/// Whether it works on this machine (status 0), and why or why not.
[[nodiscard]] answer ask_about_tasks();

} // namespace sode::internal::tools
