// SPDX-License-Identifier: Apache-2.0
#include "engine/plan_messages.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sode {
namespace {

// Plans that live at the same time must not take each other's messages.
int tag_of(std::uint64_t serial, std::uint32_t message, int most_tag) noexcept {
    auto const plans = (static_cast<std::uint64_t>(most_tag) + 1) / most_messages;
    return static_cast<int>(serial % plans * most_messages + message);
}

// All iterations would begin the same message.
void refuse_loops(plan const& p) {
    bool in_loop = false;
    for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
        auto const op = p.descriptors[i].op;
        in_loop = op == operation::loop || (in_loop && op != operation::end_loop);
        if (in_loop && is_message(op))
            throw error{error_kind::internal, fmt::format("descriptor {} of {} is a message inside a loop", i, p.name),
                        "a message has one end, which is told once an epoch", "unroll the loop"};
    }
}

} // namespace

plan_messages::plan_messages(plan const& p, binding const& places, context const& c) {
    if (std::ranges::none_of(p.descriptors, [](descriptor const& d) { return is_message(d.op); })) return;
    ordinal_.resize(p.descriptors.size());
    for (std::size_t i = 0; i < p.descriptors.size(); ++i)
        if (is_message(p.descriptors[i].op)) ordinal_[i] = static_cast<std::uint32_t>(count_++);
    refuse_loops(p);
    auto* const carrier = c.boot.messages();
    if (!carrier)
        throw error{error_kind::environment, fmt::format("{} needs messages between ranks that share no memory", p.name),
                    fmt::format("ranks that were started by {} have none", c.boot.name()),
                    "start the program with an MPI's mpirun"};
    set_ = carrier->make_set();
    std::map<std::pair<std::size_t, std::byte*>, std::size_t> known;
    for (unsigned combination = 0; combination < places.combinations(); ++combination) {
        auto* const* const buffers = places.buffers(combination & 1U, combination >> 1U);
        for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
            descriptor const& d = p.descriptors[i];
            if (!is_message(d.op)) continue;
            auto* const data = buffers[d.src] + d.src_offset;
            auto [number, is_new] = known.try_emplace({i, data}, 0);
            if (is_new) {
                auto const bytes = static_cast<std::size_t>(p.programs[d.program].bytes);
                int const tag = tag_of(places.serial(), d.argument, carrier->most_tag());
                number->second =
                    d.op == operation::send ? set_->send(data, bytes, d.peer, tag) : set_->receive(data, bytes, d.peer, tag);
                descriptors_.resize(number->second + 1);
                descriptors_[number->second] = static_cast<std::uint32_t>(i);
            }
            numbers_.push_back(number->second);
        }
    }
    done_.resize(descriptors_.size());
    over_.resize(descriptors_.size());
}

std::span<std::uint32_t const> plan_messages::collect() {
    std::size_t const n = set_->collect(done_);
    for (std::size_t i = 0; i < n; ++i) over_[i] = descriptors_[done_[i]];
    under_way_ -= n;
    return {over_.data(), n};
}

} // namespace sode
