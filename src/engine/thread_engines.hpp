// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/processors.hpp"
#include "base/wait.hpp"
#include "engine/engine.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

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
    ~thread_engines() override;

    [[nodiscard]] std::string_view name() const noexcept override { return "thread"; }
    [[nodiscard]] std::string cannot_run(schedule const& p) const override;
    [[nodiscard]] std::unique_ptr<engine> make(engine_work const& work) const override;

    /// Ends the thread. What is under way then is never over.
    void stop() noexcept;

private:
    class one;
    class turn; // whoever holds it takes steps, or looks at engines: the thread in each pass, the rank when it asks

    enum class pass : std::uint8_t { nothing_to_do, idle, moved };
    void run();
    [[nodiscard]] pass go_round();
    void wake() const noexcept;

    wait_policy waiting_;
    mutable std::mutex turn_;
    mutable std::atomic<int> wanted_{0};  // ranks that want the turn; a mutex alone would let the thread take it again and again
    mutable std::vector<one*> engines_;   // by whoever has the turn
    mutable std::atomic<int> started_{0}; // epochs, so that the thread does not sleep through one
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

} // namespace sode::internal
