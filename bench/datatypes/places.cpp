// SPDX-License-Identifier: Apache-2.0
#include "datatypes/places.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sode::internal::bench {
namespace {

constexpr std::uint32_t golden = 0x9e3779b9; // odd: consecutive positions differ in all bits

/// `visit(address, position)` for every four bytes of `where`, in the order of the message.
template <typename Byte, typename Visit> void for_each_word(Byte* memory, places const& where, Visit visit) noexcept {
    std::uint32_t position = 0;
    for (auto const& r : where)
        for (std::int64_t b = 0; b < r.count; ++b) {
            Byte* const block = memory + r.offset + b * r.stride;
            for (std::int64_t at = 0; at < r.bytes; at += 4) visit(block + at, position++);
        }
}

} // namespace

std::int64_t total_bytes(places const& where) noexcept {
    std::int64_t total = 0;
    for (auto const& r : where) total += r.bytes * r.count;
    return total;
}

std::int64_t touched_lines(places const& where) {
    constexpr std::ptrdiff_t line = 64;
    std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> runs; // first line, and one past the last
    for (auto const& r : where)
        for (std::int64_t b = 0; b < r.count && r.bytes > 0; ++b) {
            auto const first = r.offset + b * r.stride;
            runs.emplace_back(first / line, (first + r.bytes - 1) / line + 1);
        }
    std::sort(runs.begin(), runs.end());
    std::int64_t lines = 0;
    std::ptrdiff_t counted = 0;
    for (auto const& [first, end] : runs) {
        lines += std::max<std::ptrdiff_t>(end - std::max(first, counted), 0);
        counted = std::max(counted, end);
    }
    return lines;
}

void stamp(char* memory, places const& where, std::uint32_t seed) noexcept {
    for_each_word(memory, where, [seed](char* word, std::uint32_t position) {
        std::uint32_t const value = seed + golden * position;
        std::memcpy(word, &value, sizeof value);
    });
}

void wipe(char* memory, places const& where) noexcept {
    for (auto const& r : where)
        for (std::int64_t b = 0; b < r.count; ++b)
            std::memset(memory + r.offset + b * r.stride, 0xa5, static_cast<std::size_t>(r.bytes));
}

long wrong_words(char const* memory, places const& where, std::uint32_t seed) noexcept {
    long wrong = 0;
    for_each_word(memory, where, [seed, &wrong](char const* word, std::uint32_t position) {
        std::uint32_t value = 0;
        std::memcpy(&value, word, sizeof value);
        wrong += value != seed + golden * position;
    });
    return wrong;
}

void copy_places(char* to, char const* from, places const& where) noexcept {
    for (auto const& r : where)
        for (std::int64_t b = 0; b < r.count; ++b) {
            auto const at = r.offset + b * r.stride;
            std::memcpy(to + at, from + at, static_cast<std::size_t>(r.bytes));
        }
}

} // namespace sode::internal::bench
