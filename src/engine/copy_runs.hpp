// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/accelerator.hpp"
#include "device/copy_graph.hpp"
#include "engine/bound_step.hpp"
#include "plan/schedule.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace sode::internal {

/// Copies that follow each other in a stream, with nothing between them that others wait for, or that waits.
struct copy_run {
    std::uint32_t first = 0; ///< descriptor
    std::uint32_t count = 0;
};
/// Those of the stream that begins at `first` which a device should make by one graph: they are boxes, and the model finds it
/// cheaper, as one start is saved for each of them; or the device is told to.
[[nodiscard]] std::vector<copy_run> runs_for_graphs(schedule const& p, std::uint32_t first, graph_use use);

/// The graph of such a run, for the places that it has now. There are as many as the arrays and stages have instances.
class run_graphs {
public:
    run_graphs(copy_run const& run, graph_queue& queue) : run_(run), queue_(queue) {}

    [[nodiscard]] copy_run const& run() const noexcept { return run_; }
    /// `steps` as plan::descriptors. Errors: those of make_graph().
    void launch(bound_step const* steps);
    /// Places are other ones from now on.
    void forget() noexcept { made_.clear(); }

private:
    struct made {
        std::vector<std::byte const*> places; // target and source of each
        std::shared_ptr<copy_graph const> graph;
    };
    [[nodiscard]] made const& of(bound_step const* steps);

    copy_run run_;
    graph_queue& queue_;
    std::vector<made> made_;
    std::vector<std::byte const*> now_;
};

} // namespace sode::internal
