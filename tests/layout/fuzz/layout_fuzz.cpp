// SPDX-License-Identifier: Apache-2.0
// Any two layouts of small numbers: compile() must either refuse them with an error or make a program that does what a walk over
// the bytes does, whole and in chunks.
#include "layout/copy_kernels.hpp"
#include "reader.hpp"

#include <sode/error.hpp>

#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

namespace {

using namespace sode;
using namespace sode::internal;
using fuzz::reader;

layout read_layout(reader& in) {
    layout l;
    if (in.number(0, 3) == 0) {
        for (index_t n = in.number(0, 9); n > 0; --n) {
            index_t const offset = 200 * in.number(-2, 2) + in.number(0, 199);
            l.list.push_back({offset, in.number(0, 70)});
        }
        return l;
    }
    l.offset = in.number(-99, 99);
    l.block = in.number(0, 72);
    for (index_t n = in.number(0, 5); n > 0; --n) {
        index_t const count = in.number(0, 6);
        l.loops.push_back({count, in.number(-100, 155)});
    }
    return l;
}

std::vector<index_t> byte_offsets(layout const& l) {
    std::vector<index_t> all;
    for (auto const& p : expand(l))
        for (index_t i = 0; i < p.bytes; ++i) all.push_back(p.offset + i);
    return all;
}

[[noreturn]] void fail() {
    std::abort();
}

void check(layout const& source, layout const& target, int parts) {
    auto const from = byte_offsets(source);
    auto const to = byte_offsets(target);
    bool const copyable = from.size() == to.size() && std::set<index_t>(to.begin(), to.end()).size() == to.size();
    copy_program p;
    try {
        p = compile(source, target);
    } catch (error const&) {
        if (copyable) fail();
        return;
    }
    if (!copyable) fail();

    auto const [source_low, source_high] = source.extent();
    auto const [target_low, target_high] = target.extent();
    std::vector<std::byte> bytes(static_cast<std::size_t>(source_high - source_low));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
    std::vector<std::byte> result(static_cast<std::size_t>(target_high - target_low));
    std::vector<std::byte> expected = result;
    for (std::size_t i = 0; i < from.size(); ++i)
        expected[static_cast<std::size_t>(to[i] - target_low)] = bytes[static_cast<std::size_t>(from[i] - source_low)];

    for (kernel_set const* const set : supported_kernel_sets()) {
        std::fill(result.begin(), result.end(), std::byte{});
        run(*set, p, result.data() - target_low, bytes.data() - source_low);
        if (result != expected) fail();
    }
    std::fill(result.begin(), result.end(), std::byte{});
    for (copy_program const& chunk : split(p, parts)) run(chunk, result.data() - target_low, bytes.data() - source_low);
    if (result != expected) fail();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    reader in{data, size};
    int const parts = static_cast<int>(in.number(1, 6));
    layout const a = read_layout(in);
    if (normalised(a).bytes() > 20'000) return 0;
    layout const b = read_layout(in);
    if (normalised(b).bytes() > 20'000) return 0;
    if (normalised(normalised(a)) != normalised(a)) fail();
    (void)classify(a);
    check(a, b, parts);
    check(contiguous(3, a.bytes()), a, parts);
    check(b, contiguous(-3, b.bytes()), parts);
    return 0;
}
