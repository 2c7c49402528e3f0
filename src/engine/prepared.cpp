// SPDX-License-Identifier: Apache-2.0
#include "engine/prepared.hpp"

#include "base/warn.hpp"
#include "engine/device_engine.hpp"
#include "engine/engine_report.hpp"
#include "engine/inline_engine.hpp"
#include "plan/dump.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {

prepared::prepared(plan steps, context const& around, plan_terms terms)
    : around_(around), steps_(std::move(steps)), group_halves_(std::move(terms.halves)),
      calls_(std::move(terms.calls), std::move(terms.operators)), places_(steps_, around_, terms.arrays, terms.fingerprint),
      trace_(around_.trace ? std::make_unique<exchange_tracer>(*around_.trace, steps_) : nullptr),
      engine_(choose().make({steps_, places_, around_, calls_, trace_.get()})),
      watch_(steps_, around_, places_.serial(), *engine_, trace_.get()), halves_(words_of_halves(steps_.groups)),
      ways_(steps_.choices.size()), next_ways_(ways_) {}

prepared::~prepared() {
    settle();
    abandon(); // its runtime may be gone
}

engine_kind const& prepared::choose() const {
    auto const theirs = around_.engines ? around_.engines->cannot_run(steps_, around_) : std::string{};
    auto const ours = inline_engines().cannot_run(steps_, around_);
    if (around_.engines && theirs.empty() && (!ours.empty() || is_worth_engines())) return *around_.engines;
    if (ours.empty()) return inline_engines();
    auto const device = device_engines().cannot_run(steps_, around_);
    if (device.empty()) return device_engines();
    throw error{error_kind::usage, fmt::format("no engine of this rank can run {}", steps_.name),
                fmt::format("{}: {}{}{}", inline_engines().name(), ours,
                            theirs.empty() ? "" : fmt::format("; {}: {}", around_.engines->name(), theirs),
                            around_.blocks ? fmt::format("; {}: {}", device_engines().name(), device) : ""),
                "choose another engine with SODE_ENGINE, or plan the communication for the caller"};
}

bool prepared::is_worth_engines() const noexcept {
    return around_.worth_engines == 0 || bytes_moved(steps_) >= around_.worth_engines;
}

std::uint64_t prepared::halves_now(std::size_t word) const noexcept {
    std::uint64_t bits = 0;
    auto const end = std::min(group_halves_.size(), 64 * (word + 1));
    for (auto g = 64 * word; g < end; ++g)
        bits |= static_cast<std::uint64_t>((*group_halves_[g] != 0) != looks_ahead_ ? 1 : 0) << g % 64;
    return bits;
}

std::optional<std::vector<std::vector<bound_step>>> prepared::lanes_ahead(std::uint64_t k, std::uint64_t phases) {
    std::vector<std::uint64_t> halves(halves_.size());
    look_ahead(k % 2 == 0);
    for (std::size_t w = 0; w < halves.size(); ++w) halves[w] = halves_now(w);
    look_ahead(false);
    return engine_->lanes(epoch_ + k, halves, phases);
}

void prepared::made_elsewhere(std::uint64_t epochs) noexcept {
    epoch_ += epochs;
    have_met_ = false;
    look_ahead(epochs % 2 == 0); // the last of them
    for (std::size_t w = 0; w < halves_.size(); ++w) halves_[w] = halves_now(w);
    look_ahead(false);
}

bool prepared::none_has_stayed() const noexcept {
    for (std::size_t w = 0; w < halves_.size(); ++w) {
        auto const groups = std::min<std::size_t>(64, static_cast<std::size_t>(steps_.groups) - 64 * w);
        if ((halves_now(w) ^ halves_[w]) != ~std::uint64_t{0} >> (64 - groups)) return false;
    }
    return true;
}

bool prepared::is_at_same_half() const noexcept {
    return steps_.alternates && !have_met_ && !none_has_stayed();
}

void prepared::require_startable() const {
    require_job();
    if (under_way() || is_at_same_half()) [[unlikely]]
        refuse_start();
}

void prepared::rebind(std::span<bound_array const> arrays) {
    require_job();
    if (started_)
        throw error{error_kind::usage, fmt::format("{} was given other arrays too early", steps_.name),
                    "the previous exchange is still in progress", "call wait() before you pass other arrays"};
    if (places_.rebind(steps_, around_, arrays)) engine_->rebound();
}

void prepared::follow(prepared const& before) {
    halves_ = before.halves_;
    have_met_ = before.have_met_;
    before_ = before.before_ + before.epoch_ - epoch_;
}

void prepared::take_way(std::uint32_t choice, std::uint8_t way) {
    if (choice == 0 || choice > next_ways_.size())
        throw error{error_kind::internal, fmt::format("choice {} does not exist in {}", choice, steps_.name),
                    fmt::format("the plan has {} choices, counted from 1", next_ways_.size()), "pass one of these choices"};
    if (auto const ways = steps_.choices[choice - 1].ways; way >= ways)
        throw error{error_kind::internal, fmt::format("way {} does not exist in choice {} of {}", way, choice, steps_.name),
                    fmt::format("the choice has {} ways, counted from 0", ways), "pass one of these ways"};
    next_ways_[choice - 1] = way;
}

