// SPDX-License-Identifier: Apache-2.0
#include "gmpi/departures.hpp"

#include <algorithm>
#include <utility>

namespace sode::internal::kernels {

namespace {
constexpr int most_steps = 16;
} // namespace

departures::departures(frame_link& by, gmpi::memory& memory, goal_keeper& tells) : link_(by), memory_(memory), tells_(tells) {
    bool const all_is_plain = dynamic_cast<gmpi::host_memory const*>(&memory) != nullptr;
    if (!all_is_plain) brought_ = memory.allocate(gmpi::memory::kind::mapped, by.most_payload());
}

departures::~departures() {
    if (brought_) memory_.release(gmpi::memory::kind::mapped, brought_);
}

bool departures::go() {
    bool any = false;
    for (int n = 0; n < most_steps && !waiting_.empty(); ++n) {
        auto& one = waiting_.front();
        if (!step(one)) return any;
        any = true;
        bool const is_frame = one.what.of == departure::kind::frame;
        if (one.done < (is_frame ? 1 : one.what.bytes)) continue;
        auto const whose = one.what.whose;
        auto const bytes = is_frame ? one.what.said.length : one.what.bytes;
        waiting_.pop_front();
        tells_.over(whose, code::ok, bytes);
    }
    return any;
}

bool departures::step(underway& one) {
    auto const& d = one.what;
    auto const rest = d.bytes - one.done;
    auto f = d.said;
    switch (d.of) {
    case departure::kind::frame: {
        bool moved = false;
        one.done = put(one, f, d.data ? d.data : d.own.data(), moved) ? 1 : 0;
        return moved;
    }
    case departure::kind::stream:
        f.offset += one.done;
        f.length = static_cast<std::uint32_t>(std::min<word>(rest, link_.most_payload()));
        if (f.length < rest) f.tag = 0;
        if (bool moved = false; !put(one, f, d.data + one.done, moved)) return moved;
        one.done += f.length;
        return true;
    case departure::kind::copy: {
        if (one.copy != 0) {
            if (!memory_.is_over(one.copy)) return false;
            one.copy = 0;
            one.done += std::min<word>(rest, memory_.most_of_a_copy());
            return true;
        }
        auto const now = std::min<word>(rest, memory_.most_of_a_copy());
        one.copy = memory_.begin_copy(d.to + one.done, d.data + one.done, now);
        if (one.copy == 0) one.done += now;
        return true;
    }
    }
    return false;
}

// True once the frame has gone. A payload in memory of a device is brought first.
bool departures::put(underway& one, frame const& f, std::byte const* payload, bool& moved) {
    if (f.length == 0 || memory_.is_plain(payload)) return moved = link_.try_put(f, payload);
    if (brings_ == fetched::nothing) {
        one.copy = memory_.begin_copy(brought_, payload, f.length);
        brings_ = fetched::under_way;
        moved = true;
    }
    if (brings_ == fetched::under_way && (one.copy == 0 || memory_.is_over(one.copy))) brings_ = fetched::all;
    if (brings_ != fetched::all || !link_.try_put(f, brought_)) return false;
    brings_ = fetched::nothing;
    one.copy = 0;
    return moved = true;
}

void departures::give_up(code why) {
    brings_ = fetched::nothing;
    auto const all = std::exchange(waiting_, {});
    for (auto const& one : all) tells_.over(one.what.whose, why, 0);
}

} // namespace sode::internal::kernels
