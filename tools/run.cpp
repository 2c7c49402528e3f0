// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "base/job_control.hpp"
#include "launch/launch.hpp"
#include "launch/mpi_launch.hpp"
#include "launch/placements.hpp"
#include "option_errors.hpp"

#include <sode/error.hpp>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace sode::internal::tools {

namespace {

void check(launch_options const& options) {
    if (options.ranks < 1 || options.ranks > max_local_ranks)
        throw error{error_kind::usage, fmt::format("a job cannot have {} ranks", options.ranks),
                    fmt::format("1 to {} are possible", max_local_ranks), "choose -n in this range"};
    constexpr int most_threads = 256;
    if (options.threads < 1 || options.threads > most_threads)
        throw error{error_kind::usage, fmt::format("a rank cannot have {} threads", options.threads),
                    fmt::format("1 to {} are possible", most_threads), "choose --threads in this range"};
    if (!std::isfinite(options.timeout_s) || options.timeout_s < 0)
        throw error{error_kind::usage, "--timeout is not a number of seconds", "", "pass a positive number, or 0 for no limit"};
    if (options.space != "processes" && options.space != "tasks")
        throw error{error_kind::usage, fmt::format("--space={} is invalid", options.space), "",
                    "write --space=processes or --space=tasks"};
    if (!options.tasks() && (options.scatter || !options.partition.empty() || !options.stack.empty()))
        throw error{error_kind::usage, "--scatter, --partition and --stack require tasks", "the ranks of this job are processes",
                    "add --space=tasks"};
    if (options.mpi &&
        (!options.cores.empty() || options.threads > 1 || options.prefix || options.timeout_s > 0 || options.space != "processes"))
        throw error{error_kind::usage, "--mpi can be combined only with -n", "the mpirun of the program's MPI starts the ranks",
                    "call this mpirun yourself to pass other options (docs/mpi-layer.md)"};
    if (options.program.empty())
        throw error{error_kind::usage, "there is no program to run", "", "write `sode run -n 4 ./program arguments`"};
}

// A seed, or so many of them.
void read_scatter(std::string_view text, launch_options& options) {
    constexpr int most = 1000;
    std::uint64_t number = 0;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view const unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
    if (failure != std::errc{} || (!unit.empty() && unit != "seeds"))
        throw error{error_kind::usage, fmt::format("--scatter={} is invalid", text),
                    "the value is neither a seed nor a number of seeds",
                    "write --scatter=1, or --scatter=5seeds to compare five placements"};
    if (!unit.empty() && (number < 2 || number > most))
        throw error{error_kind::usage, fmt::format("--scatter={} is invalid", text),
                    fmt::format("2 to {} placements can be compared", most), "write --scatter=5seeds"};
    options.scatter = number;
    options.placements = unit.empty() ? 0 : static_cast<int>(number);
}

// What stands before a `--` and what behind it; the program begins in one of them.
std::vector<std::string> program_of(CLI::App const& run, std::vector<std::string> before, std::vector<std::string> const& rest) {
    // CLI11 takes an option that it does not know for the program.
    if (!before.empty() && before.front().starts_with('-')) refuse_option(before.front(), run);
    bool const ours = before.empty() && !rest.empty();
    before.insert(before.end(), rest.begin() + (ours ? 1 : 0), rest.end());
    return before;
}

} // namespace

command add_run(CLI::App& app) {
    CLI::App* const run =
        app.add_subcommand("run", "Run a program as N ranks on this machine: sode run -n N [options] [--] program [arguments]");
    auto const options = std::make_shared<launch_options>();
    auto const scatter = std::make_shared<std::string>();
    run->add_option("-n,--ranks", options->ranks, "Number of ranks (also: -np N)")->required()->type_name("N");
    run->add_option("--threads", options->threads,
                    "Number of threads that share the loops of each rank. Each thread gets a core (SODE_THREADS)")
        ->type_name("T")
        ->capture_default_str();
    run->add_option(
           "--cores", options->cores,
           "Processors for the ranks: a list such as 0,2-5 (one processor for each thread, rank by rank), `all` (ranks are spread "
           "over all cores), or `none` (the system decides). Default: `all` if there are enough cores, else `none`")
        ->type_name("LIST|all|none");
    run->add_flag("--prefix", options->prefix, "Begin every line of output with the number of its rank: [3] ...");
    run->add_option("--timeout", options->timeout_s, "End the job after this number of seconds, with status 124")
        ->type_name("SECONDS");
    run->add_option("--space", options->space, "Kind of ranks: `processes`, or `tasks` in one address space (docs/tasks.md)")
        ->type_name("processes|tasks")
        ->capture_default_str();
    run->add_option("--scatter", *scatter,
                    "With --space=tasks: put tasks at random addresses, to find stray stores. 5seeds: run the program with five "
                    "placements, and print the differences")
        ->type_name("SEED|Nseeds");
    run->add_option("--partition", options->partition, "With --space=tasks: size of the address space of a task, such as 64G")
        ->type_name("BYTES");
    run->add_option("--stack", options->stack,
                    "With --space=tasks: size of the stack of the main thread, such as 64M. Default: `ulimit -s`")
        ->type_name("BYTES");
    run->add_flag(
        "--mpi", options->mpi,
        "Run an unmodified MPI program by the mpirun of its MPI, with the MPI layer, and with tasks if they work on this machine "
        "(docs/mpi-layer.md)");
    run->prefix_command(); // the first word that is no option is the program, and all behind it is the program's
    run->footer(
        "The exit status is that of the first rank that fails (128 + signal if a signal killed it). The other ranks have 2 "
        "s\n"
        "to print their messages. Then they are killed. Only rank 0 reads the standard input. SIGINT, SIGTERM, SIGHUP, SIGQUIT,\n"
        "SIGUSR1, SIGUSR2, SIGTSTP and SIGCONT are passed on to all ranks.");
    return [run, options, scatter](std::vector<std::string> const& rest) {
        options->program = program_of(*run, run->remaining(), rest);
        if (!scatter->empty()) read_scatter(*scatter, *options);
        check(*options);
        if (options->threads > 1) setenv("SODE_THREADS", std::to_string(options->threads).c_str(), 1); // the ranks inherit it
        if (options->mpi) launch_by_mpi(*options);
        if (options->placements > 0) return compare_placements(*options);
        return launch(*options);
    };
}

} // namespace sode::internal::tools
