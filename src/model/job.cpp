// SPDX-License-Identifier: Apache-2.0
#include "model/job.hpp"

#include "base/node_share.hpp"
#include "model/common_settings.hpp"

#include <algorithm>
#include <exception>

namespace sode::detail {

job::job(std::unique_ptr<bootstrap> b, config s)
    : settings(std::move(s)), boot(std::move(b)), memory(make_space(*boot, settings.segment_bytes, wanted_space(settings))),
      freed(*memory), alive(*boot) {
    auto common = agree_on_settings(*boot, settings);
    costs = std::move(common.costs);
    profile_file = std::move(common.profile_file);
    if (!common.trace.empty()) trace = std::make_unique<tracing>(std::move(common.trace), settings.trace_events);
    auto const share = find_node_share(*boot);
    ranks_on_node = share.ranks;
    usable_cores = share.processors;
    unwinding = std::uncaught_exceptions();
    waiting = make_wait_policy(settings, ranks_on_node, usable_cores);
    node_of = boot->nodes();
    nodes = *std::max_element(node_of.begin(), node_of.end()) + 1;
    probe();
}

job::~job() {
    kept.clear();
    // An exception passes: the others may be waiting for this rank elsewhere, and are told that it has left, not kept waiting here.
    if (std::uncaught_exceptions() > unwinding) {
        if (trace) trace->write_alone(boot->rank(), boot->size());
        return;
    }
    // A rank that still reads this one's memory must be let finish. If somebody has died, nobody waits for anybody.
    try {
        if (trace) trace->write(*boot);
        boot->barrier();
        // NOLINTNEXTLINE(bugprone-empty-catch): the error was thrown, or will be, where a plan waited
    } catch (...) {
    }
}

void job::probe() {
    distances = probe_job(*boot, *memory);
}

} // namespace sode::detail
