// SPDX-License-Identifier: Apache-2.0
#include "model/job.hpp"

#include "base/activity.hpp"
#include "base/machine_share.hpp"
#include "base/processors.hpp"
#include "base/undivided_machines.hpp"
#include "base/warn.hpp"
#include "channel/ways.hpp"
#include "engine/thread_engines.hpp"
#include "engine/triggered_engines.hpp"
#include "model/common_settings.hpp"
#include "model/engine_choice.hpp"
#include "model/told_bootstrap.hpp"
#include "space/shared_machines.hpp"
#include "space/wired_space.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>

namespace sode::detail {
using namespace internal;

namespace {

// Whether machines have a network of their own beside MPI: parts of one machine that pretend to be apart, where all ranks say so.
bool have_wires(bootstrap& boot, machine_map const& machines, config const& s) {
    if (s.machine_size == 0 || machines.one()) return false;
    bool const wanted = s.engine == "triggered" && s.subcluster > 0;
    auto const size = wanted ? static_cast<std::uint64_t>(s.subcluster) : 0U;
    std::array<std::uint64_t, 2> maxima{size, ~size};
    boot.combine(maxima, {});
    return machine_map{undivided_machines(boot)}.one() && wanted && maxima[0] == ~maxima[1];
}

std::unique_ptr<space> make_memory(bootstrap& boot, machine_map const& machines, config const& s) {
    if (!have_wires(boot, machines, s)) return make_space(boot, machines, s.segment_bytes, wanted_space(s));
    return std::make_unique<wired_space>(make_space(boot, subclusters_of(machines, s.subcluster), s.segment_bytes, wanted_space(s)),
                                         machines, boot.rank());
}

} // namespace

job::job(std::unique_ptr<bootstrap> b, config s)
    : settings(std::move(s)), boot(std::move(b)), machines(shared_machines(*boot)), memory(make_memory(*boot, machines, settings)),
      freed(*memory), alive(std::make_shared<liveness>(*boot, *memory)),
      waits(std::make_shared<wait_table>(*boot, *memory, settings.check.collective)) {
    if (!settings.channel.empty()) forced = &required_way(settings.channel, "SODE_CHANNEL asks for it");
    boot = std::make_unique<told_bootstrap>(std::move(boot), *waits);
    ranks = std::make_unique<team>(*boot, *memory, machines);
    auto common = agree_on_settings(*boot, settings);
    costs = std::move(common.costs);
    profile_file = std::move(common.profile_file);
    if (!common.trace.empty()) trace = std::make_shared<tracing>(std::move(common.trace), settings.trace_events);
    auto const share = find_machine_share(*boot);
    ranks_on_machine = share.ranks;
    usable_cores = share.processors;
    unwinding = std::uncaught_exceptions();
    bool const by_model = settings.engine == "auto";
    auto const why_not = by_model ? lacks_spare_processors(settings.engine_cores, share) : std::string{};
    if (!why_not.empty() && boot->rank() == 0)
        warn("SODE_ENGINE=auto finds no spare processors, so ranks run their own plans", why_not,
             "name a processor for each rank on a machine by SODE_ENGINE_CORES, and keep ranks off these processors by the "
             "launcher's binding");
    int const spare = by_model && why_not.empty() ? spare_for_each_rank(settings.engine_cores, share) : 0;
    bool const interfaces = settings.engine == "triggered" || spare > 1;
    int helpers = spare;
    if (settings.engine == "thread") helpers = 1;
    if (settings.engine == "triggered") helpers = settings.interfaces;
    int const threads = settings.threads + helpers;
    waiting = make_wait_policy(settings, threads * ranks_on_machine, usable_cores);
    if (settings.threads > 1) {
        if (settings.threads > usable_processors() && boot->rank() == 0)
            warn(fmt::format("{} threads share the loops of a rank", settings.threads),
                 fmt::format("the rank may use {} of the processors", usable_processors()),
                 "give each rank as many processors: `sode run --threads`, `mpirun --bind-to none`, or `srun --cpus-per-task`");
        workers = std::make_shared<worker_threads>(settings.threads, waiting);
    }
    if (helpers > 0) {
        helper = make_helper(helpers, interfaces);
        engines = helper.get();
        if (by_model) worth_engines = bytes_worth_an_engine(costs);
    }
    probe();
}

// On processors that were declared for this, by turns.
std::shared_ptr<engine_kind> job::make_helper(int threads, bool interfaces) const {
    std::vector<processor_set> where;
    if (!settings.engine_cores.empty()) {
        auto const cores = processor_set::parse(settings.engine_cores).numbers();
        auto const before = static_cast<std::size_t>(ranks->machines().place(boot->rank()));
        for (std::size_t t = 0; t < static_cast<std::size_t>(threads); ++t) {
            processor_set one;
            one.insert(cores[(before * static_cast<std::size_t>(threads) + t) % cores.size()]);
            where.push_back(one);
        }
    }
    auto const* const wired = dynamic_cast<wired_space const*>(memory.get());
    if (interfaces) return std::make_shared<triggered_engines>(waiting, threads, where, wired ? wired->whole() : nullptr);
    return std::make_shared<thread_engines>(waiting, where.empty() ? std::nullopt : std::optional{where.front()});
}

job::~job() = default;

void job::end() {
    doing const what{activity::end};
    reduced.reset();
    if (remote) remote->end(!unwinds() && !(whole && whole->ended));
    if (helper && !whole) helper->stop(); // before the memory of others goes
    ended = true;
    if (whole)
        end_part();
    else
        end_whole();
    if (weak_from_this().use_count() < 2) return;
    // Others keep the job, by mistake. This rank leaves it nevertheless, as an MPI must be told before main ends.
    for (auto const& [array, name] : arrays)
        if (!array.expired())
            warn(fmt::format("array \"{}\" lives longer than its runtime", name), "the exchanges of the array can no longer run",
                 "create the runtime before all arrays and exchanges, and destroy the runtime last");
    if (!whole) static_cast<told_bootstrap&>(*boot).close();
}

void job::end_whole() noexcept {
    end_parts();
    // An exception passes: the others may be waiting for this rank elsewhere, and are told that it has left, not kept waiting here.
    bool const unwinding_now = unwinds();
    // A rank that still reads this one's memory must be let finish. If somebody has died, nobody waits for anybody.
    try {
        if (trace && unwinding_now) trace->write_alone(boot->rank(), boot->size());
        if (trace && !unwinding_now) trace->write(*boot);
        if (!unwinding_now) boot->barrier();
        // NOLINTNEXTLINE(bugprone-empty-catch): the error was thrown, or will be, where a plan waited
    } catch (...) {
    }
}

void job::remember(std::weak_ptr<void const> array, std::string name) {
    if (arrays.size() == arrays.capacity()) std::erase_if(arrays, [](auto const& a) { return a.first.expired(); });
    arrays.emplace_back(std::move(array), std::move(name));
}

void job::probe() {
    distances = probe_job(*boot, *memory);
}

} // namespace sode::detail
