// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/process_identity.hpp"
#include "space/space.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace sode::internal {

/// Tells who has left. Looked at in the yield path of waits only; from several threads, if need be.
class liveness {
public:
    /// Collective. Each rank writes into its arena which process it is. Both outlive this.
    liveness(bootstrap& boot, space& memory, process_identity const& mine = process_identity::mine());
    ~liveness();

    /// How `rank` left, if it has: by the bootstrap's word, else by its pidfd. Of those that nobody has asked about, nothing is
    /// kept.
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept;
    /// How many ranks it watches: those of this machine that it has been asked about.
    [[nodiscard]] std::size_t watched() const noexcept;

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace sode::internal
