// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "pattern/exchange_terms.hpp"

#include <sode/detail/wall.hpp>
#include <sode/element_code.hpp>
#include <sode/geometry.hpp>

#include <array>
#include <memory>
#include <vector>

namespace sode::internal {

/// What one array brings to an exchange.
struct halo_field {
    geometry const* shape = nullptr;
    std::array<index_t, max_dims> lower{}; ///< layers to fetch on each side; at most the array's shadow
    std::array<index_t, max_dims> upper{};
    bool buffered = false;
    int group = 0;                                ///< array parity group, for buffered arrays
    std::shared_ptr<detail::walls const> walls{}; ///< what stands outside the domain; null: nothing that the exchange knows
    bool on_device = false;                       ///< its memory is a device's
    std::uint8_t element = detail::no_number;     ///< what the elements are, as far as ranks can combine them

    /// The condition there, unless it is none or periodic: null.
    [[nodiscard]] detail::wall const* wall_at(int dim, int side) const noexcept;
    /// Whether there is such a condition anywhere.
    [[nodiscard]] bool has_conditions() const noexcept;
};

/// Everything that a halo exchange is built from: equal on all ranks (the geometries are pure, the distances gathered), so that
/// every rank can work out what any other rank does.
struct halo_spec : exchange_terms {
    std::vector<halo_field> fields;
    std::array<bool, max_dims> periodic{}; ///< by array dimension, for all fields; some may be so by themselves
    bool corners = false;                  ///< diagonal neighbours too
    bool credits = false;                  ///< never leave out an acknowledgement
    bool peers = false;                    ///< devices of a machine load and store each other's memory
    bool device_messages = false;          ///< MPI takes memory of devices
    std::vector<int> device_sockets{};     ///< by rank, -1: not known; empty: of none
    std::uint32_t second_best = 0;         ///< a bit for each class of edges that go by the second best way
    std::uint32_t third_best = 0;          ///< and by the third

    /// Edges that are alike: the faces of a dimension, or all that go round a corner.
    static constexpr int edge_classes = max_dims + 1;
    [[nodiscard]] static int class_of(std::array<std::int8_t, max_dims> const& step) noexcept;

    /// Whether the arrays are in the memory of devices: all of them, or none.
    [[nodiscard]] bool on_device() const noexcept { return !fields.empty() && fields.front().on_device; }
    /// Whether ranks of a machine can load each other's blocks of that field.
    [[nodiscard]] bool shares(halo_field const& f) const noexcept { return f.on_device ? peers : f.shape->shared(); }
    /// Whether the devices of two ranks are at different sockets.
    [[nodiscard]] bool are_far(int one, int other) const noexcept {
        if (device_sockets.empty()) return false;
        int const a = device_sockets[static_cast<std::size_t>(one)], b = device_sockets[static_cast<std::size_t>(other)];
        return a >= 0 && b >= 0 && a != b;
    }
    /// Whether a field wraps around in a dimension.
    [[nodiscard]] bool wraps(int field, int dim) const noexcept;
    /// How many blocks the halo on that side (0: below) reaches into, where it reaches furthest; blocks without elements do not
    /// count. 1 where neighbours have all of it, 0 where there is none.
    [[nodiscard]] int blocks_reached(int field, int dim, int side) const;
    [[nodiscard]] bool has_walls() const noexcept;
    /// True if the ranks of a machine can load each other's blocks of every field.
    [[nodiscard]] bool shares_fields() const noexcept;
    /// Errors: usage, if a width exceeds the array's shadow, or the smallest block, if there are boundary conditions; for
    /// conditions that cannot be.
    void check() const;
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

} // namespace sode::internal
