// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sode::detail {

/// The rank of each node of a rank grid, in row-major order of coordinates; empty: node k is rank k. An order takes 8 bytes for
/// each rank. All copies share the same order, which never changes.
class SODE_API rank_order {
public:
    rank_order() = default;
    rank_order(std::vector<int> ranks);

    [[nodiscard]] bool empty() const noexcept { return !table_; }
    [[nodiscard]] std::size_t size() const noexcept { return table_ ? table_->ranks.size() : 0; }
    [[nodiscard]] int operator[](std::size_t node) const noexcept { return table_->ranks[node]; }
    /// The node of `rank`; -1 if the rank is not in the grid. The order must not be empty.
    [[nodiscard]] int node_of(int rank) const noexcept {
        auto const r = static_cast<std::size_t>(rank);
        return r < table_->nodes.size() ? table_->nodes[r] : -1;
    }
    /// A hash: equal orders have equal values.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept { return table_ ? table_->fingerprint : 0; }

    using value_type = int;
    using const_iterator = int const*;
    [[nodiscard]] int const* begin() const noexcept { return table_ ? table_->ranks.data() : nullptr; }
    [[nodiscard]] int const* end() const noexcept { return begin() + size(); }
    [[nodiscard]] friend bool operator==(rank_order const& a, rank_order const& b) noexcept {
        return a.table_ == b.table_ || (a.table_ && b.table_ && a.table_->ranks == b.table_->ranks);
    }

private:
    struct table {
        std::vector<int> ranks;
        std::vector<int> nodes; // node of each rank; -1: the rank is not in the grid
        std::uint64_t fingerprint = 0;
    };
    std::shared_ptr<table const> table_;
};

} // namespace sode::detail
