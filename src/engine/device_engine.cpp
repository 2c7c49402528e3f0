// SPDX-License-Identifier: Apache-2.0
#include "engine/device_engine.hpp"

#include "base/wait.hpp"
#include "base/warn.hpp"
#include "device/device_messages.hpp"
#include "engine/traced_work.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace sode::internal {
namespace {

constexpr std::size_t stop_bytes = 64;

bool is_for_device(stream const& s) noexcept {
    return s.runs_on.kind == executor_kind::block;
}

std::vector<bool> streams_of_device(schedule const& p) {
    std::vector<bool> all;
    for (auto const& s : p.streams) all.push_back(is_for_device(s));
    return all;
}

// Whether some message carries memory of the device.
bool has_device_messages(schedule const& p) {
    return std::ranges::any_of(
        p.descriptors, [&](descriptor const& d) { return is_message(d.op) && p.buffers[d.src].memory == memory_kind::device; });
}

/// What queues can do: straight on, copies and words.
bool is_for_queues(operation op) noexcept {
    return is_copy(op) || op == operation::signal || op == operation::wait || op == operation::credit || op == operation::end;
}

class device_engine_kind final : public engine_kind {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "device"; }
    [[nodiscard]] std::string cannot_run(schedule const& p, context const& c) const override {
        if (!c.blocks) return "this rank has no device";
        if (has_device_messages(p) && !mpi_takes_device_memory()) return "its MPI does not take device memory";
        for (std::size_t s = 0; s < p.streams.size(); ++s) {
            auto const& one = p.streams[s];
            if (one.runs_on == executor{}) continue;
            if (!is_for_device(one)) return fmt::format("its stream {} is for {}", s, describe(one.runs_on));
            if (one.choice != 0) return fmt::format("its stream {} belongs to a choice", s);
            for (auto i = one.first; p.descriptors[i].op != operation::end; ++i)
                if (!is_for_queues(p.descriptors[i].op))
                    return fmt::format("its stream {} has a {}", s, to_string(p.descriptors[i].op));
        }
        return {};
    }
    [[nodiscard]] std::unique_ptr<engine> make(engine_work const& work) const override {
        return std::make_unique<device_engine>(work);
    }
    [[nodiscard]] std::string says(schedule const& p, context const& c) const override {
        auto const mine = std::ranges::count_if(p.streams, is_for_device);
        std::size_t graphs = 0;
        for (auto const& s : p.streams)
            if (is_for_device(s)) graphs += runs_for_graphs(p, s.first, c.blocks->graphs()).size();
        auto const chains = graphs == 0 ? "" : fmt::format(", {} graph{} of copies", graphs, graphs == 1 ? "" : "s");
        bool const all = static_cast<std::size_t>(mine) == p.streams.size();
        return fmt::format("device, {}: {} queue{}{}{}", c.blocks->name(), mine, mine == 1 ? "" : "s", chains,
                           all                      ? ""
                           : has_device_messages(p) ? ", and messages by the rank, whose MPI takes device memory"
                                                    : ", and messages by the rank");
    }
};

} // namespace

engine_kind const& device_engines() noexcept {
    static device_engine_kind const kind;
    return kind;
}

device_engine::device_engine(engine_work const& work)
    : plan_(work.steps), device_(*work.around.blocks), pinned_(work.around.memory, work.around.freed, work.around.device),
      stop_block_(pinned_.allocate(stop_bytes)), stop_(*new (stop_block_) shared_word{0}), host_(work, streams_of_device(plan_)),
      tables_(plan_, work.places) {
    for (auto const& s : plan_.streams)
        if (is_for_device(s))
            lanes_.push_back({s.first, work.around.blocks->make_queue(queue_use::plan), nullptr, {}});
        else
            has_host_ = true;
    for (auto& l : lanes_)
        if (auto* const graphs = dynamic_cast<graph_queue*>(l.queue.get()))
            for (auto const& run : runs_for_graphs(plan_, l.first, device_.graphs())) l.graphs.emplace_back(run, *graphs);
    device_messages_ = has_device_messages(plan_);
    if (work.around.trace && !lanes_.empty()) trace_lanes(*work.around.trace);
}

device_engine::~device_engine() {
    collect();
    for (auto& l : lanes_) l.queue.reset(); // they look at the words
    if (stamps_) pinned_.release(stamps_, lanes_.size() * queue_tracer::bytes);
    pinned_.release(stop_block_, stop_bytes);
}

void device_engine::trace_lanes(trace_log& log) {
    stamps_ = pinned_.allocate(lanes_.size() * queue_tracer::bytes);
    work_ = add_work(log, plan_, [](traced_work const& w, std::int64_t bytes) { return subject_of(w, bytes); });
    waits_ = log.add({.name = plan_.name, .bytes = 0, .edges = {}});
    for (std::size_t n = 0; n < lanes_.size(); ++n) {
        auto& l = lanes_[n];
        auto row = fmt::format("device queue {} of {}", n, plan_.name);
        l.trace = std::make_unique<queue_tracer>(log, *l.queue, std::move(row), stamps_ + n * queue_tracer::bytes);
    }
}

void device_engine::collect() noexcept {
    for (auto& l : lanes_)
        if (l.trace) l.trace->collect();
}