void prepared::refuse_start() const {
    if (under_way())
        throw error{error_kind::usage, fmt::format("{} was started twice", steps_.name),
                    "the previous exchange is still in progress", "call wait() before the next start()"};
    refuse_start_at_same_half();
}

void prepared::refuse_start_at_same_half() const {
    throw error{error_kind::usage, fmt::format("{} was started twice for the same half of a buffered array", steps_.name),
                "without flip() between the exchanges, neighbours may still read elements that this rank has overwritten",
                "call flip() once between exchanges, or pass .credits = true to reflect_init"};
}

void prepared::refuse_wait() const {
    throw error{error_kind::usage, fmt::format("{} was waited for without a start", steps_.name), "each wait() needs one start()",
                "call start() before each wait()"};
}

template <class Step> progress prepared::or_give_up(Step step) {
    try {
        return step();
    } catch (...) {
        gave_up_ = true;
        watch_.moved(); // nobody waits here any more
        abandon();
        throw;
    }
}

template <class Begin> void prepared::begin_by(Begin how) {
    ++epoch_;
    have_met_ = false;
    for (std::size_t w = 0; w < halves_.size(); ++w) halves_[w] = halves_now(w);
    watch_.begin(epoch_);
    if (trace_) trace_->begin(before_ + epoch_);
    running_ = true;
    if (next_ways_ != ways_) [[unlikely]]
        ways_ = next_ways_;
    if (or_give_up(how) == progress::over) come_to_end();
    started_ = true;
}

void prepared::start() {
    require_startable();
    begin();
}

void prepared::begin() {
    unheard_ = true;
    begin_by([&] { return engine_->start(epoch_, halves_, ways_); });
}

void prepared::enqueue(device_queue& in) {
    if (!engine_->enqueues())
        throw error{error_kind::usage, fmt::format("{} cannot be enqueued on a stream", steps_.name),
                    "the arrays of the exchange are in host memory",
                    "call start(), or create the arrays in device memory (sode::device)"};
    require_job();
    if (running_ && !engine_->runs_ahead()) finish();
    if (is_at_same_half()) refuse_start_at_same_half();
    begin_by([&] { return engine_->enqueue(epoch_, halves_, ways_, in); });
}

void prepared::come_to_end() noexcept {
    running_ = false;
    if (trace_) trace_->end();
}

bool prepared::test() {
    require_job();
    if (running_ && or_give_up([&] { return engine_->proceed(); }) == progress::over) come_to_end();
    if (running_) return false;
    unheard_ = false;
    calls_.rethrow();
    return true;
}

void prepared::wait() {
    require_job();
    if (!std::exchange(started_, false)) [[unlikely]]
        refuse_wait();
    unheard_ = false;
    if (running_) finish();
    calls_.rethrow();
}

void prepared::finish() {
    if (trace_) trace_->wait_begins();
    waiter w{around_.waiting};
    while (running_) turn(w);
}

void prepared::turn(waiter& w) {
    auto news = or_give_up([&] { return engine_->proceed(); });
    if (news == progress::idle) {
        if (trace_) trace_->idle();
        if (w.step()) news = or_give_up([&] { return watch_.look(w.elapsed()); });
        if (news == progress::idle) return;
    }
    watch_.moved();
    w.reset();
    if (news == progress::over) come_to_end();
}

void prepared::abandon() noexcept {
    started_ = unheard_ = false;
    if (std::exchange(running_, false)) engine_->abandon();
}

bool prepared::settle() noexcept {
    if (!running_ || (around_.ended && *around_.ended)) return !gave_up_;
    try {
        finish();
        calls_.rethrow();
        return true;
    } catch (std::exception const& e) {
        tell(e);
    } catch (...) { // what a function of the user's has thrown may be anything
        warn(fmt::format("{} ended with an exception that is not a std::exception", steps_.name),
             "a function of the program threw this exception", "throw exceptions that are derived from std::exception");
    }
    fail_at_exit();
    return !gave_up_;
}

std::string prepared::explain() const {
    auto text = sode::internal::explain(steps_, around_.memory.name());
    if (engine_->enqueues()) return text + fmt::format("  engine: {}\n", device_engines().says(steps_, around_));
    if (!around_.engines) return text;
    auto const theirs = around_.engines->name();
    if (&choose() == around_.engines) {
        text += fmt::format("  engine: {}\n{}", theirs, around_.engines->says(steps_, around_));
        auto const* const more = dynamic_cast<engine_report const*>(engine_.get());
        return more ? text + more->report() : text;
    }
    auto const why = around_.engines->cannot_run(steps_, around_);
    return text + fmt::format("  engine: {} ({})\n", inline_engines().name(),
                              why.empty() ? fmt::format("it moves {} B, and {} is faster only from {} B on", bytes_moved(steps_),
                                                        theirs, around_.worth_engines)
                                          : fmt::format("{} cannot: {}", theirs, why));
}

} // namespace sode::internal
