// SPDX-License-Identifier: Apache-2.0
#include "engine/triggered_engines.hpp"

#include "base/clock.hpp"
#include "engine/engine_report.hpp"
#include "engine/executors.hpp"
#include "engine/inline_engine.hpp"
#include "engine/triggered/finish_times.hpp"
#include "engine/triggered/interface_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <utility>

namespace sode::internal {
namespace {

std::vector<lowered_stream> lower_in(schedule const& p, context const& c) {
    auto const& memory = stored_into(c);
    return lower(p, [&](descriptor const& d) { return !memory.contains(d.peer); });
}

std::vector<bool> in_queues(std::vector<lowered_stream> const& streams) {
    std::vector<bool> all;
    for (auto const& s : streams) all.push_back(!s.by_caller());
    return all;
}

} // namespace

class triggered_engines::one final : public engine, public engine_report {
public:
    one(engine_work const& work, triggered_engines const& of)
        : lowered_(lower_in(work.steps, work.around)), tables_(work.steps, work.places), rows_(row_functions(work.steps)) {
        std::map<std::size_t, interface_share*> by_interface;
        for (std::uint32_t s = 0; s < lowered_.size(); ++s) {
            if (lowered_[s].by_caller()) continue;
            auto const n = of.interface_of(work.steps.streams[s]);
            auto& share = by_interface[n];
            if (!share)
                share =
                    shares_.emplace_back(std::make_unique<interface_share>(work.steps, *of.interfaces_[n], rows_, left_, moves_))
                        .get();
            share->add(s, lowered_[s].branches);
        }
        auto queued = in_queues(lowered_);
        if (std::ranges::find(queued, false) != queued.end()) host_ = std::make_unique<inline_engine>(work, std::move(queued));
        in_two_parts_ = !shares_.empty() && std::ranges::any_of(lowered_, [](lowered_stream const& s) {
            return s.broken == lowering_rule::no_messages;
        });
    }

    progress start(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways) override {
        number_ = number;
        if (in_two_parts_) begun_at_ = now_ns();
        left_.store(shares_.size(), std::memory_order_relaxed);
        auto const places = tables_.of(number, halves);
        for (auto const& s : shares_) s->ring(number, places, ways);
        host_over_ = !host_ || host_->start(number, halves, ways) == progress::over;
        if (host_over_ && in_two_parts_) by_messages_.took(now_ns() - begun_at_);
        return progress::idle;
    }
    progress proceed() override {
        auto const moved = proceed_host();
        if (left_.load(std::memory_order_acquire) != 0)
            for (auto const& s : shares_)
                if (s->lends()) s->help();
        return come_to(moved);
    }
    progress catch_up() override {
        auto const moved = proceed_host();
        for (auto const& s : shares_) s->catch_up();
        return come_to(moved);
    }
    void abandon() noexcept override {
        for (auto const& s : shares_) s->abandon(number_);
        if (host_) host_->abandon();
    }
    void rebound() override {
        tables_.forget();
        if (host_) host_->rebound();
    }
    std::size_t standing(std::span<std::uint32_t> at) const noexcept override {
        std::size_t n = host_ && !host_over_ ? host_->standing(at) : 0;
        for (auto const& s : shares_)
            if (!s->standing(number_, at, n)) return 0;
        return n;
    }
    [[nodiscard]] std::string report() const override {
        chain_counts all;
        for (auto const& s : shares_) s->count_chains(all);
        if (all.chains == 0) return {};
        auto text = fmt::format("    {} {} of descriptors: {} in memory of {}, {} in host memory\n", all.chains,
                                all.chains == 1 ? "chain" : "chains", all.internal,
                                shares_.size() == 1 ? "the interface" : "the interfaces", all.host);
        if (in_two_parts_ && by_interfaces_.kept() > 0)
            text += fmt::format(
                "    measured: messages complete after {:.2f} us, interfaces after {:.2f} us (medians of {} exchanges)\n",
                by_messages_.median(), by_interfaces_.median(), by_interfaces_.kept());
        return text;
    }
    [[nodiscard]] std::uint64_t executed() const noexcept override {
        std::uint64_t all = host_ ? host_->executed() : 0;
        for (auto const& s : shares_) all += s->executed();
        return all;
    }

private:
    bool proceed_host() {
        if (host_over_) return false;
        auto const news = host_->proceed();
        host_over_ = news == progress::over;
        if (host_over_ && in_two_parts_) by_messages_.took(now_ns() - begun_at_);
        return news != progress::idle;
    }
    progress come_to(bool moved) {
        if (host_over_ && left_.load(std::memory_order_acquire) == 0) {
            if (in_two_parts_) note_interfaces();
            return progress::over;
        }
        auto const moves = moves_.load(std::memory_order_acquire);
        return std::exchange(seen_, moves) != moves || moved ? progress::moved : progress::idle;
    }

