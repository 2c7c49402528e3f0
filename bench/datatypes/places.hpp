// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sode::internal::bench {

/// `count` blocks of `bytes` each (a multiple of four), the first at `offset`, each `stride` bytes after the one before.
struct blocks {
    std::ptrdiff_t offset;
    std::int64_t bytes;
    std::int64_t count = 1;
    std::ptrdiff_t stride = 0;
};

/// Where the bytes of a message lie in an application's memory, in the order in which they are sent.
using places = std::vector<blocks>;

[[nodiscard]] std::int64_t total_bytes(places const& where) noexcept;

/// How many cache lines of 64 bytes the places touch, in memory that begins on one.
[[nodiscard]] std::int64_t touched_lines(places const& where);

/// Gives every four bytes a value of their own, which depends on `seed` and on their position in the message.
void stamp(char* memory, places const& where, std::uint32_t seed) noexcept;

/// Overwrites with what stamp() hardly writes.
void wipe(char* memory, places const& where) noexcept;

/// How many groups of four bytes are not as stamp() with `seed` has sent them.
[[nodiscard]] long wrong_words(char const* memory, places const& where, std::uint32_t seed) noexcept;

/// Copies the places, not what lies between them.
void copy_places(char* to, char const* from, places const& where) noexcept;

} // namespace sode::internal::bench
