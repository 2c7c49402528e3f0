// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "base/limits.hpp"
#include "base/nearest.hpp"
#include "base/warn.hpp"
#include "built_in.hpp"
#include "option_errors.hpp"

#include <sode/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace {

void refuse_unknown(CLI::App const& app, std::string const& word) {
    std::vector<std::string> names;
    for (auto const* const command : app.get_subcommands([](CLI::App const*) { return true; }))
        names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), word) != names.end()) return;
    std::string const near = sode::internal::nearest(word, {names.begin(), names.end()});
    throw sode::error{sode::error_kind::usage, "there is no command \"" + word + "\"", "",
                      near.empty() ? "see `sode --help`" : "did you mean " + near + "?"};
}

} // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): what is not caught here is that there is no memory to say anything
int main(int argc, char** argv) {
    CLI::App app{"Sode: communication for array codes, planned once, run many times.", "sode"};
    app.set_version_flag("--version", sode::internal::tools::version_and_parts, "Print the version and the built-in features");
    app.require_subcommand(1);
    std::vector<sode::internal::tools::command> const commands{
        sode::internal::tools::add_run(app),   sode::internal::tools::add_task(app),   sode::internal::tools::add_info(app),
        sode::internal::tools::add_tune(app),  sode::internal::tools::add_plan(app),   sode::internal::tools::add_bench(app),
        sode::internal::tools::add_gdb(app),   sode::internal::tools::add_cc(app),     sode::internal::tools::add_cxx(app),
        sode::internal::tools::add_mpicc(app), sode::internal::tools::add_mpicxx(app), sode::internal::tools::add_mpifort(app),
        sode::internal::tools::add_doctor(app)};

    // What is behind `--` belongs to the program that a command starts, whatever it looks like.
    std::vector<std::string> words(argv + 1, argv + argc);
    auto const dashes = std::find(words.begin(), words.end(), "--");
    std::vector<std::string> const rest(dashes, words.end());
    words.erase(dashes, words.end());
    CLI::App const* command = nullptr; // that the words are for
    try {
        if (!words.empty() && !words.front().starts_with('-')) {
            refuse_unknown(app, words.front());
            command = app.get_subcommand(words.front());
            if (words.front() == "run") words = sode::internal::tools::with_n_for_np(std::move(words), *command);
        }
        std::reverse(words.begin(), words.end()); // CLI11 takes them from the back
        app.parse(std::move(words));
        auto const all = app.get_subcommands([](CLI::App*) { return true; });
        auto const chosen = std::find(all.begin(), all.end(), app.get_subcommands().front());
        int const status = commands[static_cast<std::size_t>(chosen - all.begin())](rest);
        if (std::fflush(stdout) != 0) throw sode::internal::refused("the output cannot be written", "write", errno);
        return status;
    } catch (CLI::ParseError const& e) {
        if (e.get_exit_code() == 0) return app.exit(e); // --help, --version
        sode::internal::tell(sode::internal::tools::option_error(e, command));
        return sode::internal::tools::usage_status;
    } catch (sode::error const& e) {
        sode::internal::tell(e);
        return e.kind() == sode::error_kind::usage ? sode::internal::tools::usage_status : 1;
    }
}
