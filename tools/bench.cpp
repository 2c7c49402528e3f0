// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "launch/become.hpp"

#include <sode/error.hpp>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

namespace sode::tools {

namespace {

// In a build folder it lies beside this command, installed where programs lie that are not for the command line.
std::string find_driver() {
    std::error_code unknown;
    auto const here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
    auto const beside = (here / "sode-bench").string();
    auto const installed = (here.parent_path() / "libexec" / "sode" / "sode-bench").string();
    for (auto const& path : {beside, installed})
        if (access(path.c_str(), X_OK) == 0) return path;
    throw error{error_kind::environment, "there are no benchmarks beside this `sode`",
                fmt::format("no {} and no {}", beside, installed),
                "build them with the project (cmake --preset release && cmake --build --preset release) and run the `sode` of that "
                "build, or install them (cmake --install build/release --component bench)"};
}

} // namespace

command add_bench(CLI::App& app) {
    CLI::App* const bench = app.add_subcommand("bench", "Measure this machine against hand-written MPI: sode bench "
                                                        "halo|stencil|datatypes|page [options]; see `sode bench halo --help`");
    bench->prefix_command(); // every word is the driver's
    bench->set_help_flag();  // --help as well
    return [bench](std::vector<std::string> const& rest) -> int {
        auto words = bench->remaining();
        words.insert(words.end(), rest.begin(), rest.end());
        if (words.empty()) words.emplace_back("--help");
        auto const driver = find_driver();
        words.insert(words.begin(), driver);
        become(driver, std::move(words), "it is a Python program: is python3 installed?");
    };
}

} // namespace sode::tools
