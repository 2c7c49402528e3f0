// SPDX-License-Identifier: Apache-2.0
#include "base/mpi_plugin.hpp"

#include "base/sibling.hpp"

#include <sode/error.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

namespace sode::internal {
namespace {

constexpr std::array<std::string_view, 2> known_mpis{"openmpi", "mpich"};

std::filesystem::path folder_of_this_library() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void const*>(&launching_mpi), &info) == 0 || info.dli_fname == nullptr) return {};
    std::error_code ignored;
    // The name of a program is as it was typed.
    auto const file = std::filesystem::canonical(info.dli_fname, ignored);
    return ignored ? folder_of_this_program() : file.parent_path();
}

std::vector<std::filesystem::path> folders(config const& settings) {
    std::vector<std::filesystem::path> list;
    if (!settings.plugins.empty()) return {settings.plugins};
    auto const here = folder_of_this_library();
    // Installed: LIBDIR/libsode.so or bin/sode, and LIBDIR/sode/. Built: src/libsode.so or bin/program, and lib/sode/.
    for (auto const* place : {"sode", "../lib/sode", "../" SODE_LIBDIR "/sode"}) list.push_back(here / place);
    list.emplace_back(SODE_PLUGIN_DIR);
    return list;
}

std::string file_name(std::string_view mpi) {
    return fmt::format("libsode-channel-{}.so", mpi);
}

// Stays open: an MPI that has been in use cannot be taken out of a process.
class open_plugin {
public:
    explicit open_plugin(std::string const& file, int scope) : handle_(dlopen(file.c_str(), RTLD_NOW | scope)) {
        if (!handle_) {
            why_not_ = dlerror();
            return;
        }
        auto* const version = function<char const*()>("sode_mpi_plugin_version");
        if (!version || std::string_view{version()} != SODE_VERSION)
            why_not_ = fmt::format("the plug-in belongs to Sode {}, and this is Sode {}", version ? version() : "?", SODE_VERSION);
    }
    [[nodiscard]] std::string const& why_not() const noexcept { return why_not_; }
    template <class F> [[nodiscard]] F* function(char const* name) const { return reinterpret_cast<F*>(dlsym(handle_, name)); }

private:
    void* handle_;
    std::string why_not_;
};

// The MPI that is in this process already, as the program was linked with it: its functions would be called by any plug-in.
std::string linked_mpi() {
    if (!dlsym(RTLD_DEFAULT, "MPI_Initialized")) return {};
    return dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") ? "openmpi" : "mpich";
}

bool mpi_is_initialised() {
    auto* const initialised = reinterpret_cast<int (*)(int*)>(dlsym(RTLD_DEFAULT, "MPI_Initialized"));
    int yes = 0;
    return initialised && initialised(&yes) == 0 && yes != 0;
}

bool is_set(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

bool is_above(char const* name, int number) {
    char const* const value = std::getenv(name);
    return value != nullptr && std::atoi(value) > number;
}

// An MPI that does not understand its launcher makes each process a job of its own, and says nothing. The launchers' variables are
// good for noticing that; what is true of the job, MPI says.
bool is_alone_among_many(bootstrap const& joined) {
    if (joined.size() > 1) return false;
    constexpr std::array sizes{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    constexpr std::array ranks{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    return std::any_of(sizes.begin(), sizes.end(), [](auto* name) { return is_above(name, 1); }) ||
           std::any_of(ranks.begin(), ranks.end(), [](auto* name) { return is_above(name, 0); });
}

} // namespace

std::string find_beside_plugins(std::string const& name, config const& settings) {
    std::error_code ignored;
    for (auto const& folder : folders(settings))
        if (auto const file = folder / name; std::filesystem::exists(file, ignored)) return file.lexically_normal();
    return {};
}

std::vector<mpi_plugin> find_mpi_plugins(config const& settings) {
    std::vector<mpi_plugin> list;
    for (auto const mpi : known_mpis) {
        mpi_plugin p{.name = mpi, .file = find_beside_plugins(file_name(mpi), settings), .library = {}, .why_not = {}};
        if (p.file.empty()) {
            p.why_not = fmt::format("there is no {} (Sode builds this plug-in if the compiler wrapper of {} is installed)",
                                    file_name(mpi), mpi);
        } else {
            open_plugin const plugin{p.file, RTLD_LOCAL}; // two MPIs, one of which is to be asked by each
            p.why_not = plugin.why_not();
            if (p.why_not.empty()) p.library = plugin.function<char const*()>("sode_mpi_plugin_library")();
            p.library = p.library.substr(0, p.library.find_first_of(",\n"));
        }
        list.push_back(std::move(p));
    }
    return list;
}

std::string launching_mpi(config const& settings) {
    if (settings.mpi == "none") return {};
    auto linked = linked_mpi();
    if (mpi_is_initialised()) return linked;
    bool const pmix = is_set("PMIX_RANK"), pmi = is_set("PMI_RANK") || is_set("PMI_FD") || is_set("PMI_ID");
    if (!pmix && !pmi && is_above("SLURM_STEP_NUM_TASKS", 1))
        throw error{error_kind::environment, "srun has started several processes that cannot find each other",
                    "srun was started without --mpi=...",
                    "write srun --mpi=pmix for Open MPI or srun --mpi=pmi2 for MPICH, or set SODE_MPI=none for independent jobs of "
                    "one rank"};
    if (!pmix && !pmi) return {};
    if (!linked.empty()) return linked;
    if (!settings.mpi.empty()) return settings.mpi;
    return pmix ? "openmpi" : "mpich";
}

std::unique_ptr<bootstrap> begin_mpi(std::string_view mpi, config const& settings) {
    auto const file = find_beside_plugins(file_name(mpi), settings);
    if (file.empty())
        throw error{
            error_kind::environment, fmt::format("this process was started by the launcher of {}, but cannot join its job", mpi),
            fmt::format("{} is not in {}", file_name(mpi),
                        fmt::join(
                            [&] {
                                std::vector<std::string> names;
                                for (auto const& f : folders(settings)) names.push_back(f.lexically_normal());
                                return names;
                            }(),
                            ", ")),
            fmt::format("build Sode where {} is installed, set SODE_PLUGINS or SODE_MPI, or run as one rank with SODE_MPI=none",
                        mpi)};
    // An MPI has plug-ins of its own, which look for its symbols among those of the whole process.
    open_plugin const plugin{file, RTLD_GLOBAL};
    if (!plugin.why_not().empty())
        throw error{error_kind::environment, fmt::format("{} cannot be used", file), plugin.why_not(),
                    "build the plug-in again, or set SODE_MPI to another MPI"};
    return std::unique_ptr<bootstrap>{
        plugin.function<sode::bootstrap*(int)>("sode_mpi_plugin_join")(settings.windows && settings.progress_thread ? 1 : 0)};
}

std::unique_ptr<bootstrap> join_by_mpi(std::string_view mpi, config const& settings) {
    auto joined = begin_mpi(mpi, settings);
    if (is_alone_among_many(*joined))
        throw error{error_kind::environment, fmt::format("{} finds only this process, but the launcher started several", mpi),
                    settings.mpi.empty() ? "this MPI does not understand the launcher's protocol"
                                         : fmt::format("SODE_MPI={}, and the launcher may belong to another MPI", settings.mpi),
                    "start the program with that MPI's own mpirun (srun: --mpi=pmix for Open MPI, --mpi=pmi2 for MPICH), or set "
                    "SODE_MPI to the launcher's MPI"};
    return joined;
}

} // namespace sode::internal
