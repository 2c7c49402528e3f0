// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/parts.hpp>

namespace sode::gmpi {

/// What a kernel gets of a context, by value: context::device_handle().
struct device_handle {
    static constexpr std::uint32_t most_rings = 8;

    int rank = 0;          ///< who this is
    int size = 1;          ///< of how many
    bool two_hops = false; ///< the rings are read by another kernel on the same device
    std::uint32_t ring_count = 1;
    detail::ring rings[most_rings];
    detail::slots requests;
    detail::alarm alarm;
    detail::word_table signals; ///< of this rank: what others have added to them
    detail::word_table parts; ///< how often each part of a partitioned message has arrived, by the number context::precv_init gives
};

} // namespace sode::gmpi
