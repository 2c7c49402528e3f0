// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "base/mpi_plugin.hpp"
#include "base/processors.hpp"
#include "base/whole_file.hpp"
#include "launch/launch.hpp"
#include "model/profile_file.hpp"
#include "tune/messages.hpp"
#include "tune/rank.hpp"

#include <sode/error.hpp>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace sode::tools {
namespace {

[[noreturn]] void refuse_homeless() {
    throw error{error_kind::environment, "there is no place to store the profile", "neither XDG_CONFIG_HOME nor HOME is set",
                "name a file with -o"};
}

std::string output_of(tune_options const& given) {
    if (given.output.empty() && given.print) return "";
    auto file = given.output.empty() ? default_profile_path() : std::filesystem::absolute(given.output).string();
    if (file.empty()) refuse_homeless();
    if (std::error_code none; given.output.empty())
        std::filesystem::create_directories(std::filesystem::path{file}.parent_path(), none);
    new_file const attempt{file, "profile"}; // what cannot be stored need not be measured
    return file;
}

int start(tune_options const& options) {
    launch_options job;
    // Between two cores there is more to know; one that is alone knows what one knows.
    job.ranks = usable_processors() >= 2 ? 2 : 1;
    job.cores = options.cores;
    job.timeout_s = options.quick ? 20 : 60; // measuring ends by itself, long before
    job.program = {std::filesystem::read_symlink("/proc/self/exe").string(), "tune", "--rank"};
    if (auto const file = output_of(options); !file.empty()) job.program.insert(job.program.end(), {"-o", file});
    if (options.quick) job.program.emplace_back("--quick");
    if (options.print) job.program.emplace_back("--print");
    return launch(job);
}

int measure_messages(tune_options options) {
    if (!options.cores.empty())
        throw error{error_kind::usage, "--cores cannot be had here", "an MPI's launcher has placed the ranks",
                    "place them by its own options"};
    if (options.output.empty() && !options.print) {
        options.output = default_profile_path();
        if (options.output.empty()) refuse_homeless();
        std::error_code none;
        std::filesystem::create_directories(std::filesystem::path{options.output}.parent_path(), none);
    }
    tune_messages(options);
    return 0;
}

} // namespace

command add_tune(CLI::App& app) {
    CLI::App* const tune = app.add_subcommand("tune", "Measure this machine, and store what the cost model needs to know of it");
    auto const options = std::make_shared<tune_options>();
    auto const as_rank = std::make_shared<bool>(false);
    tune->add_option("-o,--output", options->output, "Where to store the profile. Default: where every job looks for it")
        ->type_name("FILE");
    tune->add_flag("--quick", options->quick, "Measure for three seconds at most, not for half a minute");
    tune->add_flag("--print", options->print, "Print the profile, and store it only where -o says");
    tune->add_option("--cores", options->cores, "Which two cores to measure, as for `sode run`; default: two that are far apart")
        ->type_name("LIST");
    tune->add_flag("--rank", *as_rank)->group(""); // how it starts itself
    tune->footer("Two processes copy to and fro on two cores, in the ways of a halo exchange. Leave the machine alone meanwhile.\n"
                 "Started by an MPI (mpirun -n 2 sode tune, on two nodes) it measures messages between two ranks, and adds them.\n"
                 "docs/profile.md says what the numbers mean; SODE_PROFILE=FILE uses a profile that lies elsewhere.");
    return [options, as_rank](std::vector<std::string> const& rest) {
        if (!rest.empty()) throw error{error_kind::usage, "`sode tune` takes no program", "", "see `sode tune --help`"};
        if (!*as_rank) return launching_mpi(config::from_environment()).empty() ? start(*options) : measure_messages(*options);
        tune_as_rank(*options);
        return 0;
    };
}

} // namespace sode::tools
