// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "base/config.hpp"
#include "base/mpi_plugin.hpp"
#include "base/topology.hpp"
#include "doctor/system_findings.hpp"
#include "launch/task_ranks.hpp"
#include "model/profile_file.hpp"

#include <sode/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace sode::internal::tools {
namespace {

finding tasks() {
    auto const told = ask_about_tasks();
    return {"ranks in one address space", told.status == 0 ? "work" : told.text,
            told.status == 0 ? ""
                             : "`sode run --space=tasks` is the fastest way for MPI programs; docs/tasks.md says what it needs"};
}

finding profile() {
    std::string const what = "costs of this machine";
    try {
        auto const file = profile_in_force(config::from_environment().profile);
        if (file.empty()) return {what, "built in, measured elsewhere", "sode tune"};
        profile_origin origin;
        static_cast<void>(load_profile(file, &origin));
        bool const elsewhere = !origin.cpu.empty() && origin.cpu != topology{}.model();
        return {what, elsewhere ? "measured on another processor: " + origin.cpu : "measured (" + file + ")",
                elsewhere ? "sode tune" : ""};
    } catch (error const&) {
        return {what, "the stored profile cannot be read", "sode tune"};
    }
}

finding networks() {
    std::string found, why;
    for (auto const& p : find_mpi_plugins(config::from_environment()))
        if (p.why_not.empty())
            found += fmt::format("{}{}", found.empty() ? "" : ", ", p.name);
        else
            why = p.why_not;
    return {"MPI for several machines", found.empty() ? "none" : found,
            found.empty() ? "install Open MPI or MPICH, and build Sode again: " + why : ""};
}

int print_findings() {
    auto list = system_findings();
    for (auto const& one : {tasks(), profile(), networks()}) list.push_back(one);
    std::stable_partition(list.begin(), list.end(), [](finding const& f) { return !f.remedy.empty(); });
    for (auto const& f : list) {
        fmt::print("{}  {}: {}\n", f.remedy.empty() ? "fine  " : "change", f.what, f.seen);
        if (!f.remedy.empty()) fmt::print("        {}\n", f.remedy);
    }
    return 0;
}

} // namespace

command add_doctor(CLI::App& app) {
    app.add_subcommand("doctor", "Recommend changes to this machine that make programs run faster");
    return [](std::vector<std::string> const& rest) {
        if (!rest.empty())
            throw error{error_kind::usage, "`sode doctor` takes no arguments", fmt::format("{} was passed", rest.front()),
                        "write `sode doctor`"};
        return print_findings();
    };
}

} // namespace sode::internal::tools