    void note_interfaces() noexcept {
        std::int64_t last = begun_at_;
        for (auto const& s : shares_) last = std::max(last, s->over_at());
        by_interfaces_.took(last - begun_at_);
    }

    std::vector<lowered_stream> lowered_;
    epoch_tables tables_;
    std::vector<row_function> rows_;
    alignas(64) std::atomic<std::size_t> left_{0}; // shares whose part of the epoch is not over
    std::atomic<std::uint64_t> moves_{0};
    std::unique_ptr<inline_engine> host_; // the streams of the rank's own thread; null: there are none
    bool host_over_ = true;
    std::uint64_t number_ = 0;
    bool in_two_parts_ = false; // one by messages, one by interfaces: how long each takes is noted
    std::int64_t begun_at_ = 0;
    finish_times by_messages_, by_interfaces_;
    std::uint64_t seen_ = 0;                               // moves that the rank knows of
    std::vector<std::unique_ptr<interface_share>> shares_; // the last: interfaces use the others
};

triggered_engines::triggered_engines(wait_policy const& waiting, int interfaces, std::span<processor_set const> where,
                                     std::shared_ptr<space> beyond)
    : beyond_(std::move(beyond)) {
    for (std::size_t n = 0; n < static_cast<std::size_t>(interfaces); ++n)
        interfaces_.push_back(
            std::make_unique<network_interface>(waiting, where.empty() ? std::nullopt : std::optional{where[n % where.size()]}));
}

triggered_engines::~triggered_engines() = default;

void triggered_engines::stop() noexcept {
    for (auto const& nic : interfaces_) nic->thread.stop();
}

std::size_t triggered_engines::interface_of(stream const& s) const noexcept {
    return (s.runs_on.kind == executor_kind::queue ? s.runs_on.number : s.nic) % interfaces_.size();
}

std::string triggered_engines::cannot_run(schedule const& p, context const& c) const {
    auto const streams = lower_in(p, c);
    if (auto refused = refused_queue(p, streams); !refused.empty()) return refused;
    bool const none = std::ranges::all_of(streams, [](lowered_stream const& s) { return s.by_caller(); });
    if (none && !streams.empty())
        return fmt::format("no stream can be a queue: {} (\"{}\")", streams.front().why, to_string(*streams.front().broken));
    return lacks_executor(p, executor_kind::queue, std::numeric_limits<std::uint32_t>::max());
}

std::unique_ptr<engine> triggered_engines::make(engine_work const& work) const {
    return std::make_unique<one>(work, *this);
}

std::string triggered_engines::says(schedule const& p, context const& c) const {
    auto const streams = lower_in(p, c);
    auto const queues = std::ranges::count_if(streams, [](lowered_stream const& s) { return !s.by_caller(); });
    std::size_t assists = 0, puts = 0;
    for (auto const& d : p.descriptors) {
        assists += computes(d.op) && d.op != operation::call;
        puts += d.op == operation::put && p.programs[d.program].bytes > 0; // others are words
    }
    auto text = fmt::format("    {} {} in session mode on {} {}", queues, queues == 1 ? "queue" : "queues", interfaces_.size(),
                            interfaces_.size() == 1 ? "interface" : "interfaces");
    if (puts != 0) text += fmt::format(", {} {} as chains of descriptors", puts, puts == 1 ? "put" : "puts");
    if (assists != 0)
        text += fmt::format(", {} {} by the processor of the interface", assists, assists == 1 ? "reduction" : "reductions");
    text += '\n';
    for (std::size_t s = 0; s < streams.size(); ++s)
        if (auto const& l = streams[s]; l.broken)
            text += fmt::format("    stream {}: {} (\"{}\": {})\n", s,
                                l.by_caller() ? std::string{"the rank's own thread"}
                                              : fmt::format("a branch packet before {} {}", l.branches.size(),
                                                            l.branches.size() == 1 ? "descriptor" : "descriptors"),
                                to_string(*l.broken), l.why);
    return text;
}

triggered_counts triggered_engines::counts(std::size_t n) const {
    auto& nic = *interfaces_.at(n);
    round_thread::turn const mine{nic.thread};
    return nic.counts;
}

} // namespace sode::internal
