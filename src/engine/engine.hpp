// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/bound_step.hpp"
#include "plan/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

class binding;
class device_queue;
class exchange_tracer;
class plan_calls;
struct context;

/// What has come of an epoch since an engine was asked last.
enum class progress : std::uint8_t {
    idle,  ///< nothing
    moved, ///< something was done, and something is left
    over   ///< the epoch is over
};

/// Who executes a plan: descriptor by descriptor, epoch by epoch, each as soon as its trigger allows. Nothing else is its affair:
/// how long to ask again, who is told of a wait and when to give up, what callers may do, and what a trace says of the whole stand
/// beside it, once for all engines (prepared.hpp, wait_watch.hpp).
///
/// Called by the thread that the rank is. An engine whose steps are taken elsewhere (threads of its own, the queue of a network
/// interface, a device) answers with what has come of them so far.
class engine {
public:
    engine() = default;
    virtual ~engine() = default;
    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;

    /// Begins epoch `number`, when the one before is over or was abandoned. `halves`: bit g % 64 of word
    /// g / 64 is the half at which array group g is; `ways`: by plan::choices, which way is active. Both stay as they are until the
    /// epoch is over.
    virtual progress start(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways) = 0;
    /// The same, behind all that `in` has been given, and before all that it will be: the caller waits for nothing. Only where
    /// enqueues() says so. Errors: internal, else.
    virtual progress enqueue(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways,
                             device_queue& in);
    /// Whether enqueue() is for this engine, and whether the epoch before need not be over then.
    [[nodiscard]] virtual bool enqueues() const noexcept { return false; }
    [[nodiscard]] virtual bool runs_ahead() const noexcept { return false; }
    /// The steps of an epoch, stream by stream, for threads of the device that take them in place of this engine: the numbers of
    /// its plan as addresses. They come again after `phases` epochs. Nothing, where that cannot be: they are not all the device's.
    [[nodiscard]] virtual std::optional<std::vector<std::vector<bound_step>>>
    lanes(std::uint64_t /*number*/, std::span<std::uint64_t const> /*halves*/, std::uint64_t /*phases*/) {
        return std::nullopt;
    }
    /// Does what can be done now, or looks what has been done. Never waits. Called while an epoch runs only.
    virtual progress proceed() = 0;
    /// The same with all that was published before this call taken into account: asked before a rank tells others that it can do
    /// nothing, and when one has left, as what that did before still counts. May wait for what the engine is made of, never for
    /// another rank.
    virtual progress catch_up() = 0;
    /// The epoch will never be over. When this returns, no step of it is taken any more.
    virtual void abandon() noexcept = 0;
    /// Some places of the plan are other ones from now on (binding::rebind). No epoch runs.
    virtual void rebound() = 0;
    /// For every stream that is not over, the index of the descriptor that it has come to, and what others have left: messages
    /// that are under way. `at` has room for all streams, and for all messages and puts. Returns how many there are; 0 while the
    /// epoch runs: that is not known. For those who wait, and tell what for; may be a little old.
    [[nodiscard]] virtual std::size_t standing(std::span<std::uint32_t> at) const noexcept = 0;
    /// Descriptors executed in all epochs that are over, and in this one so far.
    [[nodiscard]] virtual std::uint64_t executed() const noexcept = 0;
};

/// Words of `halves` for so many array groups.
[[nodiscard]] constexpr std::size_t words_of_halves(std::int32_t groups) noexcept {
    return groups <= 0 ? 0 : (static_cast<std::size_t>(groups) + 63) / 64;
}

/// What an engine is made of. Everything outlives it, and stays where it is.
struct engine_work {
    schedule const& steps;
    binding const& places;
    context const& around;
    plan_calls& calls;
    exchange_tracer* trace = nullptr; ///< null: nobody looks
};

/// A kind of engines, of which every plan gets one of its own. What they share (a pool of threads, a device) is its affair.
class engine_kind {
public:
    engine_kind() = default;
    virtual ~engine_kind() = default;
    engine_kind(engine_kind const&) = delete;
    engine_kind& operator=(engine_kind const&) = delete;

    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    /// Why these engines cannot run that plan; empty if they can. Streams that name an executor run there or nowhere.
    [[nodiscard]] virtual std::string cannot_run(schedule const& p, context const& c) const = 0;
    [[nodiscard]] virtual std::unique_ptr<engine> make(engine_work const& work) const = 0;
    /// How they run a plan that they can run, for explain(): lines, or nothing.
    [[nodiscard]] virtual std::string says(schedule const& /*p*/, context const& /*c*/) const { return {}; }
    /// Ends what takes their steps, before the memory of other ranks goes. What is under way then is never over.
    virtual void stop() noexcept {}
};

} // namespace sode::internal
