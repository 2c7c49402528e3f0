// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sode::internal {

/// Finds the entries of a table that only grows, by their hash. A collective of all ranks has a flag and a stage of each of them,
/// and asks for them again and again.
class entry_index {
public:
    /// The number of the entry that `same` accepts, of those with that hash that were added here; `none` if there is none.
    template <class Same> [[nodiscard]] std::uint32_t find(std::uint32_t hash, Same const& same) const {
        for (auto at = latest_[bucket(hash)]; at != 0; at = before_[at - 1].second)
            if (auto const number = before_[at - 1].first; same(number)) return number;
        return none;
    }
    void add(std::uint32_t hash, std::uint32_t number) {
        auto& latest = latest_[bucket(hash)];
        before_.emplace_back(number, latest);
        latest = static_cast<std::uint32_t>(before_.size());
    }

    static constexpr std::uint32_t none = 0xffffffff;

private:
    static constexpr std::uint32_t buckets = 64;
    [[nodiscard]] static constexpr std::size_t bucket(std::uint32_t hash) noexcept { return hash % buckets; }

    std::array<std::uint32_t, buckets> latest_{};                 // a place in before_, from 1 on; 0: none
    std::vector<std::pair<std::uint32_t, std::uint32_t>> before_; // an entry, and the one before it in its bucket
};

} // namespace sode::internal
