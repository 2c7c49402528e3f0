// SPDX-License-Identifier: Apache-2.0
#include "engine/binding.hpp"

#include "engine/network_reach.hpp"

#include "space/overwritable.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace sode::internal {

namespace {

template <class Entry> std::uint32_t instances_in(schedule const& p, Entry const& e) {
    if (auto const n = instances_of(e); n > 0) return n;
    throw error{error_kind::internal, fmt::format("a buffer or counter of {} has no slots", p.name),
                "an epoch needs at least one slot", "give the buffer or counter 1 slot or more"};
}

std::size_t host_scratch(schedule const& p) {
    return static_cast<std::size_t>(p.own_scratch - p.own_pinned.scratch - p.own_device.scratch);
}

hosted_block own_block(schedule const& p, std::byte* base, std::size_t arrays) {
    return {base, p.own_lines - p.own_pinned.lines - p.own_device.lines, p.own_pairs, arrays};
}

void require_kind(schedule const& p, buffer const& b, bound_array const* own, bool opens) {
    if (own && own->memory != b.memory)
        throw error{error_kind::usage, fmt::format("array {} of {} is in {} memory", b.ordinal, p.name, to_string(own->memory)),
                    fmt::format("the exchange was planned for {} memory", to_string(b.memory)),
                    "plan the exchange for memory of this kind"};
    if (!own && b.memory == memory_kind::device && !opens)
        throw error{error_kind::environment,
                    fmt::format("{} needs array {} of rank {}, which is in device memory", p.name, b.ordinal, b.host),
                    "this rank's device cannot access the array",
                    "let the rank that owns the array copy the data to a staging buffer"};
}

} // namespace

binding::binding(schedule const& p, context const& c, std::span<bound_array const> arrays, std::uint64_t fingerprint)
    : memory_(stored_into(c)), freed_(c.freed), serial_(c.ranks.next_serial()),
      scratch_(static_cast<std::byte*>(::operator new (std::max<std::size_t>(host_scratch(p), 1), std::align_val_t{page}))),
      pinned_(c.memory, c.freed, c.device), in_pinned_(p, memory_kind::pinned, &pinned_),
      in_device_(p, memory_kind::device, c.device), arrays_(arrays.begin(), arrays.end()), device_(c.device) {
    std::memset(scratch_.get(), 0, host_scratch(p)); // touched by its owner, and not in the first exchange
    auto const lines = own_block(p, nullptr, arrays.size()).bytes();
    own_bytes_ = lines + static_cast<std::size_t>(p.own_stage - p.own_pinned.stage - p.own_device.stage);
    own_ = allocate_for_overwrite(c.memory, own_bytes_, lines); // what comes to a stage is written before it is read
    freed_.expose(own_);
    auto own = own_block(p, own_, arrays.size());
    for (auto const kind : {memory_kind::pinned, memory_kind::device}) {
        auto const& part = kind == memory_kind::pinned ? in_pinned_ : in_device_;
        own.told(kind) = part.tell();
        own.show(kind, part.base());
    }
    // A device's lines are no memory that this thread can write; they read as zero.
    for (auto i = static_cast<std::size_t>(p.own_device.lines); i < static_cast<std::size_t>(p.own_lines); ++i)
        new (own.counter_at(i)) std::atomic<std::uint64_t>{0};
    tell_arrays(c, own);
    call_reason const reason{c.waits, fmt::format("during planning of {}", p.name)};
    try {
        hosts_.emplace(p, c, own, c.memory.block_of(own_), arrays.size(), fingerprint, pinned_);
        freed_.collective_done();
        for (; serials_ * messages_of_a_serial < hosts_->messages(); ++serials_) static_cast<void>(c.ranks.next_serial());
        bind_buffers(p, c);
        bind_counters(p);
    } catch (...) {
        close_opened(0);
        freed_.release(own_, own_bytes_);
        throw;
    }
}

binding::~binding() {
    close_opened(0);
    freed_.release(own_, own_bytes_);
}

void binding::close_opened(std::size_t but_the_last) noexcept {
    auto const end = opened_.end() - static_cast<std::ptrdiff_t>(but_the_last);
    for (auto at = opened_.begin(); at != end; ++at) device_->close(*at, /*again=*/false);
    opened_.erase(opened_.begin(), end);
}

namespace {

memory_provider& provider_for(context const& c) {
    if (c.device) return *c.device;
    throw error{error_kind::internal, "an array in device memory cannot be accessed", "this rank has no device",
                "create the array with a runtime that has a device"};
}

} // namespace

void binding::tell_arrays(context const& c, hosted_block const& own) {
    for (std::size_t a = 0; a < arrays_.size(); ++a)
        for (std::size_t half = 0; half < 2; ++half)
            if (auto* const at = arrays_[a].instance[half]; at && arrays_[a].shared) {
                if (arrays_[a].memory == memory_kind::device) {
                    own.array(a, half, turn_).device = provider_for(c).tell(at);
                    continue;
                }
                auto const block = c.memory.block_of(at);
                own.array(a, half, turn_) = {c.memory.offset(at), block.offset, block.bytes};
                freed_.expose(at);
            }
}

