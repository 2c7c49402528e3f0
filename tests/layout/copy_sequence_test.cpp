// SPDX-License-Identifier: Apache-2.0
// Compiled copies of random trees of layouts do what a loop over bytes does, and stay short.
#include "layout/copy_sequence.hpp"

#include "layout/copy_arena.hpp"
#include "layout/layout_algebra.hpp"

#include <map>
#include <set>
#include <sode/error.hpp>

namespace sode::internal {
namespace {

using test::byte_offsets;
using test::copy_arena;
using test::layout_generator;

template <class Run> void expect_bytes(copy_arena& arena, std::vector<std::byte> const& expected, Run how) {
    arena.clear();
    how();
    ASSERT_TRUE(arena.bytes() == expected);
}

/// By the reference, by every kernel set, and in chunks.
void check_sequence(layout const& source, layout const& target, int parts) {
    copy_sequence const s = compile_sequence(normalised(source), normalised(target));
    ASSERT_EQ(s.bytes, source.bytes());
    copy_arena arena{source.extent(), target.extent()};
    auto const expected = arena.expected(byte_offsets(source), byte_offsets(target));
    for (kernel_set const* const set : supported_kernel_sets()) {
        SCOPED_TRACE(set->name);
        ASSERT_NO_FATAL_FAILURE(expect_bytes(arena, expected, [&] {
            for (copy_program const& p : s.steps) run(*set, p, arena.target(), arena.source());
        }));
    }
    ASSERT_NO_FATAL_FAILURE(expect_bytes(arena, expected, [&] {
        for (copy_program const& p : s.steps) run_reference(p, arena.target(), arena.source());
    }));
    index_t bytes = 0;
    auto const chunks = split(s, parts);
    ASSERT_NO_FATAL_FAILURE(expect_bytes(arena, expected, [&] {
        for (auto c = chunks.rbegin(); c != chunks.rend(); ++c) {
            run(*c, arena.target(), arena.source());
            index_t sum = 0;
            for (copy_program const& p : c->steps) sum += p.bytes;
            EXPECT_EQ(sum, c->bytes);
            bytes += sum;
        }
    }));
    ASSERT_EQ(bytes, s.bytes) << "a byte is moved twice";
}

TEST(CompileSequence, CopiesRandomTrees) {
    layout_generator g{71};
    for (int i = 0; i < 1'500; ++i) {
        layout const source = g.tree(1200, static_cast<int>(g.between(0, 3)));
        // Into something else of that size: other loops over the same parts, a list, a nest, or one run of bytes.
        layout target = contiguous(g.between(-70, 70), source.bytes());
        if (g.chance(30)) target = g.list(source.bytes());
        if (g.chance(30)) {
            auto const r = g.radices(300);
            layout const nest = g.nest(r, 4);
            if (source.bytes() % nest.bytes() == 0) {
                auto const [low, high] = nest.extent();
                target = nest;
                target.loops.insert(target.loops.begin(), {source.bytes() / nest.bytes(), high - low + 8});
            }
        }
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check_sequence(source, target, static_cast<int>(g.between(1, 7))));
    }
}

TEST(CompileSequence, CopiesTreesOntoTrees) {
    layout_generator g{72};
    int copied = 0;
    for (int i = 0; i < 3'000; ++i) {
        layout const source = g.tree(900, 2);
        layout target = g.tree(900, 2);
        // Cut the longer one.
        index_t const bytes = std::min(source.bytes(), target.bytes());
        layout const from = slice(normalised(source), 0, bytes);
        layout const to = slice(normalised(target), 0, bytes);
        auto const all = byte_offsets(to);
        if (std::set<index_t>(all.begin(), all.end()).size() != all.size()) {
            ASSERT_THROW((void)compile_sequence(from, to), error);
            continue;
        }
        ++copied;
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check_sequence(from, to, static_cast<int>(g.between(1, 7))));
    }
    EXPECT_GT(copied, 200);
}

