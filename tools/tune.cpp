// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "base/mpi_plugin.hpp"
#include "base/processors.hpp"
#include "base/whole_file.hpp"
#include "launch/become.hpp"
#include "launch/launch.hpp"
#include "launch/task_ranks.hpp"
#include "model/profile_file.hpp"
#include "space/space.hpp"
#include "tune/rank.hpp"

#include <sode/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace sode::internal::tools {
namespace {

[[noreturn]] void refuse_homeless() {
    throw error{error_kind::environment, "there is no place to store the profile",
                "neither XDG_CONFIG_HOME nor HOME is set to an absolute path",
                "name a file with -o, and set SODE_PROFILE to this file"};
}

void make_folder_of(std::string const& file) {
    std::error_code failed;
    auto const folder = std::filesystem::path{file}.parent_path();
    std::filesystem::create_directories(folder, failed);
    if (failed)
        throw error{error_kind::environment, fmt::format("the folder {} for the profile cannot be created", folder.string()),
                    failed.message(), "name a file with -o, and set SODE_PROFILE to this file"};
}

std::string output_of(tune_options const& given) {
    if (given.output.empty() && given.print) return "";
    auto file = given.output.empty() ? default_profile_path() : std::filesystem::absolute(given.output).string();
    if (file.empty()) refuse_homeless();
    if (given.output.empty()) make_folder_of(file);
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
    auto for_ranks = options;
    for_ranks.output = output_of(options);
    auto const words = words_of(for_ranks);
    job.program.insert(job.program.end(), words.begin(), words.end());
    return launch(job);
}

// The measuring program of that MPI takes the place of this one: as a task, where tasks work, for then its MPI layer copies as it
// does in programs that are run by `sode run --mpi`.
[[noreturn]] void measure_by(std::string const& mpi, tune_options options) {
    if (!options.cores.empty())
        throw error{error_kind::usage, "--cores cannot be used under an MPI launcher", "the launcher has placed the ranks",
                    "place the ranks with the launcher's options"};
    if (options.output.empty() && !options.print) {
        options.output = default_profile_path();
        if (options.output.empty()) refuse_homeless();
        std::error_code none; // rank 0 says what is wrong; the others write nothing
        std::filesystem::create_directories(std::filesystem::path{options.output}.parent_path(), none);
    }
    auto const settings = config::from_environment();
    auto const name = fmt::format("sode-tune-{}", mpi);
    auto const program = find_beside_plugins(name, settings);
    if (program.empty())
        throw error{error_kind::environment, fmt::format("the cost of messages of {} cannot be measured", mpi),
                    fmt::format("this installation of Sode does not contain {}", name),
                    fmt::format("build Sode where {} is installed, set SODE_PLUGINS or SODE_MPI, or measure without MPI", mpi)};
    std::vector<std::string> words{program};
    if (wanted_space(settings) != space_choice::segment && ask_about_tasks().status == 0)
        words.insert(words.begin(), find_task_program());
    auto const own = words_of(options);
    words.insert(words.end(), own.begin(), own.end());
    auto const first = words.front();
    become(first, std::move(words), "check its permissions");
}

} // namespace

command add_tune(CLI::App& app) {
    CLI::App* const tune = app.add_subcommand("tune", "Measure the constants of this machine for the cost model, and store them");
    auto const options = std::make_shared<tune_options>();
    auto const as_rank = std::make_shared<bool>(false);
    tune->add_option("-o,--output", options->output, "File for the profile. Default: the file that all jobs read")
        ->type_name("FILE");
    tune->add_flag("--quick", options->quick, "Measure for about 3 seconds instead of 30");
    tune->add_flag("--print", options->print, "Print the profile, and store it only if -o names a file");
    tune->add_option("--cores", options->cores,
                     "The two cores to measure, as for `sode run`. Default: two cores that are far apart")
        ->type_name("LIST");
    tune->add_flag("--rank", *as_rank)->group(""); // how it starts itself
    tune->footer(
        "Two processes on two cores copy data as a halo exchange does. Do not run other programs at the same time.\n"
        "If an MPI starts the command (mpirun -n 2 sode tune), it measures messages of this MPI and adds their costs to the\n"
        "profile: on one machine, messages of derived datatypes by the MPI and by Sode; between machines, all messages.\n"
        "docs/profile.md explains the numbers. SODE_PROFILE=FILE uses the profile in FILE.");
    return [options, as_rank](std::vector<std::string> const& rest) {
        if (!rest.empty()) throw error{error_kind::usage, "`sode tune` does not run a program", "", "see `sode tune --help`"};
        if (*as_rank) {
            tune_as_rank(*options);
            return 0;
        }
        if (auto const mpi = launching_mpi(config::from_environment()); !mpi.empty()) measure_by(mpi, *options);
        return start(*options);
    };
}

} // namespace sode::internal::tools
