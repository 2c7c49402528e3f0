// SPDX-License-Identifier: Apache-2.0
#include "channel/direct/stage_chunks.hpp"

namespace sode::direct {
namespace {

// The first of the chunks that the outermost loop is cut into.
layout first_chunk(layout whole, std::int64_t chunks) {
    whole.loops.front().count /= chunks;
    return whole;
}

} // namespace

void emit_chunks(plan_builder& b, std::uint16_t stream, mirrored_edges const& pair) {
    auto const& [out, in, chunks, out_flag, in_flag, out_stage, in_stage] = pair;
    std::int64_t const bytes = out.bytes / chunks;
    auto const& rows = out.source_layout.loops.front();
    auto& loop = b.emit(stream, operation::loop);
    loop.argument = static_cast<std::uint32_t>(chunks);
    loop.src_offset = rows.count / chunks * rows.stride;
    loop.dst_offset = bytes;
    loop.threshold = loop.value = 1;

    auto& pack = b.copy(stream, operation::pack, b.add(stage_of(out.source, out_stage)), b.add(out.from),
                        compile(first_chunk(out.source_layout, chunks), contiguous(out.stage_offset, bytes)));
    pack.signal = out_flag;
    pack.value = 1 - chunks; // of `chunks` an epoch
    auto& unpack = b.copy(stream, operation::unpack, b.add(in.to), b.add(stage_of(in.source, in_stage)),
                          compile(contiguous(in.stage_offset, bytes), first_chunk(in.target_layout, chunks)), in.source);
    unpack.trigger = in_flag;
    unpack.threshold = 1 - chunks;
    b.emit(stream, operation::end_loop);
}

} // namespace sode::direct
