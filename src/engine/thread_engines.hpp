// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/engine.hpp"
#include "engine/round_thread.hpp"

#include <memory>
#include <optional>

namespace sode::internal {

/// A thread of this rank that runs its plans while the rank computes (SODE_ENGINE=thread). It polls while a plan is under way, as
/// the rank would, and sleeps after that: worth a processor of its own, and only that.
///
/// It is executor `thread 0` of a plan. Plans with messages, or with functions of the program's, are not for it: both belong to the
/// rank's own thread.
class thread_engines final : public engine_kind {
public:
    /// `waiting`: how it polls. `where` it may run; nothing: where the rank may. Starts the thread.
    /// Errors: environment, if there can be no thread, or not there.
    thread_engines(wait_policy const& waiting, std::optional<processor_set> const& where);

    [[nodiscard]] std::string_view name() const noexcept override { return "thread"; }
    [[nodiscard]] std::string cannot_run(schedule const& p, context const& c) const override;
    [[nodiscard]] std::unique_ptr<engine> make(engine_work const& work) const override;
    void stop() noexcept override { thread_.stop(); }

private:
    class one;

    mutable round_thread thread_;
};

} // namespace sode::internal
