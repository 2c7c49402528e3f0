// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>
#include <sode/field.hpp>

namespace sode::internal {

/// Learns how every rank's own memory lies, and keeps that in `g.brought`. Collective: any rank's mistake is everybody's error,
/// or the others would wait for that rank in their next exchange.
/// Errors: usage, if a rank that owns anything has no memory, other extents than its block, or strides by which elements overlap;
/// for two halves also if they share elements, or if elements of the last dimension do not follow each other.
/// Cost: an allgather of 144 bytes a rank.
void settle_strides(bootstrap& boot, geometry& g, detail::field::memory const& mine, int halves);

} // namespace sode::internal
