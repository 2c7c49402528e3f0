// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/reverse_plan.hpp"
#include "engine/inline_engine.hpp"
#include "model/job.hpp"

#include <sode/halo_source.hpp>

#include <span>

namespace sode {

/// A reverse exchange that has been planned, with all that it needs to run. It stays where it is made: the engine refers to its
/// parts.
class reverse_run {
public:
    /// Collective. `halo` outlives it.
    /// Errors: usage, for fields whose elements are no numbers, or that have a full shadow.
    reverse_run(halo_spec const& halo, std::span<detail::halo_source const> sources, std::span<bound_array const> arrays,
                reduction op, detail::job& owner);
    reverse_run(reverse_run const&) = delete;
    reverse_run& operator=(reverse_run const&) = delete;

    [[nodiscard]] inline_engine& engine() noexcept { return engine_; }
    [[nodiscard]] plan const& steps() const noexcept { return steps_; }

private:
    reverse_spec spec_;
    plan steps_;
    binding places_;
    inline_engine engine_;
};

} // namespace sode
