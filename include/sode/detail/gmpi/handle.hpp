// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/parts.hpp>

namespace sode::gmpi {

/// The view of a context that a kernel uses, passed by value. Returned by context::device_handle().
struct device_handle {
    static constexpr std::uint32_t most_rings = 8;

    int rank = 0;          ///< this rank
    int size = 1;          ///< number of ranks
    bool two_hops = false; ///< another kernel on the same device reads the rings
    std::uint32_t ring_count = 1;
    detail::ring rings[most_rings];
    detail::slots requests;
    detail::alarm alarm;
    detail::word_table signals; ///< signals of this rank: sums of the values that other ranks added
    detail::word_table parts;   ///< how often each part of a partitioned message has arrived; see arrivals::first_word
};

} // namespace sode::gmpi