TEST(CompileSequence, PeriodsMeetWithoutExpansion) {
    index_t const n = index_t{1} << 30;
    std::vector<layout::piece> const irregular{{0, 8}, {24, 8}, {40, 8}};
    layout const periodic = repeated(normalised({0, 0, {}, irregular}), n, 64);
    auto const steps = [](layout const& s, layout const& t) { return compile_sequence(s, t).steps.size(); };
    EXPECT_EQ(steps(periodic, contiguous(0, 24 * n)), 1u);
    EXPECT_EQ(steps(contiguous(0, 24 * n), periodic), 1u);
    EXPECT_EQ(steps(periodic, normalised({0, 12, {{2 * n, 16}}, {}})), 1u);
    EXPECT_EQ(steps(normalised({0, 12, {{2 * n, 16}}, {}}), periodic), 1u);
    EXPECT_EQ(steps(periodic, normalised({0, 8, {{3 * n, 16}}, {}})), 1u);
    // Rows of 24 bytes into rows of 16.
    EXPECT_EQ(steps(normalised({0, 24, {{2 * n, 32}}, {}}), normalised({0, 16, {{3 * n, 32}}, {}})), 1u);
    // A list in loops onto another one, with periods of 24 and 16 bytes.
    layout const other = repeated(normalised({0, 0, {}, {{0, 4}, {12, 4}, {20, 8}}}), 3 * n / 2, 48);
    EXPECT_EQ(steps(periodic, other), 1u);
    // A struct of two long vectors, as one run of bytes.
    layout_sequence two;
    two.add(normalised({0, 8, {{n, 24}}, {}}), 0);
    two.add(normalised({0, 4, {{n, 16}}, {}}), n * 24);
    layout const pair = two.finish();
    EXPECT_EQ(steps(pair, contiguous(0, pair.bytes())), 2u);
    EXPECT_EQ(steps(repeated(pair, n / 1024, n * 64), contiguous(0, pair.bytes() * (n / 1024))), 2u);
}

