// SPDX-License-Identifier: Apache-2.0
// What `sode tune` becomes where an MPI's launcher has started it (docs/profile.md): once for every MPI, linked with it and with
// the objects of the MPI layer, so that both its own messages and those of the layer can be measured in one process.
#include "base/bootstraps.hpp"
#include "base/config.hpp"
#include "base/topology.hpp"
#include "base/warn.hpp"
#include "base/whole_file.hpp"
#include "model/profile_file.hpp"
#include "tune/messages.hpp"
#include "tune/mpi/typed_campaign.hpp"
#include "tune/options.hpp"

#include <sode/error.hpp>
#include <sode/mpi.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mpi.h>
#include <string_view>
#include <thread>

namespace sode::internal::tools {
namespace {

tuned what_there_is(std::string const& file) {
    tuned t;
    t.costs.name = "tuned";
    if (std::error_code none; !file.empty() && std::filesystem::exists(file, none)) t.costs = load_profile(file, &t.origin);
    topology const machine;
    if (t.origin.cpu.empty()) t.origin.cpu = machine.model(), t.origin.cores = machine.cores();
    return t;
}

void tell(tune_options const& options, tuned const& t, typed_campaign const& typed, bool one_machine) {
    fmt::print("{}", options.print ? write_profile(t.costs, t.origin) : table(t));
    fmt::print(options.print ? stderr : stdout, "{}", checks_table(t));
    std::fflush(stdout);
    if (one_machine)
        fmt::print(stderr, "all ranks are on one machine: the constants `network` are costs of messages within a machine\n");
    if (!typed.why_not.empty())
        fmt::print(stderr, "messages of derived datatypes were not measured; their constants stay unchanged: {}\n", typed.why_not);
    else
        fmt::print(stderr, "the constants of messages of derived datatypes are those of {}, {}\n", typed.seen.mpi,
                   typed.reachable ? "measured with ranks that can access each other's memory"
                                   : "and of staging buffers, because the ranks cannot access each other's memory");
    if (options.output.empty()) return;
    save_profile(options.output, t.costs, t.origin);
    fmt::print(stderr, "written to {}\n", options.output);
}

void measure_by_mpi(tune_options const& options) {
    auto const settings = config::from_environment();
    auto const boot = with_small_machines(std::make_unique<mpi_bootstrap>(MPI_COMM_WORLD), settings.machine_size);
    if (boot->size() < 2)
        throw error{error_kind::usage, "one rank alone cannot measure messages", "the launcher has started one rank",
                    "start two ranks: mpirun -n 2 sode tune"};
    auto const machines = boot->machines();
    int const partner = partner_of(machines);
    bool const one_machine = machines[static_cast<std::size_t>(partner)] == machines.front();
    tuned t;
    std::string problem;
    if (boot->rank() == 0) {
        try {
            t = what_there_is(options.output);
            if (!options.output.empty())
                new_file const attempt{options.output, "profile"}; // what cannot be stored need not be measured
        } catch (error const& e) {
            problem = e.what();
        }
    }
    // One rank says what is wrong; the others must not wait for it.
    if (problem = boot->allgather(problem).front(); !problem.empty()) {
        if (boot->rank() == 0) throw error{error_kind::environment, problem, "", ""};
        return;
    }
    auto const blocks = measure_messages(*boot, partner, options.quick ? 1.5 : 10);
    auto const typed = measure_typed(settings, t.costs, options.quick ? 1.5 : 15);
    if (boot->rank() == 0) {
        conclude_messages(t, blocks);
        if (typed.why_not.empty()) conclude_typed(t, typed.seen);
        tell(options, t, typed, one_machine);
    }
    boot->barrier(); // nobody leaves while the others are still at it
}

} // namespace
} // namespace sode::internal::tools

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    try {
        sode::internal::tools::measure_by_mpi(sode::internal::tools::read_words({argv + 1, argv + argc}));
    } catch (sode::error const& e) {
        sode::internal::tell(e);
        // MPI_Abort drops what the program has not written, and what launchers have not passed on.
        std::fflush(nullptr);
        std::this_thread::sleep_for(std::chrono::milliseconds{300});
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
