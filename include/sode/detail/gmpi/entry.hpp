// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/parts.hpp>

namespace sode::gmpi::detail {

/// The operation that a kernel requests from the host.
enum class operation : std::uint8_t { nothing, send, receive, put, signal, barrier, start, ready };

/// One request from a kernel. On the ring, a request takes 64 bytes: four *units* of two words. A request without bulk data takes
/// one unit of 16 bytes, which is one store of a thread. A word holds 63 bits of data. The last bit of a word shows whether the
/// word belongs to this lap (see ring.hpp).
struct entry {
    operation op = operation::nothing;
    bool brief = false; ///< 16 bytes: only the members up to `tag`
    std::uint16_t communicator = 0;
    std::uint32_t peer = 0;    ///< a rank, or the number of the plan to start
    std::uint32_t request = 0; ///< slot and generation, or none
    std::uint32_t tag = 0;     ///< 31 bits; for `ready`, the part
    word address = 0;          ///< address of the caller's memory
    word bytes = 0;
    word offset = 0; ///< offset in the window of the peer
    std::uint16_t window = 0;
    std::uint32_t signal = 0; ///< number of the peer's signal, from 1; 0: no signal
    word value = 0;           ///< added to the signal
    bool holds_data = false;  ///< a short message; then `address`, `offset`, `window`, `signal` and `value` are not used
    word data[short_words] = {};
};

constexpr std::uint32_t units_of_long = 4;
constexpr word lap_bit = word{1} << 63;

[[nodiscard]] SODE_GPU constexpr std::uint32_t units_of(entry const& e) {
    return e.brief ? 1 : units_of_long;
}

/// Bit 63 of each word of data. The words of an entry have no room for this bit.
[[nodiscard]] SODE_GPU constexpr word last_bits(word const* data) {
    word all = 0;
    for (std::uint32_t i = 0; i < short_words; ++i) all |= data[i] >> 63 << i;
    return all;
}

/// Word `i` of an entry, without the lap bit.
[[nodiscard]] SODE_GPU constexpr word encoded(entry const& e, std::uint32_t i) {
    switch (i) {
    case 0:
        return static_cast<word>(e.op) | static_cast<word>(e.brief) << 8 | static_cast<word>(e.communicator) << 9 |
               static_cast<word>(e.peer) << 25 | static_cast<word>(e.holds_data) << 57;
    case 1: return static_cast<word>(e.request) | static_cast<word>(e.tag) << 32;
    case 3: return e.bytes;
    default: break;
    }
    if (e.holds_data) return i == 2 ? e.data[0] & ~lap_bit : i < 7 ? e.data[i - 3] & ~lap_bit : last_bits(e.data);
    switch (i) {
    case 2: return e.address;
    case 4: return e.offset;
    case 5: return static_cast<word>(e.window) | static_cast<word>(e.signal) << 16;
    case 6: return e.value;
    default: return 0;
    }
}

/// Reads word `i` into an entry. Words must be decoded in order: the first word shows whether there are more than two words.
SODE_GPU constexpr void decode(entry& e, std::uint32_t i, word w) {
    w &= ~lap_bit;
    if (e.holds_data && (i == 2 || i > 3)) {
        for (std::uint32_t n = 0; i == 7 && n < short_words; ++n) e.data[n] |= (w >> n & 1) << 63;
        if (i < 7) e.data[i == 2 ? 0 : i - 3] = w;
        return;
    }
    switch (i) {
    case 0:
        e.op = static_cast<operation>(w & 0xff);
        e.brief = (w >> 8 & 1) != 0;
        e.communicator = static_cast<std::uint16_t>(w >> 9);
        e.peer = static_cast<std::uint32_t>(w >> 25);
        e.holds_data = (w >> 57 & 1) != 0;
        break;
    case 1:
        e.request = static_cast<std::uint32_t>(w);
        e.tag = static_cast<std::uint32_t>(w >> 32);
        break;
    case 2: e.address = w; break;
    case 3: e.bytes = w; break;
    case 4: e.offset = w; break;
    case 5:
        e.window = static_cast<std::uint16_t>(w);
        e.signal = static_cast<std::uint32_t>(w >> 16);
        break;
    case 6: e.value = w; break;
    default: break;
    }
}

} // namespace sode::gmpi::detail