progress device_engine::start(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways) {
    epoch_ = number;
    now_ = tables_.of(number, halves);
    if (device_messages_) open_ = device_.enter();
    // In the order of the streams: whatever others wait for is in front of what this rank waits for.
    for (auto& l : lanes_) give(l);
    return news(host_.start(number, halves, ways));
}

progress device_engine::enqueue(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways,
                                device_queue& in) {
    for (auto& l : lanes_) l.queue->await(in);
    auto const begun = start(number, halves, ways);
    for (auto& l : lanes_) in.await(*l.queue);
    return begun;
}

void device_engine::give(lane& l) {
    auto& q = *l.queue;
    auto const epoch = static_cast<std::int64_t>(epoch_);
    auto doing = no_work;
    for (std::size_t i = l.first;; ++i, ++executed_) {
        auto const& b = now_.steps[i];
        if (b.trigger)
            if (auto const least = b.threshold + epoch * b.trigger_step; least > 0) {
                if (l.trace)
                    l.trace->next(trace_kind::waiting, waits_, epoch_, plan_.counters[plan_.descriptors[i].trigger].writer);
                doing = no_work;
                q.await(*b.trigger, static_cast<std::uint64_t>(least), stop_);
            }
        if (l.trace && work_[i] != std::exchange(doing, work_[i])) {
            if (doing == no_work)
                l.trace->rest();
            else
                l.trace->next(trace_kind::work, doing, epoch_);
        }
        auto const last = b.kernel ? give_copies(l, i) : i;
        executed_ += last - i;
        i = last;
        if (auto const& e = now_.steps[i]; e.signal) {
            bool const adds = e.signal_step == bound_step::adds;
            q.publish(*e.signal, static_cast<std::uint64_t>(adds ? e.value : e.value + epoch * e.signal_step), adds, stop_);
        }
        if (plan_.descriptors[i].op == operation::end) break;
    }
    if (l.trace) l.trace->rest();
}

std::size_t device_engine::give_copies(lane& l, std::size_t i) const {
    for (auto& g : l.graphs)
        if (g.run().first == i) {
            g.launch(now_.steps);
            return i + g.run().count - 1;
        }
    auto const& b = now_.steps[i];
    l.queue->copy({std::shared_ptr<void>{}, b.program}, b.target, b.source); // the plan lives as long as the queue
    return i;
}

std::optional<std::vector<std::vector<bound_step>>>
device_engine::lanes(std::uint64_t number, std::span<std::uint64_t const> halves, std::uint64_t phases) {
    if (has_host_ || tables_.period() == 0 || phases % tables_.period() != 0) return std::nullopt;
    auto const& table = tables_.of(number, halves);
    std::vector<std::vector<bound_step>> all;
    for (auto const& l : lanes_) {
        auto& one = all.emplace_back();
        for (std::size_t i = l.first;; ++i) {
            one.push_back(table.steps[i]);
            if (plan_.descriptors[i].op == operation::end) break;
        }
    }
    return all;
}

std::uint64_t device_engine::done() const noexcept {
    std::uint64_t sum = 0;
    for (auto const& l : lanes_) sum += l.queue->done();
    return sum;
}

progress device_engine::news(progress of_host) {
    auto const now = done();
    std::uint64_t all = 0;
    for (auto const& l : lanes_) all += l.queue->given();
    bool const moved = std::exchange(seen_, now) != now || of_host == progress::moved;
    if (now == all && of_host == progress::over) {
        collect();
        open_.reset();
        for (auto const& l : lanes_)
            if (auto const why = l.queue->failure(); !why.empty())
                throw error{error_kind::environment, fmt::format("the device failed in {}", plan_.name), why,
                            "check the kernels that the program has run"};
        return progress::over;
    }
    return moved ? progress::moved : progress::idle;
}

progress device_engine::proceed() {
    return news(host_.proceed());
}

void device_engine::abandon() noexcept {
    stop_.store(1, std::memory_order_release);
    host_.abandon();
    wait_policy const patient{};
    waiter w{patient};
    constexpr double longest_s = 10;
    for (auto const& l : lanes_)
        while (l.queue->done() != l.queue->given()) {
            static_cast<void>(w.step());
            if (w.elapsed() > longest_s)
                return warn("a device still uses an exchange that has been abandoned",
                            "the work of the exchange on the device has not ended within 10 s",
                            "call wait() before you destroy an exchange");
        }
}

void device_engine::rebound() {
    host_.rebound();
    tables_.forget();
    for (auto& l : lanes_)
        for (auto& g : l.graphs) g.forget();
}

// Words are monotone: what a lane waits for is the first trigger in it that is not there yet, whatever the queue has seen of it.
std::size_t device_engine::standing(std::span<std::uint32_t> at) const noexcept {
    auto n = has_host_ ? host_.standing(at) : 0;
    for (auto const& l : lanes_) {
        if (l.queue->done() == l.queue->given()) continue;
        for (auto i = l.first; plan_.descriptors[i].op != operation::end; ++i)
            if (!now_.steps[i].ready(static_cast<std::int64_t>(epoch_), 0)) {
                at[n++] = i;
                break;
            }
    }
    return n;
}

} // namespace sode::internal
