// SPDX-License-Identifier: Apache-2.0
// How one block is moved. Part of copy_kernels_body.hpp, under its rules.
#pragma once
#include "layout/copy_kernels.hpp"

#if defined(__AVX512VL__)
#include <immintrin.h>
#endif

namespace sode::internal {
namespace {

// What a register holds. Words that are longer than the registers would be copied through the stack, so they are pairs.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <int Bytes> struct word;
template <> struct word<1> { using type = std::uint8_t; };
template <> struct word<2> { using type = std::uint16_t; };
template <> struct word<4> { using type = std::uint32_t; };
template <> struct word<8> { using type = std::uint64_t; };
template <> struct word<16> { using type = std::uint8_t __attribute__((vector_size(16))); };
template <> struct word<32> { using type = std::uint8_t __attribute__((vector_size(32))); };
template <> struct word<64> { using type = std::uint8_t __attribute__((vector_size(64))); };

/// A block of one word.
template <int Bytes> struct one {
    typename word<Bytes>::type a;

    [[gnu::always_inline]] void load(std::byte const* s, index_t) noexcept { __builtin_memcpy(&a, s, Bytes); }
    [[gnu::always_inline]] void store(std::byte* d, index_t) const noexcept { __builtin_memcpy(d, &a, Bytes); }
};

/// A word that no register holds.
template <int Bytes>
requires(Bytes > register_bytes) struct one<Bytes> {
    one<Bytes / 2> a;
    one<Bytes / 2> b;

    [[gnu::always_inline]] void load(std::byte const* s, index_t) noexcept {
        a.load(s, Bytes / 2);
        b.load(s + Bytes / 2, Bytes / 2);
    }
    [[gnu::always_inline]] void store(std::byte* d, index_t) const noexcept {
        a.store(d, Bytes / 2);
        b.store(d + Bytes / 2, Bytes / 2);
    }
};

/// A block of between one word and two: the second word ends where the block ends. For 12, 24 and 48 bytes as well, where no mask
/// can cut a word.
template <int Bytes, int Block = 0> struct overlapping {
    one<Bytes> a;
    one<Bytes> b;

    [[gnu::always_inline]] static index_t second(index_t block) noexcept { return (Block ? Block : block) - Bytes; }
    [[gnu::always_inline]] void load(std::byte const* s, index_t block) noexcept {
        a.load(s, Bytes);
        b.load(s + second(block), Bytes);
    }
    [[gnu::always_inline]] void store(std::byte* d, index_t block) const noexcept {
        a.store(d, Bytes);
        b.store(d + second(block), Bytes);
    }
};

/// A block of a long word and a short one.
template <int Long, int Short> struct adjacent {
    one<Long> a;
    one<Short> b;

    [[gnu::always_inline]] void load(std::byte const* s, index_t) noexcept {
        a.load(s, Long);
        b.load(s + Long, Short);
    }
    [[gnu::always_inline]] void store(std::byte* d, index_t) const noexcept {
        a.store(d, Long);
        b.store(d + Long, Short);
    }
};

// Packed into lines that are claimed in time, words that do not overlap take 0.8 times as long; into others, 1.1 to 2.5 times.
#ifdef __PRFCHW__
using block_of_40 = adjacent<32, 8>;
#else
using block_of_40 = overlapping<32, 40>;
#endif

#if defined(__AVX512VL__)
/// A block of 12 or 24 bytes as one word of which a mask hides the end, which is neither read nor written: one store for a
/// block, where overlapping words take two. A list of such blocks takes 0.7 times as long (decision 13).
template <int Bytes> struct masked;
template <> struct masked<12> {
    __m128i a;

    [[gnu::always_inline]] void load(std::byte const* s, index_t) noexcept { a = _mm_maskz_loadu_epi32(0x7, s); }
    [[gnu::always_inline]] void store(std::byte* d, index_t) const noexcept { _mm_mask_storeu_epi32(d, 0x7, a); }
};
template <> struct masked<24> {
    __m256i a;

    [[gnu::always_inline]] void load(std::byte const* s, index_t) noexcept { a = _mm256_maskz_loadu_epi64(0x7, s); }
    [[gnu::always_inline]] void store(std::byte* d, index_t) const noexcept { _mm256_mask_storeu_epi64(d, 0x7, a); }
};
using block_of_12 = masked<12>;
using block_of_24 = masked<24>;
#else
using block_of_12 = overlapping<8, 12>;
using block_of_24 = overlapping<16, 24>;
#endif

/// 64 bytes, upwards word by word. Not all loads before the stores: compilers then reorder the words, and a row takes up to 25 %
/// longer.
template <int Word> [[gnu::always_inline]] inline void copy_64(std::byte* d, std::byte const* s) noexcept {
    constexpr int step = Word < register_bytes ? Word : register_bytes;
    auto const move = [=](int at) __attribute__((always_inline)) {
        one<step> x;
        x.load(s + at, step);
        x.store(d + at, step);
    };
    move(0);
    if constexpr (step <= 32) move(step);
    if constexpr (step <= 16) {
        move(2 * step);
        move(3 * step);
    }
}

/// The rest of a block, from byte i on; the last step ends where the block ends.
template <int Word>
[[gnu::always_inline]] inline void copy_rest(std::byte* d, std::byte const* s, index_t i, index_t block) noexcept {
    for (; i + 64 <= block; i += 64) copy_64<Word>(d + i, s + i);
    if (i < block) copy_64<Word>(d + block - 64, s + block - 64);
}

/// Asks for the lines of a row that will be written next. While a row comes from another core, the core has time to make the lines
/// of the following one its own: 64 rows a page apart take 0.8 times as long, rows that all but touch 0.85 times (decision 6).
/// Without an instruction for it nothing is asked: asked for reading only, the lines change hands twice, and rows take longer.
[[gnu::always_inline]] inline void claim(std::byte* d, index_t block) noexcept {
#ifdef __PRFCHW__
    for (index_t i = 0; i < block; i += 64) __builtin_prefetch(d + i, 1);
#else
    static_cast<void>(d);
    static_cast<void>(block);
#endif
}

// Blocks that do not fit registers.
struct row {
    [[gnu::always_inline]] static void copy(std::byte* d, std::byte const* s, index_t block) noexcept {
        copy_rest<64>(d, s, 0, block);
    }
    [[gnu::always_inline]] static void prepare(std::byte* next, index_t block) noexcept { claim(next, block); }
};
/// Stores that straddle lines cost more than loads that do, so the first line is stored twice to align the others; and 32-byte
/// words beat 64-byte ones where the source is not aligned with the target.
struct long_row {
    [[gnu::always_inline]] static void copy(std::byte* d, std::byte const* s, index_t block) noexcept {
        auto const at = reinterpret_cast<std::uintptr_t>(d);
        auto const begin = 64 - static_cast<index_t>(at % 64);
        copy_64<32>(d, s);
        if ((at - reinterpret_cast<std::uintptr_t>(s)) % 64 == 0)
            copy_rest<64>(d, s, begin, block);
        else
            copy_rest<32>(d, s, begin, block);
    }
    [[gnu::always_inline]] static void prepare(std::byte* next, index_t block) noexcept { claim(next, block); }
};

/// Two streams, half a block apart, by turns: of one alone a core has too few lines under way, because prefetchers stop at the end
/// of a page. Out of another core's cache 1 MiB takes 0.78 times as long as by memcpy, into it 0.81 times, between main memory and
/// itself 0.75 times (docs/decisions/0006).
[[gnu::noinline]] inline void copy_big(std::byte* d, std::byte const* s, index_t block) noexcept {
    constexpr index_t step = 128;
    constexpr index_t ahead = 512;
    index_t const first = 64 - static_cast<index_t>(reinterpret_cast<std::uintptr_t>(d) % 64);
    index_t const half = (block - first) / (2 * step) * step;
    copy_64<64>(d, s);
    auto const move = [=](index_t at) __attribute__((always_inline)) {
        copy_64<64>(d + at, s + at);
        copy_64<64>(d + at + 64, s + at + 64);
    };
    index_t i = first;
    for (; i + ahead < first + half; i += step) {
        claim(d + i + ahead, step);
        move(i);
        claim(d + i + half + ahead, step);
        move(i + half);
    }
    for (; i < first + half; i += step) {
        move(i);
        move(i + half);
    }
    copy_rest<64>(d, s, i + half, block);
}
struct big {
    [[gnu::always_inline]] static void copy(std::byte* d, std::byte const* s, index_t block) noexcept {
#ifdef __PRFCHW__
        copy_big(d, s, block);
#else
        __builtin_memcpy(d, s, static_cast<std::size_t>(block));
#endif
    }
};
#if defined(__x86_64__)
/// The same by one instruction of the processor, which moves whole lines without fetching those that it overwrites: between far
/// cores of an EPYC (family 26) 64 KiB take 4.1 us instead of 11.4, but 11.3 if the target lies 1 to 63 bytes behind the source,
/// modulo 4 KiB (decision 92).
struct big_string {
    [[gnu::always_inline]] static void copy(std::byte* d, std::byte const* s, index_t block) noexcept {
        index_t const first = 64 - static_cast<index_t>(reinterpret_cast<std::uintptr_t>(d) % 64);
        index_t lines = (block - first) / 64 * 64;
        copy_64<64>(d, s);
        copy_64<64>(d + block - 64, s + block - 64);
        d += first;
        s += first;
        asm volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(lines)::"memory");
    }
};
#endif

template <class Unit>
concept in_registers = requires(Unit u, std::byte const* s) {
    u.load(s, 0);
};

template <class Unit>
concept prepares = requires(std::byte* d) {
    Unit::prepare(d, 0);
};

template <class Unit> [[gnu::always_inline]] inline void copy_block(std::byte* d, std::byte const* s, index_t block) noexcept {
    if constexpr (in_registers<Unit>) {
        Unit x;
        x.load(s, block);
        x.store(d, block);
    } else {
        Unit::copy(d, s, block);
    }
}

} // namespace
} // namespace sode::internal
