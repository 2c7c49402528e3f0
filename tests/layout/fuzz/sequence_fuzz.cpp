// SPDX-License-Identifier: Apache-2.0
// Any two layouts of small numbers, sequences and lists in loops among them: the normal form says the same bytes and does not
// change when it is made again; slices are what they say; compile_sequence() does what a walk over the bytes does, whole and cut.
#include "layout/copy_sequence.hpp"
#include "layout/layout_algebra.hpp"
#include "reader.hpp"

#include <sode/error.hpp>

#include <cstdlib>
#include <set>
#include <vector>

namespace {

using namespace sode;
using namespace sode::internal;
using fuzz::reader;

layout read_layout(reader& in, int depth) {
    layout l;
    l.offset = in.number(-99, 99);
    for (index_t n = in.number(0, 2); n > 0; --n) {
        index_t const count = in.number(0, 5);
        l.loops.push_back({count, in.number(-100, 155)});
    }
    switch (in.number(0, depth > 0 ? 2 : 1)) {
    case 0: l.block = in.number(0, 40); break;
    case 1:
        for (index_t n = in.number(1, 7); n > 0; --n) {
            index_t const offset = in.number(0, 199);
            l.list.push_back({offset, in.number(0, 30)});
        }
        break;
    default:
        for (index_t n = in.number(1, 4); n > 0; --n) l.parts.push_back(read_layout(in, depth - 1));
    }
    return l;
}

/// Straight from the definition, sharing nothing with what is tested.
std::vector<index_t> byte_offsets(layout const& l) {
    std::vector<index_t> body;
    for (index_t i = 0; l.is_nest() && i < l.block; ++i) body.push_back(i);
    for (auto const& p : l.list)
        for (index_t i = 0; i < p.bytes; ++i) body.push_back(p.offset + i);
    for (layout const& p : l.parts)
        for (index_t const at : byte_offsets(p)) body.push_back(at);
    for (index_t& at : body) at += l.offset;
    for (auto loop = l.loops.rbegin(); loop != l.loops.rend(); ++loop) {
        std::vector<index_t> all;
        for (index_t i = 0; i < loop->count; ++i)
            for (index_t const at : body) all.push_back(at + i * loop->stride);
        body = std::move(all);
    }
    return body;
}

void expect(bool holds) {
    if (!holds) std::abort();
}

void check_copy(layout const& source, layout const& target, int parts) {
    auto const from = byte_offsets(source);
    auto const to = byte_offsets(target);
    bool const distinct = std::set<index_t>(to.begin(), to.end()).size() == to.size();
    copy_sequence s;
    try {
        s = compile_sequence(source, target);
    } catch (error const&) {
        return expect(!distinct);
    }
    expect(distinct);
    auto const [source_low, source_high] = source.extent();
    auto const [target_low, target_high] = target.extent();
    std::vector<std::byte> bytes(static_cast<std::size_t>(source_high - source_low));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
    std::vector<std::byte> expected(static_cast<std::size_t>(target_high - target_low));
    for (std::size_t i = 0; i < from.size(); ++i)
        expected[static_cast<std::size_t>(to[i] - target_low)] = bytes[static_cast<std::size_t>(from[i] - source_low)];
    std::vector<std::byte> result(expected.size());
    run(s, result.data() - target_low, bytes.data() - source_low);
    expect(result == expected);
    std::fill(result.begin(), result.end(), std::byte{});
    for (copy_sequence const& chunk : split(s, parts)) run(chunk, result.data() - target_low, bytes.data() - source_low);
    expect(result == expected);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    reader in{data, size};
    int const parts = static_cast<int>(in.number(1, 6));
    layout const raw_a = read_layout(in, 2);
    layout const raw_b = read_layout(in, 2);
    if (raw_a.bytes() > 8'000 || raw_b.bytes() > 8'000) return 0;
    layout const a = normalised(raw_a);
    layout const b = normalised(raw_b);
    expect(byte_offsets(a) == byte_offsets(raw_a));
    expect(normalised(a) == a);
    static_cast<void>(classify(a));
    index_t const common = std::min(a.bytes(), b.bytes());
    index_t const begin = in.number(0, 255) * (a.bytes() - common) / 255;
    layout const piece = slice(a, begin, begin + common);
    auto const all = byte_offsets(a);
    expect(byte_offsets(piece) == std::vector<index_t>(all.begin() + begin, all.begin() + begin + common));
    check_copy(piece, slice(b, 0, common), parts);
    check_copy(a, contiguous(3, a.bytes()), parts);
    check_copy(contiguous(-3, b.bytes()), b, parts);
    return 0;
}
