// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>

#include <memory>
#include <optional>
#include <string>

namespace sode {

/// Tells who has left. Looked at in the yield path of waits only.
class liveness {
public:
    /// Collective: gathers process ids.
    explicit liveness(bootstrap& boot);
    ~liveness();

    /// How `rank` left, if it has: by the bootstrap's word, else by its pidfd.
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept;

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace sode