TEST(CompileSequence, EqualBlocksBecomeACompactList) {
    layout_generator g{73};
    layout l;
    for (index_t i = 0; i < 1'000; ++i) l.list.push_back({i * 96 + 8 * g.between(0, 8), 24});
    copy_sequence const s = compile_sequence(normalised(l), contiguous(0, 24'000));
    ASSERT_EQ(s.steps.size(), 1u);
    EXPECT_EQ(s.steps.front().entries, 1'000);
    EXPECT_EQ(s.steps.front().encoding, copy_encoding::gather);
    EXPECT_EQ(s.steps.front().block, 24);
    // Six members of a particle, one after another: six lists.
    layout members;
    for (index_t const bytes : {24, 4, 8, 4, 16, 4})
        for (index_t i = 0; i < 100; ++i) members.list.push_back({(i * 7 + i % 3) * 64 + bytes * 1'000'000, bytes});
    EXPECT_EQ(compile_sequence(normalised(members), contiguous(0, members.bytes())).steps.size(), 6u);
}

TEST(CompileSequence, ShortListsInLoopsAreUnrolled) {
    std::vector<layout::piece> const pair{{0, 16}, {24, 8}}; // two numbers, and one
    for (index_t const count : {2, 7, 50, 200, 211, 6'007}) {
        SCOPED_TRACE(count);
        layout const pairs = repeated(normalised({0, 0, {}, pair}), count, 40);
        layout const packed = contiguous(0, pairs.bytes());
        copy_sequence const s = compile_sequence(pairs, packed);
        EXPECT_LE(s.steps.size(), 2U);
        for (copy_program const& p : s.steps) {
            EXPECT_EQ(p.encoding, copy_encoding::gather) << "blocks of 8 bytes, not segments of any size";
            EXPECT_LE(p.entries, 128) << "the table stays small";
        }
        ASSERT_NO_FATAL_FAILURE(check_sequence(pairs, packed, 5));
        ASSERT_NO_FATAL_FAILURE(check_sequence(packed, pairs, 5));
        layout const planes = repeated(repeated(normalised({0, 0, {}, pair}), 3, 40), count, 1'000); // two loops
        ASSERT_NO_FATAL_FAILURE(check_sequence(planes, contiguous(0, planes.bytes()), 5));
        ASSERT_NO_FATAL_FAILURE(check_sequence(planes, shifted(planes, 64), 5));
    }
    // Pieces whose bytes take longer than their beginning stay what they are.
    layout const rows = repeated(normalised({0, 0, {}, {{0, 512}, {1'024, 256}}}), 100, 4'096);
    copy_sequence const s = compile_sequence(rows, contiguous(0, rows.bytes()));
    ASSERT_EQ(s.steps.size(), 1U);
    EXPECT_EQ(s.steps.front().entries, 2);
}

/// `atoms` of an array of elements of `bytes`, which come in runs of up to eight.
layout atoms_of_array(layout_generator& g, index_t atoms, index_t bytes, index_t at) {
    layout l;
    for (index_t element = 0; atoms > 0; element += g.between(1, 3)) {
        index_t const run = std::min(atoms, g.between(1, 8));
        l.list.push_back({at + element * bytes, run * bytes});
        element += run;
        atoms -= run;
    }
    return normalised(std::move(l));
}

TEST(CompileSequence, EveryArrayOfAParticleHasItsOwnBlocks) {
    for (index_t const atoms : {100, 150, 2'000}) { // arrays of 22 runs share a list, those of 440 do not
        layout_generator g{77};
        layout_sequence s;
        index_t at = 0;
        for (index_t const bytes : {24, 4, 4, 8}) {
            s.add(atoms_of_array(g, atoms, bytes, at), 0);
            at += 4 * atoms * bytes;
        }
        layout const particles = s.finish();
        copy_sequence const packing = compile_sequence(particles, contiguous(0, particles.bytes()));
        index_t whole = 0; // bytes in blocks of an array's own size
        for (copy_program const& p : packing.steps) {
            EXPECT_TRUE(p.segments().empty()) << "a list of segments of any size";
            if (p.block >= 24 || p.block == 4 || p.block == 8) whole += p.bytes;
        }
        EXPECT_EQ(whole, packing.bytes);
        EXPECT_LE(packing.steps.size(), 4u);
        EXPECT_EQ(packing.steps.front().block, 24);
        ASSERT_NO_FATAL_FAILURE(check_sequence(particles, contiguous(3, particles.bytes()), 5));
        layout const elsewhere = shifted(particles, 64);
        ASSERT_NO_FATAL_FAILURE(check_sequence(particles, elsewhere, 5));
    }
}

TEST(CompileSequence, BlocksThatHaveGrownTogetherAreCutAgain) {
    layout_generator g{79};
    for (int i = 0; i < 100; ++i) {
        index_t const block = g.one_of<index_t>({4, 8, 12, 24, 40});
        layout l;
        index_t at = 0;
        for (index_t n = g.between(40, 200); n > 0; --n) {
            l.list.push_back({at, block * (g.chance(70) ? 1 : g.between(1, 30))});
            at += l.list.back().bytes + block * g.between(1, 3);
        }
        l = normalised(l);
        layout const packed = contiguous(0, l.bytes());
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check_sequence(l, packed, 5));
        ASSERT_NO_FATAL_FAILURE(check_sequence(packed, l, 5));
        ASSERT_NO_FATAL_FAILURE(check_sequence(l, shifted(l, 24), 5));
    }
}

TEST(CompileSequence, WhatIsTooFarForACompactListIsNone) {
    layout_generator g{80};
    for (index_t const far : {index_t{1} << 31, -(index_t{1} << 31) - 1, index_t{1} << 40}) {
        layout l;
        for (index_t i = 0; i < 100; ++i) l.list.push_back({i * 64 + 8 * g.between(0, 3), 8});
        l.list.push_back({far, 8});
        layout const packed = contiguous(0, l.bytes());
        auto const pieces = [&](copy_sequence const& s, index_t copy_program::segment::*side) {
            std::vector<layout::piece> all;
            for (copy_program const& p : s.steps) {
                EXPECT_TRUE(p.hops().empty() && p.places().empty());
                for (auto const& q : p.segments()) all.push_back({q.*side, q.bytes});
            }
            return all;
        };
        EXPECT_EQ(pieces(compile_sequence(normalised(l), packed), &copy_program::segment::src), l.list);
        EXPECT_EQ(pieces(compile_sequence(packed, normalised(l)), &copy_program::segment::dst), l.list);
        EXPECT_EQ(pieces(compile_sequence(normalised(l), shifted(normalised(l), 8)), &copy_program::segment::src), l.list);
    }
}

TEST(CompileSequence, LongListsMeetManyParts) {
    layout_generator g{78};
    for (int i = 0; i < 60; ++i) {
        layout_sequence lists;
        index_t at = 0;
        for (index_t k = g.between(1, 3); k > 0; --k) {
            layout const l = atoms_of_array(g, g.between(300, 900), g.one_of<index_t>({4, 8, 24}), at);
            at = l.extent().second + 100;
            lists.add(l, 0);
        }
        layout const source = lists.finish();
        layout_sequence nests;
        at = 0;
        for (index_t left = source.bytes(); left > 0;) {
            index_t const block = g.between(1, 9) * 4;
            index_t const rows = std::min(g.between(9, 40), left / block);
            nests.add(normalised(rows > 8 ? layout{0, block, {{rows, block + 4}}, {}} : contiguous(0, std::min(left, block))), at);
            left -= rows > 8 ? rows * block : std::min(left, block);
            at += 41 * 40;
        }
        layout const target = nests.finish();
        SCOPED_TRACE(i);
        ASSERT_NO_FATAL_FAILURE(check_sequence(source, target, 6));
        ASSERT_NO_FATAL_FAILURE(check_sequence(target, source, 6));
    }
}

TEST(CompileSequence, RefusesWhatHasNoEnd) {
    // Periods that never meet, and more blocks than a program may list.
    layout const a = normalised({0, 8, {{(index_t{1} << 21) + 1, 16}}, {}});
    layout_sequence s;
    s.add(contiguous(0, 4), 0);
    s.add(normalised({16, 8, {{index_t{1} << 21, 16}}, {}}), 0);
    s.add(contiguous(0, 4), index_t{1} << 30);
    EXPECT_THROW((void)compile_sequence(a, s.finish()), error);
}

/// Lines of the target that more than one of them writes.
std::size_t shared_lines(std::vector<copy_sequence> const& all) {
    std::map<index_t, std::set<std::size_t>> writers;
    for (std::size_t c = 0; c < all.size(); ++c) {
        for (copy_program const& p : all[c].steps) {
            layout body{p.dst_offset, p.block, {}, {}};
            for (auto const& s : p.segments()) body.list.push_back({s.dst, s.bytes});
            for (auto const& h : p.hops()) body.list.push_back({h.dst, p.block});
            for (std::size_t i = 0; i < p.places().size(); ++i)
                body.list.push_back(
                    {p.encoding == copy_encoding::gather ? static_cast<index_t>(i) * p.place_step : p.places()[i], p.block});
            for (int k = 0; k < p.loop_count; ++k) body.loops.push_back({p.loops[k].count, p.loops[k].dst_stride});
            for (index_t const b : byte_offsets(body)) writers[(b + 640'000) / 64].insert(c);
        }
    }
    return static_cast<std::size_t>(
        std::count_if(writers.begin(), writers.end(), [](auto const& w) { return w.second.size() > 1; }));
}

TEST(SplitSequence, ChunksShareNoLines) {
    layout_generator g{74};
    std::size_t chunks = 0;
    for (int i = 0; i < 400; ++i) {
        layout const target = normalised(g.tree(3'000, static_cast<int>(g.between(0, 2))));
        auto const all = byte_offsets(target);
        // What has 4096 bytes may share a line with what follows, where the shape leaves no choice.
        if (target.bytes() >= 4096 || std::set<index_t>(all.begin(), all.end()).size() != all.size()) continue;
        auto const parts = split(compile_sequence(contiguous(0, target.bytes()), target), 4);
        chunks += parts.size();
        SCOPED_TRACE(i);
        ASSERT_EQ(shared_lines(parts), 0u) << test::text_of(target);
    }
    EXPECT_GT(chunks, 250u);
}

TEST(SplitSequence, IsEvenForLists) {
    layout_generator g{75};
    layout random;
    std::vector<index_t> at(10'000);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<index_t>(i) * 32;
    g.shuffle(at);
    for (index_t const a : at) random.list.push_back({a, 24});
    for (layout const& target : {random, contiguous(4, 240'000)}) {
        auto const chunks =
            split(compile_sequence(normalised(target.indexed() ? contiguous(0, 240'000) : random), normalised(target)), 15);
        EXPECT_GE(chunks.size(), 13u);
        for (copy_sequence const& c : chunks) EXPECT_LT(c.bytes, 20'000);
        EXPECT_EQ(shared_lines(chunks), 0u);
    }
}

TEST(SplitSequence, PartsOfAListReferToIt) {
    layout_generator g{81};
    layout l;
    for (index_t i = 0; i < 4'000; ++i) l.list.push_back({i * 96 + 8 * g.between(0, 8), 24});
    l = normalised(l);
    layout const packed = contiguous(64, l.bytes());
    auto const expect_shared = [](copy_sequence const& whole, copy_encoding encoding) {
        auto const first_and_end = [](copy_program const& p) {
            auto const* const first = static_cast<std::byte const*>(p.table);
            return std::pair{first, first + static_cast<std::size_t>(p.entries) * entry_bytes(p.encoding)};
        };
        EXPECT_EQ(whole.steps.front().encoding, encoding);
        auto [next, end] = first_and_end(whole.steps.front());
        auto const chunks = split(whole, 8);
        EXPECT_EQ(chunks.size(), 8u);
        for (copy_sequence const& c : chunks) {
            ASSERT_EQ(c.steps.size(), 1u);
            EXPECT_EQ(c.steps.front().encoding, encoding);
            EXPECT_EQ(first_and_end(c.steps.front()).first, next);
            next = first_and_end(c.steps.front()).second;
        }
        EXPECT_EQ(next, end);
    };
    expect_shared(compile_sequence(l, packed), copy_encoding::gather);
    expect_shared(compile_sequence(packed, l), copy_encoding::scatter);
    expect_shared(compile_sequence(l, shifted(l, 8)), copy_encoding::hops);
}

TEST(Chunks, PackAndUnpackPieceByPiece) {
    layout_generator g{76};
    for (int i = 0; i < 400; ++i) {
        layout const l = g.chance(70) ? g.tree(2'000, 2) : g.list(g.between(1, 900));
        index_t const size = g.between(1, 500);
        auto const all = byte_offsets(l);
        copy_arena there{l.extent(), {0, l.bytes()}};
        auto const expected = there.expected(all, byte_offsets(contiguous(0, l.bytes())));
        auto const chunks = pack_chunks(normalised(l), size);
        index_t end = 0;
        ASSERT_NO_FATAL_FAILURE(expect_bytes(there, expected, [&] {
            for (packed_chunk const& c : chunks) {
                EXPECT_EQ(c.begin, end);
                end += c.bytes;
                run(c.program, there.target() + c.begin, there.source());
            }
        }));
        EXPECT_EQ(end, l.bytes());
        if (std::set<index_t>(all.begin(), all.end()).size() != all.size()) continue;
        copy_arena back{{0, l.bytes()}, l.extent()};
        ASSERT_NO_FATAL_FAILURE(expect_bytes(back, back.expected(byte_offsets(contiguous(0, l.bytes())), all), [&] {
            for (packed_chunk const& c : unpack_chunks(normalised(l), size)) run(c.program, back.target(), back.source() + c.begin);
        }));
    }
    EXPECT_THROW((void)pack_chunks(contiguous(0, 8), 0), error);
}

} // namespace
} // namespace sode::internal
