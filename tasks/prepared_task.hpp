// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/initial_stack.hpp"
#include "tasks/partition.hpp"
#include "tasks/task_entry.hpp"
#include "tasks/task_order.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sode::internal {

/// A task whose program and stack are in memory, and which only needs a process. Keeps what that process reads on its way.
class prepared_task {
public:
    /// `place` is the value of task_variable. Errors: usage and environment, as of task_house::start(); what was mapped until then
    /// remains.
    prepared_task(task_order const& order, partition& own, auxiliary_vector const& auxiliary, std::string const& place);
    prepared_task(prepared_task const&) = delete;
    prepared_task& operator=(prepared_task const&) = delete;

    [[nodiscard]] entry_plan& plan() noexcept { return plan_; }
    /// The stack of the way to the program: below what the program will find on it.
    [[nodiscard]] std::uintptr_t stack_low() const noexcept { return stack_low_; }
    [[nodiscard]] std::size_t entry_stack_bytes() const noexcept;

    /// Why the process did not come to its program; empty: it did, as far as is known.
    [[nodiscard]] std::string failure() const;

private:
    void take_descriptors(std::vector<handed_fd> const& wanted);
    void map_stack(task_order const& order, partition& own, initial_stack const& content, bool executable);

    std::string path_;
    std::string name_;
    std::string directory_;
    std::vector<handed_fd> fds_;
    std::vector<resource_limit> limits_;
    std::vector<unsigned long> processors_;
    std::vector<unsigned long> memory_nodes_;
    std::uintptr_t stack_low_ = 0;
    entry_plan plan_;
};

} // namespace sode::internal
