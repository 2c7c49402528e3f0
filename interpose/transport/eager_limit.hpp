// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal::interpose {

class pmpi_bootstrap;

/// What this MPI does with short messages, found by trying.
struct short_messages {
    /// The longest message, in bytes, that is sent without a receiver on any rank. Programs may rely on it, so no message up to
    /// this length may wait for anything.
    std::int64_t eager = 0;
    /// Up to here a message of bytes that lie together can be received as a datatype of elements that differ in length. MPICH 4.0
    /// over UCX fails where a message travels in more than one segment.
    std::int64_t mixed = 0;
};

/// Neighbours in rank try on each other, in turns. Contiguous messages and strided ones are tried, from 1 KiB to `most`; `eager` is
/// at most one step of a sixteenth too large. `mixed` is tried at `eager` or at 8 KiB, whichever is less, and is 0 if that fails.
///
/// Collective. Cost: some ten messages.
[[nodiscard]] short_messages measure_short_messages(pmpi_bootstrap& boot, std::int64_t most = std::int64_t{1} << 20);

} // namespace sode::internal::interpose
