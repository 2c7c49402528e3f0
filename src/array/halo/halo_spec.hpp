// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/method.hpp"
#include "model/probe.hpp"
#include "model/profile.hpp"

#include <sode/geometry.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sode {

/// What one array brings to an exchange.
struct halo_field {
    geometry const* shape = nullptr;
    std::array<index_t, max_dims> lower{}; ///< layers to fetch on each side; at most the array's shadow
    std::array<index_t, max_dims> upper{};
    bool buffered = false;
    int group = 0; ///< array parity group, for buffered arrays
};

/// Everything that a halo exchange is built from: equal on all ranks (the geometries are pure, the distances gathered), so that
/// every rank can work out what any other rank does.
struct halo_spec {
    std::string name; ///< `halo of "u"`
    std::vector<halo_field> fields;
    std::array<bool, max_dims> periodic{}; ///< by array dimension, for all fields
    bool corners = false;                  ///< diagonal neighbours too
    bool credits = false;                  ///< never leave out an acknowledgement
    std::optional<method> forced;
    int ranks = 1;
    int groups = 0;
    profile costs;
    distance_table distances;
    std::vector<int> nodes; ///< of each rank; empty: all ranks share memory
    bool pretended = false; ///< the nodes are parts of one (SODE_NODE_SIZE): messages between them are copies by the same cores

    [[nodiscard]] bool share_memory(int a, int b) const noexcept {
        return nodes.empty() || nodes[static_cast<std::size_t>(a)] == nodes[static_cast<std::size_t>(b)];
    }
    /// True if the ranks of a node can load each other's blocks of every field. If not, "reference" is a stage that is packed byte
    /// by byte.
    [[nodiscard]] bool shares_fields() const noexcept;
    /// Errors: usage, if a width exceeds the array's shadow or the smallest block it would be fetched from.
    void check() const;
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

} // namespace sode
