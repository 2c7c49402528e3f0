// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/inline_engine.hpp"
#include "model/job.hpp"

#include <span>
#include <utility>
#include <vector>

namespace sode {

/// Transfers that have been planned, with all that they need to run. It stays where it is made: the engine refers to its parts.
class transfer_run {
public:
    /// Collective. Errors: as binding.
    transfer_run(plan steps, detail::job& j, std::span<bound_array const> arrays, std::uint64_t fingerprint)
        : steps_(std::move(steps)), places_(steps_, j.surroundings(), arrays, fingerprint),
          engine_(steps_, places_, j.surroundings()) {}
    virtual ~transfer_run() = default;
    transfer_run(transfer_run const&) = delete;
    transfer_run& operator=(transfer_run const&) = delete;
    transfer_run(transfer_run&&) = delete;
    transfer_run& operator=(transfer_run&&) = delete;

    void start() { engine_.start(halves_now()); }
    [[nodiscard]] inline_engine& engine() noexcept { return engine_; }
    [[nodiscard]] plan const& steps() const noexcept { return steps_; }

private:
    /// Bit g: the half at which the buffered arrays of group g are.
    [[nodiscard]] virtual unsigned halves_now() const noexcept { return 0; }

    plan steps_;
    binding places_;
    inline_engine engine_;
};

} // namespace sode