bool binding::rebind(schedule const& p, context const& c, std::span<bound_array const> arrays) {
    auto const alike = [](bound_array const& a, bound_array const& b) {
        return a.shared == b.shared && a.memory == b.memory && !a.instance[0] == !b.instance[0] && !a.instance[1] == !b.instance[1];
    };
    auto const same = [](bound_array const& a, bound_array const& b) { return std::ranges::equal(a.instance, b.instance); };
    if (!std::ranges::equal(arrays, arrays_, alike))
        throw error{error_kind::usage, fmt::format("{} cannot be given these arrays", p.name),
                    "the plan was made for a different number or kind of arrays", "plan another exchange"};
    auto const in_arena = [&](std::byte const* at) { return !at || c.memory.block_of(at).bytes != 0; };
    for (std::size_t a = 0; a < arrays.size(); ++a)
        for (std::size_t half = 0; half < 2; ++half)
            if (arrays[a].shared && in_arena(arrays_[a].instance[half]) && !in_arena(arrays[a].instance[half]))
                throw error{error_kind::usage, fmt::format("{} cannot be given these arrays", p.name),
                            "other ranks read these arrays, but cannot read the memory of one array",
                            "use memory of the same kind"};
    bool const moved = !std::ranges::equal(arrays, arrays_, same);
    auto const arrays_before = arrays_;
    auto const buffers_before = buffers_;
    auto const turn_before = turn_;
    auto const opened_before = opened_.size();
    try {
        bool const looked = look_again(p, c, arrays, moved);
        if (looked) close_opened(opened_.size() - opened_before);
        return looked;
    } catch (...) {
        while (opened_.size() > opened_before) {
            device_->close(opened_.back(), /*again=*/false);
            opened_.pop_back();
        }
        arrays_ = arrays_before;
        turn_ = turn_before;
        buffers_ = buffers_before; // as many as before: where each begins is the same
        throw;
    }
}

bool binding::look_again(schedule const& p, context const& c, std::span<bound_array const> arrays, bool moved) {
    arrays_.assign(arrays.begin(), arrays.end());
    if (std::ranges::any_of(arrays, &bound_array::shared)) {
        turn_ ^= 1U;
        tell_arrays(c, own_block(p, own_, arrays_.size()));
        call_reason const reason{c.waits, fmt::format("in rebinding {}", p.name)};
        std::array<std::uint64_t, 1> anybody{moved ? 1U : 0U};
        c.ranks.meet({}, anybody, {});
        freed_.collective_done();
        if (anybody[0] == 0) return false;
    } else if (!moved) {
        return false;
    }
    for (std::size_t b = 0; b < p.buffers.size(); ++b)
        for (std::uint32_t i = 0; i < instances_in(p, p.buffers[b]); ++i)
            buffers_[first_buffer_[b] + i] = find(p, p.buffers[b], i, c);
    return true;
}

void binding::bind_buffers(schedule const& p, context const& c) {
    first_buffer_.reserve(p.buffers.size());
    for (auto const& b : p.buffers) {
        first_buffer_.push_back(buffers_.size());
        for (std::uint32_t i = 0; i < instances_in(p, b); ++i) buffers_.push_back(find(p, b, i, c));
    }
}

std::byte* binding::find(schedule const& p, sode::internal::buffer const& b, std::uint32_t instance, context const& c) {
    auto const at = b.offset + instance * b.bytes;
    bool const own = b.role == buffer_role::scratch || b.role == buffer_role::constant;
    if (!own && !hosts_->knows(b.host)) return nullptr;
    switch (b.role) {
    case buffer_role::array: {
        bool const mine = b.host == p.rank;
        require_kind(p, b, mine ? &arrays_[b.ordinal] : nullptr, c.device != nullptr);
        if (mine) return arrays_[b.ordinal].instance[instance] + b.offset;
        auto const& there = hosts_->of(b.host).array(b.ordinal, instance, turn_);
        if (b.memory != memory_kind::device) return array_of(c, b.host, there) + b.offset;
        auto* const begin = provider_for(c).open(c.ranks.job_rank(b.host), there.device);
        opened_.push_back(begin);
        return begin + b.offset;
    }
    case buffer_role::stage: return hosts_->of(b.host).stage_at(static_cast<std::size_t>(at));
    case buffer_role::payload: return hosts_->of(b.host).counter_at(b.ordinal + instance) + payload_offset;
    case buffer_role::scratch:
        switch (auto const device_from = p.own_scratch - p.own_device.scratch; b.memory) {
        case memory_kind::device: return in_device_.scratch(at - device_from);
        case memory_kind::pinned: return in_pinned_.scratch(at - (device_from - p.own_pinned.scratch));
        case memory_kind::host: break;
        }
        return scratch_.get() + at;
    case buffer_role::constant: return const_cast<std::byte*>(p.constants.data()) + at; // nobody writes there
    }
    return nullptr;
}

std::byte* binding::array_of(context const& c, int host, hosted_block::told_array const& there) {
    auto const& memory = stored_into(c);
    memory.open(host, {there.block, there.block_bytes});
    return memory.at(host, there.at);
}

void binding::bind_counters(schedule const& p) {
    first_counter_.reserve(p.counters.size());
    for (auto const& k : p.counters) {
        first_counter_.push_back(counters_.size());
        if (first_counter_.size() == 1) continue; // "none"
        for (std::uint32_t i = 0; i < instances_in(p, k); ++i)
            counters_.push_back(hosts_->knows(k.host) ? std::launder(reinterpret_cast<std::atomic<std::uint64_t>*>(
                                                            hosts_->of(k.host).counter_at(k.index + i)))
                                                      : nullptr);
    }
}

} // namespace sode::internal
