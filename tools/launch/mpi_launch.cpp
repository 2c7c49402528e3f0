// SPDX-License-Identifier: Apache-2.0
#include "launch/mpi_launch.hpp"

#include "base/config.hpp"
#include "base/mpi_plugin.hpp"
#include "base/processors.hpp"
#include "base/system_error.hpp"
#include "launch/answer.hpp"
#include "launch/task_ranks.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace sode::tools {

namespace {

namespace fs = std::filesystem;

bool executable(fs::path const& path) {
    std::error_code unknown;
    return fs::is_regular_file(path, unknown) && ::access(path.c_str(), X_OK) == 0;
}

// As execvp would find it; empty: not at all.
std::string in_path(std::string const& name) {
    if (name.find('/') != std::string::npos) return executable(name) ? name : "";
    char const* const list = std::getenv("PATH");
    std::istringstream folders{list != nullptr ? list : "/bin:/usr/bin"};
    for (std::string folder; std::getline(folders, folder, ':');)
        if (auto const path = fs::path{folder.empty() ? "." : folder} / name; executable(path)) return path.string();
    return "";
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
    throw error{error_kind::environment, fmt::format("there is no launcher of {}", mpi.name),
                fmt::format("neither mpirun.{} nor an mpirun that says `{}` is in PATH", mpi.name, mpi.says),
                "install it, or put it into PATH"};
}

// Beside the plug-in of that MPI, or where this command was built or installed.
std::string layer_for(std::string_view mpi) {
    auto const file = fmt::format("libsode-interpose-{}.so", mpi);
    std::vector<fs::path> folders;
    for (auto const& plugin : find_mpi_plugins(config::from_environment()))
        if (plugin.name == mpi && !plugin.file.empty()) folders.push_back(fs::path{plugin.file}.parent_path());
    std::error_code unknown;
    auto const here = fs::read_symlink("/proc/self/exe", unknown).parent_path().parent_path();
    for (char const* const lib : {"lib", "lib64", "lib/x86_64-linux-gnu"}) folders.push_back(here / lib / "sode");
    for (auto const& folder : folders)
        if (fs::exists(folder / file, unknown)) return (folder / file).string();
    throw error{error_kind::environment, fmt::format("there is no MPI layer for {} here", mpi),
                fmt::format("no {} beside this `sode`", file), "build Sode on a machine that has that MPI"};
}

implementation const& linked_with(std::string const& file) {
    auto const libraries = ask({"/lib64/ld-linux-x86-64.so.2", "--list", file});
    if (libraries.status == 0)
        for (auto const& mpi : implementations)
            if (libraries.text.find(mpi.library) != std::string::npos) return mpi;
    throw error{error_kind::usage, fmt::format("{} cannot be run under the MPI layer", file),
                libraries.status == 0 ? "it is linked with neither Open MPI nor MPICH" : "it is no dynamically linked program",
                "build it with mpicc, mpicxx or mpifort of one of them, or leave --mpi away"};
}

bool tasks_work() {
    try {
        return ask({find_task_program(), "--usable"}).status == 0;
    } catch (error const&) {
        return false; // there is no such program
    }
}

} // namespace

std::string_view mpi_of_program(std::string const& file) {
    return linked_with(file).name;
}

std::vector<std::string> words_of_mpi_launch(launch_options const& options) {
    auto const program = in_path(options.program.front());
    if (program.empty())
        throw error{error_kind::usage, fmt::format("{} cannot be run", options.program.front()),
                    "there is no such program, or it is not executable", "look at the path"};
    auto const& mpi = linked_with(program.find('/') == std::string::npos ? "./" + program : program);
    std::vector<std::string> words{launcher_of(mpi), "-n", fmt::format("{}", options.ranks)};
    if (mpi.name == "openmpi") { // which refuses both without being asked
        if (::geteuid() == 0) words.emplace_back("--allow-run-as-root");
        if (options.ranks > usable_processors()) words.emplace_back("--oversubscribe");
    }
    char const* const others = std::getenv("LD_PRELOAD");
    words.insert(words.end(), {"env", fmt::format("LD_PRELOAD={}{}{}", layer_for(mpi.name), others != nullptr ? ":" : "",
                                                  others != nullptr ? others : "")});
    if (tasks_work()) words.push_back(find_task_program());
    words.push_back(program);
    words.insert(words.end(), options.program.begin() + 1, options.program.end());
    return words;
}

void launch_by_mpi(launch_options const& options) {
    auto words = words_of_mpi_launch(options);
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(arguments.front(), arguments.data());
    throw system_error(fmt::format("{} cannot be started", words.front()), "execv", "look at its permissions");
}

} // namespace sode::tools
