// SPDX-License-Identifier: Apache-2.0
#include "engine/binding.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace sode {

namespace {

constexpr int most_groups = 6;

} // namespace

binding::binding(plan const& p, context const& c, std::span<bound_array const> arrays, std::uint64_t fingerprint)
    : freed_(c.freed), serial_(c.ranks.next_serial()),
      scratch_(static_cast<std::byte*>(
          ::operator new (std::max<std::size_t>(static_cast<std::size_t>(p.own_scratch), 1), std::align_val_t{page}))) {
    std::memset(scratch_.get(), 0, static_cast<std::size_t>(p.own_scratch)); // touched by its owner, and not in the first exchange
    if (p.groups > most_groups)
        throw error{error_kind::usage, fmt::format("{} has {} buffered arrays", p.name, p.groups),
                    fmt::format("one exchange keeps the parities of at most {}", most_groups), "use several exchanges"};
    hosted_block const shape{nullptr, p.own_lines, p.own_pairs, arrays.size()};
    own_bytes_ = shape.bytes() + static_cast<std::size_t>(p.own_stage);
    own_ = c.memory.allocate(own_bytes_);
    freed_.expose(own_);
    hosted_block const own{own_, p.own_lines, p.own_pairs, arrays.size()};
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.own_lines); ++i) new (own.counter_at(i)) std::atomic<std::uint64_t>{0};
    for (std::size_t a = 0; a < arrays.size(); ++a)
        for (std::size_t half = 0; half < 2; ++half)
            if (auto* const at = arrays[a].instance[half]; at && arrays[a].shared) {
                auto const block = c.memory.block_of(at);
                own.array(a, half) = {c.memory.offset(at), block.offset, block.bytes};
                freed_.expose(at);
            }
    call_reason const reason{c.waits, fmt::format("in planning {}", p.name)};
    try {
        plan_hosts const hosts{p, c, own, c.memory.block_of(own_), arrays.size(), fingerprint};
        freed_.collective_done();
        bind_buffers(p, c, hosts, arrays);
        bind_counters(p, hosts);
    } catch (...) {
        freed_.release(own_, own_bytes_);
        throw;
    }
}

binding::~binding() {
    freed_.release(own_, own_bytes_);
}

void binding::bind_buffers(plan const& p, context const& c, plan_hosts const& hosts, std::span<bound_array const> arrays) {
    stride_ = std::max<std::size_t>(p.buffers.size(), 1); // also a plan without buffers has combinations
    unsigned const combinations = 2U << static_cast<unsigned>(p.groups);
    buffers_.assign(stride_ * combinations, nullptr);
    for (unsigned combination = 0; combination < combinations; ++combination)
        for (std::size_t i = 0; i < p.buffers.size(); ++i) {
            buffer const& b = p.buffers[i];
            bool const second = b.instances == parity::epoch   ? (combination & 1U) != 0
                                : b.instances == parity::array ? (combination >> (1U + b.group) & 1U) != 0
                                                               : false;
            std::int64_t const at = b.offset + (second ? b.bytes : 0);
            std::byte* address = nullptr;
            switch (b.role) {
            case buffer_role::array:
                address = b.host == p.rank ? arrays[b.ordinal].instance[second]
                                           : array_of(c, b.host, hosts.of(b.host).array(b.ordinal, second ? 1 : 0));
                address += b.offset;
                break;
            case buffer_role::stage: address = hosts.of(b.host).stage() + at; break;
            case buffer_role::payload:
                address = hosts.of(b.host).counter_at(b.ordinal + (second ? 1U : 0U)) + payload_offset;
                break;
            case buffer_role::scratch: address = scratch_.get() + at; break;
            case buffer_role::constant: address = const_cast<std::byte*>(p.constants.data()) + at; break; // nobody writes there
            }
            buffers_[combination * stride_ + i] = address;
        }
}

std::byte* binding::array_of(context const& c, int host, hosted_block::told_array const& there) {
    c.memory.open(host, {there.block, there.block_bytes});
    return c.memory.at(host, there.at);
}

void binding::bind_counters(plan const& p, plan_hosts const& hosts) {
    counter_stride_ = p.counters.size();
    counters_.resize(2 * counter_stride_);
    for (unsigned half = 0; half < 2; ++half)
        for (std::size_t i = 1; i < counter_stride_; ++i) {
            counter const& k = p.counters[i];
            auto* const number = hosts.of(k.host).counter_at(k.index + (k.instances == parity::epoch ? half : 0U));
            counters_[half * counter_stride_ + i] = {std::launder(reinterpret_cast<std::atomic<std::uint64_t>*>(number)), k.step};
        }
}

} // namespace sode
