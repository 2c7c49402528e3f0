// SPDX-License-Identifier: Apache-2.0
#include "collective/catalogue.hpp"
#include "collective/fold.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

constexpr std::int64_t chunk = 32 << 10;
constexpr std::uint32_t slots = 4;

/// A broadcast out of memory that others cannot load: the root packs it chunk by chunk into a ring of slots, and the others unpack
/// one chunk while it packs the next.
class pipelined_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr pipelined_algorithm() noexcept : algorithm("pipelined") {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override {
        return t.machines.one() && t.kind == collective_kind::broadcast && t.ranks() > 1 && t.bytes() > chunk;
    }
    [[nodiscard]] expense cost(collective_terms const& t, distance apart) const noexcept override {
        auto const& c = t.costs.of(apart).memory;
        auto const all = static_cast<double>(t.bytes());
        auto const packing = all * t.costs.local_byte, reading = all * c.stream_byte;
        auto const chunks = all / static_cast<double>(chunk);
        // One waits for the other at the first chunk and the last one only.
        return {.source = packing,
                .target = reading,
                .latency = 2 * c.flag + chunks * (t.ranks() - 1) * c.row,
                .beside = std::min(packing, reading) * (1 - 1 / chunks)};
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override;
};

plan pipelined_algorithm::build(collective_terms const& t, int rank) const {
    auto const bytes = t.bytes(), all = (bytes + chunk - 1) / chunk, last = bytes - (all - 1) * chunk;
    // Epochs count whole rounds of the ring, so that the slot of a chunk follows from its number.
    auto const step_of_epoch = (all + slots - 1) / slots * slots;
    bool const gives = rank == t.root;
    plan_builder b{t.title(), rank, t.ranks()};
    record_share(b, t, rank);
    b.target().own_lines = 1;
    if (gives) b.target().own_stage = slots * chunk;
    auto const ring = b.add(buffer{.host = t.root, .role = buffer_role::stage, .bytes = slots * chunk});
    auto const memory = b.add(gives ? input_of(t, rank) : output_of(t, rank));
    auto const flag_of = [&](int r) { return b.add(counter{.host = r, .writer = r, .index = 0, .step = step_of_epoch}); };
    auto const stream = b.add_stream(gives ? -1 : t.root);
    stride const round{.bytes = chunk, .slots = slots}, on{.bytes = chunk};
    auto const moving = b.add(loop_strides{.src = gives ? on : round, .dst = gives ? round : on, .threshold = 1, .value = 1});
    auto const waiting = b.add(loop_strides{.threshold = 1});

    // Chunk i of this epoch is number i + 1 - step_of_epoch, relative to the end of the epoch; the last one ends it.
    auto const step = [&](std::int64_t i, std::int64_t size, bool in_loop) {
        auto const number = static_cast<std::int32_t>(i + 1 - step_of_epoch);
        if (gives)
            for (int r = 0; r < t.ranks(); ++r)
                if (r != rank) {
                    auto& d = b.emit(stream, operation::credit);
                    d.trigger = flag_of(r);
                    d.threshold = number - static_cast<std::int32_t>(slots);
                    d.strides = in_loop ? waiting : 0;
                }
        auto const slot = i % slots * chunk, at = i * chunk;
        auto& d = gives ? b.copy(stream, operation::pack, ring, memory, block_copy(size))
                        : b.copy(stream, operation::unpack, memory, ring, block_copy(size), t.root);
        if (!in_loop) {
            d.src_offset = gives ? at : slot;
            d.dst_offset = gives ? slot : at;
        }
        if (!gives) {
            d.trigger = flag_of(t.root);
            d.threshold = number;
        }
        d.signal = flag_of(rank);
        d.value = in_loop ? number : 0;
        d.strides = in_loop ? moving : 0;
    };
    b.emit(stream, operation::loop).argument = static_cast<std::uint32_t>(all - 1);
    step(0, chunk, true);
    b.emit(stream, operation::end_loop);
    step(all - 1, last, false);
    return b.finish();
}

constinit pipelined_algorithm const pipelined_object;

} // namespace

namespace algorithms {
algorithm const& pipelined = pipelined_object;
} // namespace algorithms

} // namespace sode::internal
