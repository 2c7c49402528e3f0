// SPDX-License-Identifier: Apache-2.0
#include "gmpi/weak_memory.hpp"

#include <algorithm>

namespace sode::internal::testing {

namespace {

constexpr std::uint64_t between_stores = std::uint64_t{1} << 32; // room for others in between

void join(std::vector<std::uint64_t>& into, std::vector<std::uint64_t> const& other) {
    if (into.size() < other.size()) into.resize(other.size());
    for (std::size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

std::uint64_t time_in(std::vector<std::uint64_t> const& v, std::size_t place) {
    return place < v.size() ? v[place] : 0;
}

void know(std::vector<std::uint64_t>& v, std::size_t place, std::uint64_t time) {
    if (v.size() <= place) v.resize(place + 1);
    v[place] = std::max(v[place], time);
}

} // namespace

weak_memory::weak_memory(std::uint64_t seed) : random_(seed) {}
weak_memory::~weak_memory() = default;

int weak_memory::add(int agent, std::function<void()> body) {
    auto const until_it_ends = [this, body = std::move(body)] {
        try {
            if (!ending_) body();
            // NOLINTNEXTLINE(bugprone-empty-catch): it unwinds the thread's stack, no more
        } catch (end_of_run const&) {
        }
    };
    threads_.push_back({agent, std::make_unique<fiber>(until_it_ends), {}, {}, {}, {}, {}});
    return static_cast<int>(threads_.size()) - 1;
}

bool weak_memory::run(std::uint64_t most_steps) {
    most_ = most_steps;
    std::vector<std::size_t> alive;
    while (true) {
        alive.clear();
        for (std::size_t i = 0; i < threads_.size(); ++i)
            if (!threads_[i].runs->over()) alive.push_back(i);
        if (alive.empty()) return !ending_;
        running_ = alive[pick(alive.size())];
        threads_[running_].runs->resume();
    }
}

void weak_memory::give_way() {
    ++steps_;
    if (steps_ > most_) ending_ = true;
    threads_[running_].runs->leave();
    if (ending_) throw end_of_run{};
}

// Another thread takes over at any access, but not at most of them: a thread mostly gets somewhere.
void weak_memory::step() {
    ++steps_;
    if (pick(3) == 0) give_way();
}

weak_memory::place& weak_memory::at(word const& w, std::size_t& number) {
    auto const [found, fresh] = numbers_.try_emplace(&w, places_.size());
    number = found->second;
    if (fresh) places_.push_back({{{0, w, 0, {}, {}}}, false});
    return places_[number];
}

void weak_memory::hear(thread& t, stored const& m, bool acquire, scope s) {
    bool const same = m.agent == t.agent;
    auto const& brought = same ? m.device : m.system;
    if (acquire && (same || s == scope::system)) join(t.now, brought);
    join(t.read_system, brought);
    if (same) join(t.read_device, brought);
}

weak_memory::stored weak_memory::written(thread const& t, std::uint64_t time, word value, bool release, scope s) const {
    stored m{time, value, t.agent, t.released_device, t.released_system};
    if (!release) return m;
    join(m.device, t.now);
    if (s == scope::system) join(m.system, t.now);
    return m;
}

weak_memory::word weak_memory::load(word const& w, bool acquire, scope s) {
    step();
    std::size_t number = 0;
    auto const& order = at(w, number).order;
    auto& t = threads_[running_];
    auto const oldest =
        static_cast<std::size_t>(std::ranges::lower_bound(order, time_in(t.now, number), {}, &stored::time) - order.begin());
    std::size_t const seen = pick(2) == 0 ? order.size() - 1 : oldest + pick(order.size() - oldest);
    stored const& m = order[seen];
    hear(t, m, acquire, s);
    know(t.now, number, m.time);
    return m.value;
}

void weak_memory::store(word& w, word value, bool release, scope s) {
    step();
    std::size_t number = 0;
    auto& p = at(w, number);
    auto& t = threads_[running_];
    auto const first =
        static_cast<std::size_t>(std::ranges::upper_bound(p.order, time_in(t.now, number), {}, &stored::time) - p.order.begin());
    std::size_t before = p.order.size(); // what comes behind it
    if (!p.changed && first < before && pick(2) == 0) before = first + pick(before - first + 1);
    std::uint64_t const last = p.order[before - 1].time;
    std::uint64_t const time = before == p.order.size() ? last + between_stores : last + (p.order[before].time - last) / 2;
    know(t.now, number, time);
    auto m = written(t, time, value, release, s);
    know(m.device, number, time);
    p.order.insert(p.order.begin() + static_cast<std::ptrdiff_t>(before), std::move(m));
}

weak_memory::word weak_memory::change(word& w, std::function<bool(word&)> const& f, bool acquire, bool release, scope s) {
    step();
    std::size_t number = 0;
    auto& p = at(w, number);
    auto& t = threads_[running_];
    p.changed = true;
    stored const before = p.order.back();
    word value = before.value;
    hear(t, before, acquire, s);
    know(t.now, number, before.time);
    if (!f(value)) return before.value;
    std::uint64_t const time = before.time + between_stores;
    know(t.now, number, time);
    auto m = written(t, time, value, release, s);
    join(m.device, before.device); // what somebody has released before goes on
    join(m.system, before.system);
    p.order.push_back(std::move(m));
    return before.value;
}

void weak_memory::fence(bool acquire, bool release, scope s) {
    step();
    auto& t = threads_[running_];
    if (acquire) join(t.now, s == scope::system ? t.read_system : t.read_device);
    if (!release) return;
    join(t.released_device, t.now);
    if (s == scope::system) join(t.released_system, t.now);
}

void weak_memory::meet(meeting& place, int members) {
    auto& t = threads_[running_];
    join(place.known, t.now);
    auto const round = place.round;
    if (++place.arrived == members) {
        place.arrived = 0;
        ++place.round;
    }
    while (place.round == round) give_way();
    join(t.now, place.known);
}

} // namespace sode::internal::testing
