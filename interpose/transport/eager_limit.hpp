// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal::interpose {

class pmpi_bootstrap;

/// The longest message that this MPI sends without a receiver, in bytes, on any rank, found by trying: programs may rely on it, so
/// no message up to this length may wait for anything. Neighbours in rank try on each other, in turns.
///
/// Contiguous messages and strided ones are tried, from 1 KiB to `most`; the answer is at most one step of a sixteenth too large.
/// Collective. Cost: some ten messages.
[[nodiscard]] std::int64_t measure_eager_limit(pmpi_bootstrap& boot, std::int64_t most = std::int64_t{1} << 20);

} // namespace sode::internal::interpose
