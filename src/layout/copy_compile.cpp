// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_block.hpp"
#include "layout/copy_kernels.hpp"
#include "layout/copy_nest.hpp"
#include "layout/copy_rows.hpp"
#include "layout/normal_form.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace sode::internal {

copy_program compile(layout const& given_source, layout const& given_target) {
    layout const source = normalised(given_source);
    layout const target = normalised(given_target);
    if (source.bytes() != target.bytes())
        throw error{error_kind::usage, fmt::format("{} bytes cannot be copied to {} bytes", source.bytes(), target.bytes()),
                    "source and target of a copy must have the same size",
                    "give source and target the same section shape and element size"};
    if (target.bytes() == 0) return {};
    if (overlaps_itself(target))
        throw error{error_kind::usage, "the target of a copy overlaps itself",
                    "a byte would be written twice, and the order of writes is not defined",
                    "pass target strides that write each byte only once"};

    if (source.is_nest() && target.is_nest())
        if (auto nest = common_refinement(source, target))
            if (auto program = to_program(std::move(*nest))) return *std::move(program);
    std::vector<copy_program::segment> segments;
    append_refinement(segments, expand(source), expand(target));
    return to_program(std::move(segments));
}

copy_program compile_block(index_t bytes) {
    if (bytes <= 0 || bytes >= longest_span) return compile(contiguous(0, bytes), contiguous(0, bytes));
    copy_nest block;
    block.block = bytes;
    return *to_program(std::move(block));
}

copy_program compile_pack(layout const& source) {
    return compile(source, contiguous(0, source.bytes()));
}

copy_program compile_unpack(layout const& target) {
    return compile(contiguous(0, target.bytes()), target);
}

std::optional<copy_program> fuse(copy_program const& a, copy_program const& b) {
    auto const is_single_nest = [](copy_program const& p) { return !is_list(p) && p.bytes > 0 && !p.twin; };
    auto const same_loop = [](auto const& x, auto const& y) {
        return x.count == y.count && x.src_stride == y.src_stride && x.dst_stride == y.dst_stride;
    };
    if (!is_single_nest(a) || !is_single_nest(b) || a.kernel != b.kernel || a.block != b.block ||
        !std::equal(a.loops, a.loops + a.loop_count, b.loops, b.loops + b.loop_count, same_loop))
        return std::nullopt;
    copy_program both = a;
    both.twin = true;
    both.twin_src = b.src_offset - a.src_offset;
    both.twin_dst = b.dst_offset - a.dst_offset;
    both.bytes = a.bytes + b.bytes;
    if (both.kernel != reference_kernel) both.kernel = kernel_for(both);
    return both;
}

void copy_program::take_entries(index_t begin, index_t end) noexcept {
    table = static_cast<std::byte const*>(table) + static_cast<std::size_t>(begin) * entry_bytes(encoding);
    entries = end - begin;
}

} // namespace sode::internal
