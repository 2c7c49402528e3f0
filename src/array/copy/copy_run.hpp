// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/copy/copy_spec.hpp"
#include "engine/inline_engine.hpp"
#include "model/job.hpp"

#include <sode/halo_source.hpp>

#include <string_view>

namespace sode {

/// A copy that has been planned, with all that it needs to run. It stays where it is made: the engine refers to its parts.
class copy_run {
public:
    /// Collective. Errors: as copy_init().
    copy_run(copy_spec spec, detail::halo_source to, detail::halo_source from);
    copy_run(copy_run const&) = delete;
    copy_run& operator=(copy_run const&) = delete;

    void start() { engine_.start(halves_now()); }
    [[nodiscard]] inline_engine& engine() noexcept { return engine_; }
    [[nodiscard]] plan const& steps() const noexcept { return steps_; }

private:
    [[nodiscard]] unsigned halves_now() const noexcept;

    detail::halo_source to_;
    detail::halo_source from_;
    copy_spec spec_;
    plan steps_;
    binding places_;
    inline_engine engine_;
};

/// Settings that a copy takes from the job, and `option` or SODE_CHANNEL. Errors: usage, for an unknown channel; `asked_by` is for
/// the message.
void take_settings(copy_spec& spec, detail::job const& j, std::string const& option, std::string_view asked_by);

} // namespace sode
