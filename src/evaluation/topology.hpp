// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// How machines are wired: which directed links a message passes from one to another.
class topology {
public:
    topology() = default;
    virtual ~topology() = default;
    topology(topology const&) = delete;
    topology& operator=(topology const&) = delete;
    topology(topology&&) = delete;
    topology& operator=(topology&&) = delete;

    [[nodiscard]] virtual int machines() const noexcept = 0;
    [[nodiscard]] virtual std::uint32_t links() const noexcept = 0;
    /// Puts them into `path`, in order. Of one machine to itself: none.
    virtual void route(int from, int to, std::vector<std::uint32_t>& path) const = 0;
};

/// \param kind     "torus": machines in a grid that wraps around, by the dimensions in turn, each the shorter way.
///                 "fat-tree": extents[0] machines at a switch, extents[1] such switches below one of the next level, …; as many
///                 links up as down at every level, taken by the number of the target.
///                 "dragonfly": extents machines at a router x routers in a group x groups; links between all routers of a group,
///                 and one between each two groups.
///                 "crossbar": a link into and one out of each machine.
/// Errors: usage, for another kind, or extents that it does not have.
[[nodiscard]] std::unique_ptr<topology> make_topology(std::string_view kind, std::span<int const> extents);
/// "torus, fat-tree, dragonfly and crossbar": for messages.
[[nodiscard]] std::string names_of_topologies();

} // namespace sode::internal
