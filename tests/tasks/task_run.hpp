// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/task_house.hpp"

#include <string>
#include <vector>

namespace sode::internal::testing {

/// The programs of tests/tasks/programs.
[[nodiscard]] std::string program_path(std::string const& name);

/// `path arguments...` with this process's environment and its standard descriptors, the output going to a pipe.
class task_run {
public:
    task_run(task_house& house, std::string const& path, std::vector<std::string> const& arguments = {})
        : task_run(house, order_for(path, arguments)) {}
    task_run(task_house& house, task_order order);
    ~task_run();
    task_run(task_run const&) = delete;
    task_run& operator=(task_run const&) = delete;

    [[nodiscard]] static task_order order_for(std::string const& path, std::vector<std::string> const& arguments = {});

    [[nodiscard]] started_task const& task() const noexcept { return task_; }
    /// What it prints up to the end of a line.
    [[nodiscard]] std::string line();
    /// Ends its input.
    void close_input();
    /// Ends its input and waits; what it printed since is `output`. Returns the wait status.
    int wait();
    [[nodiscard]] std::string const& output() const noexcept { return output_; }
    /// Why it never ran.
    [[nodiscard]] std::string const& why() const noexcept { return why_; }

private:
    task_house* house_;
    int input_ = -1;
    int printed_ = -1;
    bool waited_ = false;
    started_task task_{};
    std::string output_;
    std::string why_;
};

} // namespace sode::internal::testing
