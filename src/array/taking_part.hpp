// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/halo_source.hpp>

#include <memory>
#include <span>
#include <vector>

namespace sode::internal {

/// Who plans and runs a communication between arrays: the ranks that have blocks of them, and nobody else. Where these are not all
/// ranks of the job, they are a part of it, which is made for the first such communication and kept.
class taking_part {
public:
    /// The arrays that these describe are one job's. Collective among the ranks that have blocks. Errors: those of making a part.
    explicit taking_part(std::span<detail::halo_source const* const> arrays);

    /// This rank has no block of any of them: it has nothing to do.
    [[nodiscard]] bool absent() const noexcept { return absent_; }
    /// Whom it is planned with.
    [[nodiscard]] std::shared_ptr<detail::job> const& among() const noexcept { return among_; }
    /// The same array as those ranks number themselves; equal arrays remain one.
    [[nodiscard]] detail::halo_source operator()(detail::halo_source const& array);

private:
    std::shared_ptr<detail::job> among_;
    std::vector<int> members_; // empty: all ranks, as they are
    bool absent_ = false;
    std::vector<std::pair<std::shared_ptr<geometry const>, std::shared_ptr<geometry const>>> renumbered_;
};

} // namespace sode::internal
