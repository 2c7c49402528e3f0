// SPDX-License-Identifier: Apache-2.0
#include "launch/mpi_launch.hpp"

#include "base/config.hpp"
#include "base/mpi_plugin.hpp"
#include "base/processors.hpp"
#include "launch/answer.hpp"
#include "launch/become.hpp"
#include "launch/task_ranks.hpp"
#include "tasks/root/own_request.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace sode::internal::tools {

namespace {

// As execvp would find it; empty: not at all.
std::string in_path(std::string const& name) {
    try {
        return tasks::find_program(name);
    } catch (tasks::program_error const&) {
        return {};
    }
}

struct implementation {
    std::string_view name;
    std::string_view library; ///< what the file name of its libmpi begins with
    std::string_view says;    ///< in the first lines of `mpirun --version`
};
constexpr std::array implementations{
    implementation{"openmpi", "libmpi.so.40", "Open MPI"},
    implementation{"mpich", "libmpich.so", "HYDRA"},
    implementation{"mpich", "libmpi.so.12", "HYDRA"},
};

std::string launcher_of(implementation const& mpi) {
    if (auto own = in_path(fmt::format("mpirun.{}", mpi.name)); !own.empty()) return own;
    for (char const* const common : {"mpirun", "mpiexec"})
        if (auto path = in_path(common); !path.empty() && ask({path, "--version"}).text.find(mpi.says) != std::string::npos)
            return path;
    throw error{error_kind::environment, fmt::format("the launcher of {} was not found", mpi.name),
                fmt::format("neither mpirun.{} nor an mpirun that says `{}` is in PATH", mpi.name, mpi.says),
                "install this MPI, or add its mpirun to PATH"};
}

std::string layer_for(std::string_view mpi) {
    auto const name = fmt::format("libsode-interpose-{}.so", mpi);
    auto file = find_beside_plugins(name, config::from_environment());
    if (file.empty())
        throw error{
            error_kind::environment, fmt::format("the MPI layer for {} is missing", mpi),
            fmt::format("this installation of Sode does not contain {}", name),
            fmt::format("build Sode on a machine where {} is installed, or set SODE_PLUGINS to the folder of this file", mpi)};
    return file;
}

implementation const& linked_with(std::string const& file) {
    auto const libraries = ask({"/lib64/ld-linux-x86-64.so.2", "--list", file});
    if (libraries.status == 0)
        for (auto const& mpi : implementations)
            if (libraries.text.find(mpi.library) != std::string::npos) return mpi;
    throw error{error_kind::usage, fmt::format("{} cannot be run under the MPI layer", file),
                libraries.status == 0 ? "the program is linked with neither Open MPI nor MPICH"
                                      : "the file is not a dynamically linked program",
                "build the program with mpicc, mpicxx or mpifort of Open MPI or MPICH, or omit --mpi"};
}

} // namespace

std::vector<std::string> words_of_mpi_launch(launch_options const& options) {
    auto const program = in_path(options.program.front());
    if (program.empty())
        throw error{error_kind::usage, fmt::format("{} cannot be run", options.program.front()),
                    "the program does not exist, or is not executable", "pass the path of an executable program"};
    auto const& mpi = linked_with(program);
    std::vector<std::string> words{launcher_of(mpi), "-n", fmt::format("{}", options.ranks)};
    if (mpi.name == "openmpi") { // which refuses both without being asked
        if (::geteuid() == 0) words.emplace_back("--allow-run-as-root");
        if (options.ranks > usable_processors()) words.emplace_back("--oversubscribe");
    }
    char const* const others = std::getenv("LD_PRELOAD");
    words.insert(words.end(), {"env", fmt::format("LD_PRELOAD={}{}{}", layer_for(mpi.name), others != nullptr ? ":" : "",
                                                  others != nullptr ? others : "")});
    if (ask_about_tasks().status == 0) words.push_back(find_task_program());
    words.push_back(program);
    words.insert(words.end(), options.program.begin() + 1, options.program.end());
    return words;
}

void launch_by_mpi(launch_options const& options) {
    auto words = words_of_mpi_launch(options);
    auto const program = words.front();
    become(program, std::move(words), "check its permissions");
}

} // namespace sode::internal::tools
