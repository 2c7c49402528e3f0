// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "launch/become.hpp"
#include "launch/task_ranks.hpp"

#include <CLI/CLI.hpp>

namespace sode::internal::tools {

command add_task(CLI::App& app) {
    CLI::App* const task = app.add_subcommand(
        "task", "Run the ranks of an MPI program as tasks of one address space: mpirun -n N sode task ./program. See "
                "`sode task --help`");
    task->prefix_command(); // every word is for the stub,
    task->set_help_flag();  // --help as well
    return [task](std::vector<std::string> const& rest) -> int {
        std::string const program = find_task_program();
        auto given = task->remaining();
        given.insert(given.end(), rest.begin(), rest.end());
        given.insert(given.begin(), "sode-task");
        become(program, std::move(given), "");
    };
}

} // namespace sode::internal::tools
