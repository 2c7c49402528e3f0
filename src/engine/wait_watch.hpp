// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/context.hpp"
#include "engine/engine.hpp"
#include "engine/exchange_tracer.hpp"
#include "space/standstill.hpp"

#include <sode/error.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sode::internal {

/// Stands beside an engine that is waited for, whichever it is: tells the other ranks what this one waits for, sees whether those
/// it waits for live, looks for waits that cannot end, warns of long ones, and knows the deadline.
///
/// No allocation while all goes well: waits may be long without a fault.
class wait_watch {
public:
    /// `serial`: of the plan in its team. `trace` may be null. Everything outlives the watch.
    wait_watch(schedule const& p, context const& c, std::uint64_t serial, engine& e, exchange_tracer* trace);

    /// An epoch begins.
    void begin(std::uint64_t epoch) noexcept {
        epoch_ = epoch;
        if (starts_) [[unlikely]]
            starts_->tell_start(number_, epoch_);
    }
    /// Every few milliseconds of a wait that lasts `elapsed` seconds. Returns what the engine has done when it was asked once more.
    /// Errors: peer, if a rank that is waited for has died; timeout; usage, under SODE_CHECK=collective, if a rank that is waited
    /// for cannot come. The epoch is then to be abandoned, and the plan is of no further use.
    [[nodiscard]] progress look(double elapsed);
    /// The engine has done something.
    void moved() noexcept {
        if (told_) [[unlikely]]
            tell_no_more();
    }

private:
    void tell_wait();
    void tell_no_more() noexcept;
    void look_for_standstill();
    [[nodiscard]] progress look_after_peers();
    [[nodiscard]] progress look_after(int peer);
    void look_at_the_clock(double elapsed);
    [[nodiscard]] std::span<std::uint32_t const> standing();
    [[nodiscard]] int awaited_at(std::uint32_t descriptor) const noexcept;
    [[nodiscard]] int called(int peer) const noexcept { return context_.ranks.job_rank(peer); } // by users, and in what ranks tell
    [[nodiscard]] std::string name_of(int peer) const;
    [[nodiscard]] std::string what_keeps(int peer) const;
    [[noreturn]] void give_up(error_kind kind, std::string const& problem, std::string const& why, std::string const& suggestion);

    schedule const& plan_;
    context const& context_;
    engine& engine_;
    exchange_tracer* trace_;
    std::vector<std::uint32_t> standing_; // room for where the streams are, and for messages
    std::uint64_t epoch_ = 0;
    std::uint64_t number_;                         // of the plan, as other ranks know it
    wait_table* starts_;                           // null: nobody wants to know what is started
    std::unique_ptr<standstill_watch> standstill_; // SODE_CHECK=collective, once a wait takes its time
    bool told_ = false;                            // the others know what this wait waits for
    bool warned_ = false;
};

} // namespace sode::internal
