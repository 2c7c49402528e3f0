// SPDX-License-Identifier: Apache-2.0
#include "engine/binding.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace sode {

struct binding::hosted {
    std::uint64_t fingerprint = 0;
    std::uint64_t block = 0; // place of lines and stage
    std::uint64_t block_bytes = 0;
    std::uint64_t lines = 0; // as in plan::own_lines
    std::uint64_t pairs = 0;

    [[nodiscard]] std::size_t place(std::size_t index) const noexcept { return counter_place(index, lines, pairs); }
    [[nodiscard]] std::size_t stage() const noexcept {
        return (counter_bytes(static_cast<std::int64_t>(lines), static_cast<std::int64_t>(pairs)) + page - 1) / page * page;
    }
    static constexpr std::size_t page = 4096; // stages start on a page of their own
};

std::size_t counter_bytes(std::int64_t lines, std::int64_t pairs) noexcept {
    return static_cast<std::size_t>((lines - pairs * pair_counters + 3 * pairs) * line_bytes);
}

std::size_t counter_place(std::size_t index, std::size_t lines, std::size_t pairs) noexcept {
    constexpr std::size_t shared = 6; // counters of a pair without payload
    std::size_t const alone = lines - pairs * pair_counters;
    if (index < alone) return index * line_bytes;
    std::size_t const pair = (index - alone) / pair_counters, number = (index - alone) % pair_counters;
    std::size_t const block = (alone + 3 * pair) * line_bytes;
    if (number < shared) return block + number * sizeof(std::uint64_t);
    std::size_t const side = (number - shared) / 2, parity = (number - shared) % 2;
    return block + (1 + parity) * line_bytes + side * (payload_offset + pair_payload_bytes);
}

namespace {

constexpr int most_groups = 6;

/// What a rank tells: four words of its lines and stage after the fingerprint, and three for each half of an array.
std::size_t words_of(std::size_t arrays) noexcept {
    return 5 + 6 * arrays;
}
std::size_t word_of(std::size_t array, std::size_t half) noexcept {
    return words_of(array) + 3 * half;
}

} // namespace

binding::binding(plan const& p, context const& c, std::span<bound_array const> arrays, std::uint64_t fingerprint)
    : freed_(c.freed), serial_(c.bound ? (*c.bound)++ : 0),
      scratch_(static_cast<std::byte*>(
          ::operator new (std::max<std::size_t>(static_cast<std::size_t>(p.own_scratch), 1), std::align_val_t{page}))) {
    std::memset(scratch_.get(), 0, static_cast<std::size_t>(p.own_scratch)); // touched by its owner, and not in the first exchange
    if (p.groups > most_groups)
        throw error{error_kind::usage, fmt::format("{} has {} buffered arrays", p.name, p.groups),
                    fmt::format("one exchange keeps the parities of at most {}", most_groups), "use several exchanges"};
    hosted const here{fingerprint, 0, 0, static_cast<std::uint64_t>(p.own_lines), static_cast<std::uint64_t>(p.own_pairs)};
    own_bytes_ = here.stage() + static_cast<std::size_t>(p.own_stage);
    own_ = c.memory.allocate(own_bytes_);
    freed_.expose(own_);
    for (std::size_t i = 0; i < here.lines; ++i) new (own_ + here.place(i)) std::atomic<std::uint64_t>{0};

    // One message a rank: what it hosts, and where its arrays are.
    std::size_t const words = words_of(arrays.size());
    std::vector<std::uint64_t> mine(words), all(words * static_cast<std::size_t>(p.ranks));
    mine[0] = fingerprint;
    mine[1] = c.memory.offset(own_);
    mine[2] = c.memory.block_of(own_).bytes;
    mine[3] = here.lines;
    mine[4] = here.pairs;
    for (std::size_t a = 0; a < arrays.size(); ++a)
        for (std::size_t half = 0; half < 2; ++half)
            if (arrays[a].instance[half] && arrays[a].shared) {
                auto const block = c.memory.block_of(arrays[a].instance[half]);
                auto* const word = mine.data() + word_of(a, half);
                word[0] = c.memory.offset(arrays[a].instance[half]);
                word[1] = block.offset;
                word[2] = block.bytes;
                freed_.expose(arrays[a].instance[half]);
            }
    call_reason const reason{c.waits, fmt::format("in planning {}", p.name)};
    c.boot.allgather(mine.data(), words * sizeof(std::uint64_t), all.data());
    freed_.collective_done();

    std::vector<hosted> hosts;
    for (int r = 0; r < p.ranks; ++r) {
        auto const* theirs = all.data() + words * static_cast<std::size_t>(r);
        if (theirs[0] != fingerprint) {
            freed_.release(own_, own_bytes_);
            throw error{error_kind::usage, fmt::format("rank {} and this rank describe {} differently", r, p.name),
                        "an exchange needs the same shapes, widths and options on every rank",
                        "compute them from values that are equal on all ranks"};
        }
        hosts.push_back({theirs[0], theirs[1], theirs[2], theirs[3], theirs[4]});
    }
    bind_buffers(p, c, hosts, arrays, all);
    bind_counters(p, c, hosts);
}

