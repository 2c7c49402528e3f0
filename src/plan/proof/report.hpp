// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/job.hpp"

#include <set>
#include <tuple>

namespace sode::internal::proof {

/// Collects findings: the first of each kind at each place, and no more than asked for.
class report {
public:
    explicit report(std::size_t most) : most_(most) {}

    /// `place` is what repeats from epoch to epoch: a descriptor, a stream, an array. `text` is only made where it is needed.
    template <class Text> void add(finding::type kind, std::size_t rank, std::uint64_t place, Text&& text) {
        if (full() || !seen_.emplace(kind, rank, place).second) return;
        found_.push_back({kind, static_cast<std::int32_t>(rank), text()});
    }
    [[nodiscard]] bool full() const noexcept { return found_.size() >= most_; }
    [[nodiscard]] bool empty() const noexcept { return found_.empty(); }
    [[nodiscard]] std::vector<finding> take() noexcept { return std::move(found_); }

private:
    std::size_t most_;
    std::vector<finding> found_;
    std::set<std::tuple<finding::type, std::size_t, std::uint64_t>> seen_;
};

/// `rank 1, stream 2, descriptor 5 (copy)`.
[[nodiscard]] std::string name_of(plan const& p, std::size_t descriptor);
/// `array 0 of rank 2`, `the stage of rank 1`.
[[nodiscard]] std::string name_of(buffer const& b);

} // namespace sode::internal::proof
