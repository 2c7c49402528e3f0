// SPDX-License-Identifier: Apache-2.0
#include "engine/copy_runs.hpp"

#include "device/copy_method.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

constexpr std::size_t most_boxes = 64; // of a copy

bool should_be_one(schedule const& p, copy_run const& run, graph_use use) {
    if (use == graph_use::never) return false;
    double alone = 0, together = copy_cost::graph;
    for (auto i = run.first; i < run.first + run.count; ++i) {
        auto const& program = p.programs[p.descriptors[i].program];
        auto const boxes = box_count(program);
        if (boxes == 0 || boxes > most_boxes) return false;
        alone += cost_alone(program);
        together += cost_in_graph(program, boxes);
    }
    return run.count > 0 && (use == graph_use::always || together < alone);
}

} // namespace

std::vector<copy_run> runs_for_graphs(schedule const& p, std::uint32_t first, graph_use use) {
    std::vector<copy_run> all;
    copy_run run{first, 0};
    auto const finish = [&](std::uint32_t next) {
        if (should_be_one(p, run, use)) all.push_back(run);
        run = {next, 0};
    };
    for (auto i = first;; ++i) {
        auto const& d = p.descriptors[i];
        if (!is_copy(d.op)) {
            finish(i + 1);
            if (d.op == operation::end) return all;
            continue;
        }
        if (d.trigger != 0 && run.count > 0) finish(i);
        ++run.count;
        if (d.signal != 0) finish(i + 1);
    }
}

run_graphs::made const& run_graphs::of(bound_step const* steps) {
    now_.clear();
    for (auto i = run_.first; i < run_.first + run_.count; ++i) now_.insert(now_.end(), {steps[i].target, steps[i].source});
    auto const known = std::ranges::find(made_, now_, &made::places);
    if (known != made_.end()) return *known;
    std::vector<copy_box> boxes;
    for (auto i = run_.first; i < run_.first + run_.count; ++i) {
        auto const some = boxes_of(*steps[i].program, steps[i].target, steps[i].source, most_boxes);
        boxes.insert(boxes.end(), some.begin(), some.end());
    }
    made_.push_back({now_, queue_.make_graph(boxes)});
    return made_.back();
}

void run_graphs::launch(bound_step const* steps) {
    queue_.launch(of(steps).graph);
}

} // namespace sode::internal
