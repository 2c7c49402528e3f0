// SPDX-License-Identifier: Apache-2.0
#include "gmpi/manager.hpp"

#include "base/clock.hpp"
#include "base/helper_thread.hpp"
#include "model/tracing.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstring>
#include <utility>

namespace sode::internal::kernels {

namespace {
constexpr std::uint32_t batch = 32;
constexpr std::int64_t between_looks_ns = 20'000'000;

std::string seen_by(gmpi::detail::failed_wait const& w) {
    using gmpi::detail::site;
    switch (w.where) {
    case site::request: return "nobody has completed the request";
    case site::free_slot: return "all are in progress";
    case site::room_on_ring: return "the ring stayed full";
    default: return fmt::format("it is {}, and the thread needs {}", w.seen, w.expected);
    }
}

std::vector<std::unique_ptr<peer>> make_peers(links& by, int size, gmpi::memory& memory, goal_keeper& tells) {
    std::vector<std::unique_ptr<peer>> all;
    for (int r = 0; r < size; ++r) all.push_back(std::make_unique<peer>(by.to(r), memory, tells));
    return all;
}
} // namespace

manager::manager(detail::job& j, std::shared_ptr<gmpi::memory> memory, gmpi::options const& o)
    : job_(j), words_(std::move(memory), o, o.deadline > 0 ? o.deadline : j.waiting.timeout_s),
      links_(*j.ranks, *j.memory, j.freed), ranks_{make_peers(links_, j.ranks->size(), words_.memory(), *this),
                                                   {*j.memory, j.ranks->machines(), j.ranks->rank(), j.surroundings().device}},
      transfers_(ranks_, words_.memory(), *this),
      windows_(ranks_, words_.memory(), words_.states_in(), words_.handle().signals, *this),
      barriers_(ranks_, j.ranks->rank(), *this), partitioned_(transfers_, words_.memory(), words_.handle().parts, *this),
      plans_(*this), served_(256), trace_(j.trace ? &j.trace->log() : nullptr) {
    words_.handle().rank = j.ranks->rank();
    words_.handle().size = j.ranks->size();
    for (auto const& r : words_.host_rings()) rings_.emplace_back(platform{}, r);
    thread_ = start_helper("serves requests of kernels", "ask for fewer ranks on this machine", std::nullopt, [this] { run(); });
}

manager::~manager() {
    if (!job_.unwinds() && !job_.ended) close();
    stopping_ = true;
    woken_.notify_one();
    thread_.join();
    trace_.hand_over();
}

// The links to other machines are told that nothing more comes, so that no receive is under way when they go.
void manager::close() noexcept {
    try {
        waiter wait{job_.waiting};
        for (bool all = false; !all;) {
            bool const any = carry();
            std::lock_guard const mine{turn_};
            all = true;
            for (auto& p : ranks_.all) all &= p->gone || (p->leaving.empty() && p->link->close());
            if (any) wait.reset();
            if (!all && wait.step()) look_after_peers();
        }
        // NOLINTNEXTLINE(bugprone-empty-catch): an MPI that fails here has failed, or will, where it is waited for
    } catch (...) {
    }
}

void manager::run() {
    using namespace std::chrono_literals;
    auto const& policy = job_.waiting;
    for (int idle = 0; !stopping_;) {
        while (wanted_ != 0) std::this_thread::yield();
        std::unique_lock mine{turn_};
        idle = go() ? 0 : idle + 1;
        // Poll, then yield, then nap. Without a kernel there is little to wait for: what peers put into windows.
        constexpr int yields = 200;
        if (idle <= policy.spins && kernels_ != 0) continue;
        if (idle <= policy.spins + yields && kernels_ != 0 && policy.spins != 0) {
            mine.unlock();
            std::this_thread::yield();
        } else {
            woken_.wait_for(mine, kernels_ != 0 ? 50us : 1000us);
        }
    }
}

bool manager::carry() {
    ++wanted_;
    std::lock_guard const mine{turn_};
    --wanted_;
    bool any = false;
    for (auto& p : ranks_.all)
        if (!p->gone) any |= p->link->carry();
    any |= plans_.carry();
    any |= go();
    trace_.hand_over();
    return any;
}

bool manager::has_left() {
    std::lock_guard const mine{turn_};
    for (auto& p : ranks_.all)
        if (!p->gone && (!p->leaving.empty() || !p->link->is_idle())) return false;
    return true;
}

void manager::kernel_begins() {
    ++kernels_;
    woken_.notify_one();
}

// By whoever has the turn.
bool manager::go() {
    try {
        bool any = take_requests();
        for (int r = 0; r < ranks_.size(); ++r) {
            auto& p = ranks_[r];
            if (p.gone) continue;
            auto const since = trace_.now();
            bool const some = p.link->take(r, *this);
            if (some) trace_.did(manager_trace::frames, since, 0, r);
            any |= some;
            any |= p.leaving.go();
        }
        auto const since = trace_.now();
        bool const some = transfers_.go();
        if (some) trace_.did(manager_trace::copies, since);
        any |= some;
        if (!any) look_after_peers();
        return any;
    } catch (...) {
        if (!thrown_) thrown_ = std::current_exception();
        fail("", code::transport);
        return false;
    }
}

bool manager::take_requests() {
    std::array<entry, batch> some;
    bool any = false;
    for (auto& ring : rings_) {
        auto const n = ring.take(some.data(), batch);
        for (std::uint32_t i = 0; i < n; ++i) {
            auto const since = trace_.now();
            serve(some[i]);
            trace_.did(static_cast<std::uint8_t>(some[i].op), since, served_[static_cast<std::size_t>(some[i].op)],
                       static_cast<int>(some[i].peer));
        }
        any |= n != 0;
    }
    return any;
}

void manager::serve(entry const& e) {
    using gmpi::detail::operation;
    ++served_[static_cast<std::size_t>(e.op)];
    auto const whose = goal::request(e.request);
    auto const peer = static_cast<int>(e.peer);
    auto* const data = reachable::pointer_to(e.address);
    switch (e.op) {
    case operation::send:
        if (e.holds_data) return transfers_.send_short({e.communicator, peer, e.tag}, e.data, e.bytes, whose);
        return transfers_.send({e.communicator, peer, e.tag}, data, e.bytes, whose);
    case operation::receive: return transfers_.receive_from({e.communicator, peer, e.tag}, {whose, data, e.bytes});
    case operation::put: return windows_.put(e, whose);
    case operation::signal: return windows_.signal(peer, e.tag, 1);
    case operation::barrier: return barriers_.enter(whose);
    case operation::start: return start(e, whose);
    case operation::ready:
        if (e.peer < numbers_.size() && !numbers_[e.peer].is_plan) partitioned_.ready(numbers_[e.peer].number, e.tag);
        return;
    case operation::nothing: return;
    }
}

void manager::start(entry const& e, goal const& whose) {
    if (e.peer >= numbers_.size()) return over(whose, code::usage, 0);
    auto const [is_plan, number] = numbers_[e.peer];
    if (is_plan)
        plans_.start(number, whose);
    else
        partitioned_.start(number, whose);
}

void manager::read(int peer, frame const& f, std::byte const* payload) {
    if (!transfers_.read(peer, f, payload) && !windows_.read(f, payload)) static_cast<void>(barriers_.read(f));
}

void manager::over(goal const& whose, code how, word bytes) {
    if (whose.of == goal::kind::part) return partitioned_.over(whose.number, whose.part, how);
    if (whose.of != goal::kind::request) return;
    auto const& slots = words_.handle().requests;
    words_.memory().tell(slots.state + gmpi::detail::slot_of(whose.number), words_.states_in(),
                         gmpi::detail::state_of(whose.number, how, bytes));
}

bool manager::deliver(goal const& whose, code how, std::byte const* data, word bytes) {
    auto const& slots = words_.handle().requests;
    if (whose.of != goal::kind::request || !slots.short_data || bytes == 0 || bytes > gmpi::detail::short_bytes) return false;
    std::array<word, gmpi::detail::short_words> words{};
    std::memcpy(words.data(), data, bytes);
    gmpi::detail::deliver(platform{}, slots, whose.number, how, words.data(), bytes);
    return true;
}

// Now and then, where nothing else is to be done. One rank that has died ends all waits: nobody knows what its signals would have
// been.
void manager::look_after_peers() {
    auto const now = now_ns();
    if (now - looked_ns_ < between_looks_ns) return;
    looked_ns_ = now;
    std::string left; // all of them: who left because another one had died may be seen first
    for (int r = 0; r < ranks_.size(); ++r) {
        if (ranks_[r].gone || r == job_.ranks->rank()) continue;
        auto const how = job_.alive->departed(job_.ranks->job_rank(r));
        if (!how) continue;
        left += fmt::format("{}rank {} has terminated: {}", left.empty() ? "" : "; ", job_.ranks->job_rank(r), *how);
        ranks_[r].gone = true;
        ranks_[r].link->forsake();
        ranks_[r].leaving.give_up(code::peer);
        transfers_.give_up(r, code::peer);
        barriers_.give_up(code::peer);
    }
    if (!left.empty()) fail(std::move(left), code::peer);
}

void manager::fail(std::string why, code told) noexcept {
    if (told_ == code::ok) {
        told_ = told;
        failure_ = std::move(why);
    }
    abort(told_);
}

void manager::abort(code why) noexcept {
    words_.memory().tell(words_.handle().alarm.host, gmpi::memory::kind::mapped, static_cast<word>(why));
}

void manager::rethrow() {
    std::lock_guard const mine{turn_};
    if (thrown_) std::rethrow_exception(thrown_);
    if (plans_.failure()) std::rethrow_exception(plans_.failure());
    if (told_ == code::peer)
        throw error{error_kind::peer, "a kernel was terminated while it was waiting", failure_, "look at the output of that rank"};
    auto const report = gmpi::detail::report_in(platform{}, words_.handle().alarm);
    if (report.why != code::timeout) return;
    constexpr std::array<std::string_view, 7> places{"nothing",     "room for a request", "a free request", "a request",
                                                     "an exchange", "a signal",           "a part"};
    throw error{error_kind::timeout,
                fmt::format("a thread of a device kernel waited {} s for {}",
                            static_cast<double>(words_.handle().alarm.deadline) * 1e-9,
                            places[static_cast<std::size_t>(report.where) % places.size()]),
                seen_by(report), "check for an unmatched send or receive, or raise options::deadline"};
}

int manager::add_window(std::byte* own, word bytes) {
    windows::part const mine{ranks_.memory.on_machine(own), bytes};
    std::vector<windows::part> all(static_cast<std::size_t>(ranks_.size()));
    job_.ranks->boot().allgather(&mine, sizeof mine, all.data());
    for (int r = 0; r < ranks_.size(); ++r)
        if (!job_.ranks->machines().together(r, job_.ranks->rank())) all[static_cast<std::size_t>(r)].where = {};
    all[static_cast<std::size_t>(job_.ranks->rank())].where = ranks_.memory.for_peer(job_.ranks->rank(), own);
    for (int r = 0; r < ranks_.size(); ++r)
        if (auto& p = all[static_cast<std::size_t>(r)]; p.where.how != reach::not_at_all) p.seen = ranks_.memory.at(r, p.where);
    int number = 0;
    {
        std::lock_guard const turn{turn_};
        number = windows_.add(own, std::move(all));
    }
    job_.ranks->boot().barrier(); // before anybody puts
    return number;
}

std::uint32_t manager::add_plan(startable p) {
    std::lock_guard const mine{turn_};
    numbers_.push_back({true, plans_.add(std::move(p))});
    return static_cast<std::uint32_t>(numbers_.size()) - 1;
}

std::pair<std::uint32_t, std::uint32_t> manager::add_partitioned(partitioned p) {
    std::lock_guard const mine{turn_};
    auto const first = partitioned_.words();
    if (!p.leaves && first + p.parts > words_.handle().parts.count)
        throw error{error_kind::usage, fmt::format("there is no room for {} more parts", p.parts),
                    fmt::format("{} of {} are in use", first, words_.handle().parts.count),
                    "create the context with a larger options::parts"};
    numbers_.push_back({false, partitioned_.add(std::move(p))});
    return {static_cast<std::uint32_t>(numbers_.size()) - 1, first};
}

std::string manager::describe() {
    std::lock_guard const mine{turn_};
    constexpr std::array<std::string_view, 8> names{"", "sends", "receives", "puts", "signals", "barriers", "starts", "parts"};
    std::string text;
    std::uint64_t all = 0;
    for (std::size_t i = 1; i < names.size(); ++i) {
        if (served_[i] == 0) continue;
        all += served_[i];
        text += fmt::format("{}{} {}", text.empty() ? ": " : ", ", served_[i], names[i]);
    }
    auto const& h = words_.handle();
    return fmt::format("device: {}, {} ring{} of {} requests{}; {} requests from kernels{}", words_.memory().name(), h.ring_count,
                       h.ring_count == 1 ? "" : "s", h.rings[0].size / gmpi::detail::units_of_long,
                       h.two_hops ? ", a resident kernel between" : "", all, text);
}

} // namespace sode::internal::kernels