binding::~binding() {
    freed_.release(own_, own_bytes_);
}

void binding::bind_buffers(plan const& p, context const& c, std::vector<hosted> const& hosts, std::span<bound_array const> arrays,
                           std::vector<std::uint64_t> const& places) {
    std::size_t const words = words_of(arrays.size());
    stride_ = std::max<std::size_t>(p.buffers.size(), 1); // also a plan without buffers has combinations
    unsigned const combinations = 2U << static_cast<unsigned>(p.groups);
    buffers_.assign(stride_ * combinations, nullptr);
    for (unsigned combination = 0; combination < combinations; ++combination)
        for (std::size_t i = 0; i < p.buffers.size(); ++i) {
            buffer const& b = p.buffers[i];
            auto const& host = hosts[static_cast<std::size_t>(b.host)];
            bool const second = b.instances == parity::epoch   ? (combination & 1U) != 0
                                : b.instances == parity::array ? (combination >> (1U + b.group) & 1U) != 0
                                                               : false;
            std::int64_t const at = b.offset + (second ? b.bytes : 0);
            std::byte* address = nullptr;
            if (b.role == buffer_role::stage || b.role == buffer_role::payload)
                c.memory.open(b.host, {host.block, host.block_bytes});
            switch (b.role) {
            case buffer_role::array: {
                auto const* const told =
                    places.data() + words * static_cast<std::size_t>(b.host) + word_of(b.ordinal, second ? 1 : 0);
                c.memory.open(b.host, {told[1], told[2]});
                address = b.host == p.rank ? arrays[b.ordinal].instance[second] : c.memory.at(b.host, told[0]);
                address += b.offset;
                break;
            }
            case buffer_role::stage: address = c.memory.at(b.host, host.block) + host.stage() + at; break;
            case buffer_role::payload:
                address = c.memory.at(b.host, host.block) + host.place(b.ordinal + (second ? 1U : 0U)) + payload_offset;
                break;
            case buffer_role::scratch: address = scratch_.get() + at; break;
            case buffer_role::constant: address = const_cast<std::byte*>(p.constants.data()) + at; break; // nobody writes there
            }
            buffers_[combination * stride_ + i] = address;
        }
}

void binding::bind_counters(plan const& p, context const& c, std::vector<hosted> const& hosts) {
    counter_stride_ = p.counters.size();
    counters_.resize(2 * counter_stride_);
    for (unsigned half = 0; half < 2; ++half)
        for (std::size_t i = 1; i < counter_stride_; ++i) {
            counter const& k = p.counters[i];
            std::size_t const index = k.index + (k.instances == parity::epoch ? half : 0U);
            auto const& host = hosts[static_cast<std::size_t>(k.host)];
            c.memory.open(k.host, {host.block, host.block_bytes});
            auto* const number = c.memory.at(k.host, host.block) + host.place(index);
            counters_[half * counter_stride_ + i] = {std::launder(reinterpret_cast<std::atomic<std::uint64_t>*>(number)), k.step};
        }
}

} // namespace sode
