// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/house_starter.hpp"

#include "tasks/usable.hpp"

#include <algorithm>
#include <sode/error.hpp>

namespace sode::internal::tasks {

namespace {

task_order order_of(rank_request const& request, std::vector<unique_fd> const& descriptors) {
    task_order order;
    order.path = request.path;
    order.argv = request.arguments;
    order.env = request.environment;
    order.cwd = request.directory;
    order.umask = request.umask;
    order.own_session = request.leads_session;
    for (std::size_t i = 0; i < request.limits.size(); ++i) order.limits.push_back({static_cast<int>(i), request.limits[i]});
    order.nice = request.nice;
    order.cpus.assign(request.processors.begin(), request.processors.end());
    order.memory_policy = request.memory.mode;
    order.memory_nodes.assign(request.memory.nodes.begin(), request.memory.nodes.end());
    for (std::size_t i = 0; i < descriptors.size(); ++i) order.fds.push_back({descriptors[i].get(), request.descriptors[i]});
    order.ignored_signals = request.ignored;
    order.blocked_signals = request.blocked;
    order.stack_bytes = request.stack_bytes;
    order.rank = request.rank;
    return order;
}

/// Addresses are shared out among so many: the fewer, the larger may the arrays be.
int capacity_for(rank_request const& request) {
    constexpr int for_all_we_know = 1024;
    constexpr int least = 16;
    if (request.house.capacity > 0) return request.house.capacity;
    return request.on_machine > 0 ? std::max(least, 2 * request.on_machine) : for_all_we_know;
}

} // namespace

running_task house_starter::start(rank_request const& request, std::vector<unique_fd> const& descriptors) {
    if (!house_) {
        // Where a call is refused of which only some tasks would notice, they would be processes like others, and nobody told.
        if (auto const here = tasks_usable(); !here.usable)
            throw error{error_kind::environment, "ranks cannot be tasks on this machine", here.why,
                        "see the output of `sode info`, or run the ranks as processes"};
        house_.emplace(house_options{capacity_for(request), request.house.partition_bytes, request.house.scatter_seed});
        wishes_ = request.house;
    } else if (wishes_ != request.house) {
        throw error{error_kind::usage, "this task requests other partitions than earlier tasks",
                    "all tasks share one address space", "give all ranks the same --partition, --tasks and --scatter"};
    }
    auto const started = house_->start(order_of(request, descriptors));
    auto const& board = house_->board();
    auto const base = board.entries[started.index].base.load(std::memory_order_acquire);
    return {started.pid, started.index, base, base + board.partition_bytes};
}

std::string house_starter::ended(int index, int wait_status) {
    return house_->ended(index, wait_status);
}

} // namespace sode::internal::tasks
