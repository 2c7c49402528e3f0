// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

namespace sode::internal::proof {

/// Where a value comes from: what the user of a rank wrote into an array for an epoch.
struct origin {
    std::uint32_t rank = 0;
    std::uint32_t array = 0;
    std::uint64_t granule = 0; ///< position in the array
    std::uint32_t epoch = 0;   ///< from 1

    static constexpr unsigned rank_bits = 20, array_bits = 8, epoch_bits = 6, granule_bits = 30;
};

/// Origins as numbers that may be added: a reduction holds the sum of what went into it, so that it matters how often each went in
/// and in no order. The mixing is a bijection (splitmix64's finaliser); 2^-64 is the chance that two different sums agree.
[[nodiscard]] constexpr std::uint64_t value_of(origin const& o) noexcept {
    std::uint64_t x = ((std::uint64_t{o.rank} << origin::array_bits | o.array) << origin::epoch_bits | o.epoch)
                          << origin::granule_bits |
                      o.granule;
    x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27U) * 0x94d049bb133111ebU;
    return x ^ x >> 31U;
}

/// The value of a constant of `rank`, at that place among them: of no epoch.
[[nodiscard]] constexpr std::uint64_t constant_value(std::uint32_t rank, std::uint64_t granule) noexcept {
    return value_of({.rank = rank, .granule = granule + 1}); // 0 is nobody's
}

/// The origin whose value this is, if it can be that of one origin alone with an epoch up to `epochs` and a rank below `ranks`.
[[nodiscard]] constexpr std::optional<origin> origin_of(std::uint64_t value, std::uint32_t ranks, std::uint32_t epochs) noexcept {
    auto const unshift = [](std::uint64_t x, unsigned by) {
        std::uint64_t y = x;
        for (unsigned done = by; done < 64; done += by) y = x ^ y >> by;
        return y;
    };
    std::uint64_t x = unshift(value, 31) * 0x319642b2d24d8ec3U; // inverses modulo 2^64
    x = unshift(x, 27) * 0x96de1b173f119089U;
    x = unshift(x, 30);
    auto const take = [&](unsigned bits) {
        auto const part = x & ((std::uint64_t{1} << bits) - 1);
        x >>= bits;
        return part;
    };
    origin o;
    o.granule = take(origin::granule_bits);
    o.epoch = static_cast<std::uint32_t>(take(origin::epoch_bits));
    o.array = static_cast<std::uint32_t>(take(origin::array_bits));
    o.rank = static_cast<std::uint32_t>(take(origin::rank_bits));
    if (o.rank >= ranks || o.epoch == 0 || o.epoch > epochs) return std::nullopt;
    return o;
}

static_assert(origin_of(value_of({.rank = 5, .array = 3, .granule = 77, .epoch = 2}), 6, 2)->granule == 77);
static_assert(origin_of(value_of({.rank = 5, .array = 3, .granule = 77, .epoch = 2}), 6, 2)->array == 3);

} // namespace sode::internal::proof
