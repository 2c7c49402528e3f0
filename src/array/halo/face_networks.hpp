// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"
#include "model/makespan.hpp"

#include <array>
#include <string>
#include <vector>

namespace sode::internal {

/// Which faces go by MPI and which by network interfaces, where machines reach each other both ways: as the model says, so that
/// both parts are over at the same time (paper P0, figures 19 and 20). Faces of one dimension go alike on all machines, and so do
/// all corners.
class face_networks {
public:
    face_networks() = default;
    /// `edges`: of all machines; `face` is halo_spec::class_of(). None: there is nothing to decide.
    face_networks(std::vector<network_edge> edges, profile const& costs);

    [[nodiscard]] bool by_interface(int face_class) const noexcept { return by_interface_[static_cast<std::size_t>(face_class)]; }
    /// What was decided, and when each part should be over: a line, or nothing.
    [[nodiscard]] std::string text() const;

private:
    std::array<bool, halo_spec::edge_classes> by_interface_{};
    struct part {
        std::string network;
        std::vector<int> classes{};
        double expected_us = 0; ///< of the part by itself
        double alone_us = 0;    ///< if it took all faces
    };
    std::vector<part> parts_;
};

/// What the interfaces of a rank are as a network: a core of their own, which stores rows as they lie.
[[nodiscard]] network interfaces_as_network(profile const& costs);

} // namespace sode::internal
