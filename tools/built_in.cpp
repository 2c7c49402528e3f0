// SPDX-License-Identifier: Apache-2.0
#include "built_in.hpp"

#include "base/config.hpp"
#include "base/mpi_plugin.hpp"
#include "base/sibling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::tools {
namespace {

bool beside(std::initializer_list<std::string_view> places) {
    auto const here = folder_of_this_program();
    return std::any_of(places.begin(), places.end(), [&](auto place) {
        std::error_code none;
        return std::filesystem::exists(here / place, none);
    });
}

std::string listed(std::vector<std::string> const& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string yes(bool there) {
    return there ? "yes" : "no";
}

} // namespace

std::string version_and_parts() {
    auto const settings = config::from_environment();
    std::vector<std::string> plugins, layers;
    for (std::string const mpi : {"openmpi", "mpich"}) {
        if (!find_beside_plugins("libsode-channel-" + mpi + ".so", settings).empty()) plugins.push_back(mpi);
        if (!find_beside_plugins("libsode-interpose-" + mpi + ".so", settings).empty()) layers.push_back(mpi);
    }
    return fmt::format("sode {}\n"
                       "  compiled by              {}\n"
                       "  MPI plug-ins             {}\n"
                       "  MPI layers               {}\n"
                       "  tasks                    {}\n"
                       "  files (HDF5)             {}\n"
                       "  compiler of directives   {}\n"
                       "  benchmarks               {}",
                       SODE_VERSION, SODE_COMPILER, listed(plugins), listed(layers), yes(beside({"../libexec/sode/sode-task"})),
                       yes(SODE_WITH_HDF5),
                       yes(beside({"../libexec/sode/sode-rewrite", "../" SODE_LIBEXECDIR "/sode/sode-rewrite"})),
                       yes(beside({"sode-bench", "../libexec/sode/sode-bench"})));
}

} // namespace sode::internal::tools
