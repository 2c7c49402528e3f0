// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/kept_collective.hpp"

#include <sode/detail/reductions.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sode::detail {
struct job;
} // namespace sode::detail

namespace sode::internal {

/// What a call of reduce() or broadcast() wants, in its own words.
struct reduce_call {
    std::span<detail::combined_part const> parts; ///< with a root: one, of so many bytes
    int root = -1;                                ///< -1: all ranks contribute
};

/// The reductions and broadcasts of a job: planned when they are first called for, and kept, as programs run the same few in every
/// step. Calls that combine the same bytes in the same way share a plan.
class reductions {
public:
    /// `j` outlives it.
    explicit reductions(detail::job& j) : job_(j) {}

    /// The plan for that call. Collective when it is a new one. Neither allocates nor makes a system call when it is not.
    [[nodiscard]] kept_collective& of(reduce_call const& call) {
        auto const at = known_.find(call);
        return at != known_.end() ? *at->second : add(call);
    }

    /// As of an exchange, over all plans so far.
    [[nodiscard]] std::string explain() const;
    [[nodiscard]] std::string dump(std::string_view format) const;
    [[nodiscard]] std::uint64_t executed() const noexcept;
    [[nodiscard]] std::uint64_t epochs() const noexcept;

private:
    struct kept_call {
        std::vector<detail::combined_part> parts;
        int root = -1;
        operator reduce_call() const noexcept { return {parts, root}; }
    };
    struct hash {
        using is_transparent = void;
        std::size_t operator()(reduce_call const& c) const noexcept;
    };
    struct equal {
        using is_transparent = void;
        bool operator()(reduce_call const& a, reduce_call const& b) const noexcept;
    };
    kept_collective& add(reduce_call const& call);

    detail::job& job_;
    std::unordered_map<kept_call, kept_collective*, hash, equal> known_;
    std::vector<std::unique_ptr<kept_collective>> plans_;
};

} // namespace sode::internal
