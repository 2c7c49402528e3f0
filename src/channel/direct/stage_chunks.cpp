// SPDX-License-Identifier: Apache-2.0
#include "channel/ways.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

// The first of the chunks that the outermost loop is cut into.
layout first_chunk(layout whole, std::int64_t chunks) {
    whole.loops.front().count /= chunks;
    return whole;
}

/// Two staged edges that mirror each other: what this rank sends to a neighbour and what it gets from there. Where every row lies
/// on a page of its own, the rows that are packed and those that are unpacked share their pages; so a part is packed, the same part
/// of the neighbour's is unpacked, and so on, while the addresses are still translated (research: 1.3 times as fast as packing all
/// first, for 8192 rows). A loop of two descriptors, whatever the size.
class stage_chunks_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr stage_chunks_way() noexcept : way("stage-chunks", found_in::parts) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return !e.on_device && e.chunks > 0 && e.apart != distance::other_machine;
    }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        auto const& c = p.of(e.apart).memory;
        // The pages that are packed from are those that are unpacked to.
        double const gather = edge_cost::gather(e, p);
        return {.source = gather,
                .target = gather - edge_cost::pages(e, p) + static_cast<double>(e.bytes) * c.stage_byte,
                .latency = c.flag};
    }
    [[nodiscard]] way const* instead(edge_features const& e) const noexcept override {
        return e.apart == distance::other_machine ? nullptr : &ways::stage;
    }

    /// Both edges know the same chunks, or neither would have been chosen. A stream for each pair of edges: the neighbour may begin
    /// with another one.
    void take(way_site const& s, edge_span edges) const override {
        for (auto const* in : edges) {
            auto const out = std::find_if(s.leaving.begin(), s.leaving.end(),
                                          [&](edge const& e) { return e.slot == in->back && e.target == in->source; });
            auto const stream = s.build.add_stream(in->source);
            swap(s, stream, *out, *in);
            s.opened->push_back({stream, {in}});
        }
    }

private:
    static void swap(way_site const& s, std::uint32_t stream, edge const& out, edge const& in) {
        auto& b = s.build;
        std::int64_t const chunks = in.features.chunks, bytes = out.features.bytes / chunks;
        auto const& rows = out.source_layout.loops.front();
        stride const through_array{rows.count / chunks * rows.stride}, through_stage{bytes};
        b.emit(stream, operation::loop).argument = static_cast<std::uint32_t>(chunks);

        auto const out_flag = b.add(out.flag), in_flag = b.add(in.flag);
        auto& pack = b.copy(stream, operation::pack, b.add(stage_of(out.source, s.own_stage)), b.add(out.from),
                            compile(first_chunk(out.source_layout, chunks), contiguous(out.place, bytes)));
        pack.signal = out_flag;
        pack.value = 1 - static_cast<std::int32_t>(chunks); // of `chunks` an epoch
        pack.strides = b.add(loop_strides{.src = through_array, .dst = through_stage, .value = 1});
        auto& unpack = b.copy(stream, operation::unpack, b.add(in.to), b.add(stage_of(in.source, s.peer_stage)),
                              compile(contiguous(in.place, bytes), first_chunk(in.target_layout, chunks)), in.source);
        unpack.trigger = in_flag;
        unpack.threshold = 1 - static_cast<std::int32_t>(chunks);
        unpack.strides = b.add(loop_strides{.src = through_stage, .dst = through_array, .threshold = 1});
        b.emit(stream, operation::end_loop);
    }
};

constinit stage_chunks_way const stage_chunks_object;

} // namespace

namespace ways {
way const& stage_chunks = stage_chunks_object;
}

} // namespace sode::internal
