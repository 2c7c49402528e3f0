// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "evaluation/evaluate.hpp"
#include "evaluation/link_use.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sode::internal {

/// The networks between machines while messages pass: which one takes a message, when it has left, and when it is there.
class carriage {
public:
    carriage(topology const& wires, evaluation_costs const& costs, std::span<inner_network const> inner);

    /// What a message between two machines costs: that of the innermost network that joins them.
    [[nodiscard]] evaluation_costs const& costs(int from, int to) const noexcept { return *networks_[between(from, to)].costs; }

    struct passage {
        double left = 0;    ///< its sender may use its bytes again
        double arrived = 0; ///< the last byte is there
    };
    /// A message that is ready then, by interface `nic` of its machine.
    passage pass(int from, int to, unsigned nic, double ready, std::int64_t bytes);
    /// An interface of a machine's outermost network has something else to do.
    void occupy(int machine, unsigned nic, double time, double lasts);
    [[nodiscard]] double busiest_link() const noexcept;

private:
    struct network {
        topology const* wires;
        evaluation_costs const* costs;
        int group; // machines; 0: all
        std::size_t first_link;
        std::size_t first_interface;
    };
    [[nodiscard]] std::size_t between(int from, int to) const noexcept;
    [[nodiscard]] double& interface_of(network const& n, int machine, unsigned nic) noexcept;
    void add(topology const& wires, evaluation_costs const& costs, int group, int machines);

    std::vector<network> networks_; // innermost first
    std::vector<link_use> links_;
    std::vector<double> free_; // when each interface is
    std::vector<std::uint32_t> path_;
};

} // namespace sode::internal
