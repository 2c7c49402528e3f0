// SPDX-License-Identifier: Apache-2.0
#include "evaluation/carriage.hpp"

#include <algorithm>

namespace sode::internal {

carriage::carriage(topology const& wires, evaluation_costs const& costs, std::span<inner_network const> inner) {
    for (auto const& i : inner) add(*i.wires, i.costs, i.wires->machines(), wires.machines());
    add(wires, costs, 0, wires.machines());
}

void carriage::add(topology const& wires, evaluation_costs const& costs, int group, int machines) {
    networks_.push_back({&wires, &costs, group, links_.size(), free_.size()});
    auto const groups = group == 0 ? 1 : (machines + group - 1) / group;
    links_.resize(links_.size() + wires.links() * static_cast<std::size_t>(groups));
    free_.resize(free_.size() + static_cast<std::size_t>(machines) * costs.interfaces);
}

std::size_t carriage::between(int from, int to) const noexcept {
    std::size_t n = 0;
    while (networks_[n].group != 0 && from / networks_[n].group != to / networks_[n].group) ++n;
    return n;
}

double& carriage::interface_of(network const& n, int machine, unsigned nic) noexcept {
    auto const each = n.costs->interfaces;
    return free_[n.first_interface + static_cast<std::size_t>(machine) * each + nic % each];
}

carriage::passage carriage::pass(int from, int to, unsigned nic, double ready, std::int64_t bytes) {
    auto const& n = networks_[between(from, to)];
    auto const& c = *n.costs;
    auto const protocol = c.protocol_for(bytes);
    double const wire = static_cast<double>(bytes) * protocol.byte;
    auto& interface = interface_of(n, from, nic);
    double head = std::max(ready, interface);
    interface = head + std::max(wire, c.packet);
    double const left = head + wire;
    path_.clear();
    int const group = n.group == 0 ? 0 : from / n.group, first = group * n.group;
    n.wires->route(from - first, to - first, path_);
    auto const links = n.first_link + n.wires->links() * static_cast<std::size_t>(group);
    for (auto const link : path_) head += links_[links + link].pass(head, wire) + c.hop;
    return {.left = left, .arrived = head + protocol.latency + wire};
}

void carriage::occupy(int machine, unsigned nic, double time, double lasts) {
    auto& interface = interface_of(networks_.back(), machine, nic);
    interface = std::max(interface, time) + lasts;
}

double carriage::busiest_link() const noexcept {
    double most = 0;
    for (auto const& l : links_) most = std::max(most, l.busy());
    return most;
}

} // namespace sode::internal
