// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "base/sibling.hpp"
#include "launch/become.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace sode::internal::tools {

namespace {

// In a build folder it lies beside this command, installed where programs lie that are not for the command line.
std::string find_driver() {
    return find_sibling({"sode-bench", "../libexec/sode/sode-bench"}, "this installation of Sode contains no benchmarks",
                        "build the benchmarks with the project (cmake --preset release && cmake --build --preset release) and run "
                        "the `sode` of that "
                        "build, or install them (cmake --install build/release --component bench)");
}

} // namespace

command add_bench(CLI::App& app) {
    CLI::App* const bench =
        app.add_subcommand("bench", "Compare Sode with hand-written MPI on this machine: sode bench "
                                    "halo|stencil|datatypes|collectives|page [options]. See `sode bench halo --help`");
    bench->prefix_command(); // every word is the driver's
    bench->set_help_flag();  // --help as well
    return [bench](std::vector<std::string> const& rest) -> int {
        auto words = bench->remaining();
        words.insert(words.end(), rest.begin(), rest.end());
        if (words.empty()) words.emplace_back("--help");
        auto const driver = find_driver();
        words.insert(words.begin(), driver);
        become(driver, std::move(words), "install python3, which runs this program");
    };
}

} // namespace sode::internal::tools
