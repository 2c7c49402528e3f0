// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "parts.hpp"

#include "launch/answer.hpp"
#include "launch/become.hpp"

#include <sode/error.hpp>

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

namespace sode::internal::tools {
namespace {

/// Which MPI a compiler wrapper is of, by what it would run.
std::string mpi_of(std::string const& wrapper) {
    auto const line = ask({wrapper, "-show"}).text;
    if (line.find("-lmpich") != std::string::npos) return "mpich";
    if (line.find("openmpi") != std::string::npos || line.find("-lopen-pal") != std::string::npos) return "openmpi";
    if (line.find("-lmpi") != std::string::npos) return line.find("mpich") != std::string::npos ? "mpich" : "openmpi";
    throw error{error_kind::environment, fmt::format("{} does not belong to Open MPI or MPICH", wrapper),
                line.empty() ? "the wrapper does not support -show"
                             : fmt::format("the wrapper would run: {}", line.substr(0, line.find('\n'))),
                "select the MPI: sode mpicc --mpi=openmpi, or --mpi=mpich"};
}

bool links(std::vector<std::string> const& words) {
    constexpr std::array without{"-c", "-E", "-S", "-M", "-MM", "-fsyntax-only"};
    return std::none_of(words.begin(), words.end(),
                        [&](std::string const& w) { return std::ranges::find(without, w) != without.end(); });
}

[[noreturn]] void become_wrapper(std::string const& kind, std::vector<std::string> words) {
    constexpr std::string_view choice = "--mpi=";
    std::string mpi, wrapper = kind;
    if (!words.empty() && words.front().starts_with(choice)) {
        mpi = words.front().substr(choice.size());
        if (mpi != "openmpi" && mpi != "mpich")
            throw error{error_kind::usage, fmt::format("--mpi={} is invalid", mpi), "Sode knows Open MPI and MPICH",
                        "write --mpi=openmpi or --mpi=mpich"};
        wrapper = fmt::format("{}.{}", kind, mpi);
        words.erase(words.begin());
    } else {
        mpi = mpi_of(kind);
    }
    auto const name = fmt::format("libsode-mpi4-{}.so", mpi);
    auto const library = part_of_sode(
        {"../lib/" + name, "../" SODE_LIBDIR "/" + name}, fmt::format("this installation of Sode does not contain {}", name),
        "build Sode on a machine where this MPI is installed (Debian: apt install libopenmpi-dev libmpich-dev)");
    // In a build folder the header is where the sources are; installed, beside the others.
    auto const header = part_of_sode({"../include/sode/mpi4.h", "../../../include/sode/mpi4.h"}, "sode/mpi4.h is missing",
                                     "install Sode as a whole (cmake --install)");
    auto const folder = std::filesystem::path{library}.parent_path().string();
    std::vector<std::string> line{wrapper, "-I" + std::filesystem::path{header}.parent_path().parent_path().string()};
    if (kind != "mpifort") line.insert(line.end(), {"-include", header});
    line.insert(line.end(), words.begin(), words.end());
    if (links(words))
        for (auto const& word : {"-L" + folder, "-Wl,-rpath," + folder, "-lsode-mpi4-" + mpi}) line.push_back(word);
    become(wrapper, std::move(line), "install this MPI's compiler wrappers, and add them to PATH");
}

command add(CLI::App& app, std::string const& kind, char const* language) {
    CLI::App* const one = app.add_subcommand(
        kind,
        fmt::format(
            "Compile and link a {0} program with MPI-4's persistent collectives: sode {1} [--mpi=openmpi|mpich] [options of {1}]",
            language, kind));
    one->prefix_command(); // every word is the compiler's
    one->set_help_flag();
    return [one, kind](std::vector<std::string> const& rest) -> int {
        auto words = one->remaining();
        words.insert(words.end(), rest.begin(), rest.end());
        auto const* const ending = kind == "mpicc" ? "c" : kind == "mpicxx" ? "cpp" : "f90";
        if (words.size() == 1 && words.front() == "--help") {
            fmt::print("sode {0}: compiles MPI programs with the persistent collectives of MPI-4 (MPI_Allreduce_init, ...)\n\n"
                       "    sode {0} -O2 program.{1} -o program\n    mpirun -n 4 ./program\n\n"
                       "The options are those of {0}, and this option as the first word:\n"
                       "  --mpi=openmpi, --mpi=mpich  use this MPI. Default: the MPI of the {0} in PATH\n",
                       kind, ending);
            return 0;
        }
        if (words.empty())
            throw error{error_kind::usage, fmt::format("sode {} has nothing to compile", kind), "",
                        fmt::format("try: sode {} program.{} -o program", kind, ending)};
        become_wrapper(kind, std::move(words));
    };
}

} // namespace

command add_mpicc(CLI::App& app) {
    return add(app, "mpicc", "C");
}

command add_mpicxx(CLI::App& app) {
    return add(app, "mpicxx", "C++");
}

command add_mpifort(CLI::App& app) {
    return add(app, "mpifort", "Fortran");
}

} // namespace sode::internal::tools
