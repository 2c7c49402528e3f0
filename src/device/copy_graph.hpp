// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/copy_box.hpp"

#include <memory>
#include <span>

namespace sode::internal {

/// Copies that a device has been told of once, and makes one after another whenever it is told to: a chain of DMA descriptors.
class copy_graph {
public:
    copy_graph() = default;
    virtual ~copy_graph() = default;
    copy_graph(copy_graph const&) = delete;
    copy_graph& operator=(copy_graph const&) = delete;
};

/// A queue that knows such graphs.
class graph_queue {
public:
    graph_queue() = default;
    virtual ~graph_queue() = default;
    graph_queue(graph_queue const&) = delete;
    graph_queue& operator=(graph_queue const&) = delete;

    /// For this queue. Errors: environment.
    [[nodiscard]] virtual std::shared_ptr<copy_graph const> make_graph(std::span<copy_box const> copies) = 0;
    /// All its copies, as one piece of work. Whoever made it keeps it until that is done.
    virtual void launch(std::shared_ptr<copy_graph const> graph) = 0;
};

} // namespace sode::internal
