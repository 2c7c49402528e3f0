// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/trace.hpp"

#include <sode/bootstrap.hpp>

#include <string>

namespace sode::internal {

/// A job's trace, as one rank has it: its log, and what it takes to put the logs of all ranks into one file, in Chrome's trace
/// event format, which ui.perfetto.dev and chrome://tracing show.
///
/// Ranks of a machine share a clock. Those of different machines count from when they made this, right after a collective call:
/// they are as far apart as that call let them go.
class tracing {
public:
    /// `file` is what rank 0 writes.
    tracing(std::string file, std::size_t events);

    [[nodiscard]] trace_log& log() noexcept { return log_; }

    /// Collective: rank 0 writes the file, as a whole or not at all, with what it got. A file that cannot be written is a warning.
    /// At most 16 MiB of memory. Errors: peer, timeout, at those who learn of it; rank 0 has then written what it knows.
    void write(bootstrap& boot) const;
    /// Where nobody else can be asked any more. Does nothing but at rank 0.
    void write_alone(int rank, int ranks) const noexcept;

private:
    std::string file_;
    trace_log log_;
    std::int64_t origin_ns_;
};

} // namespace sode::internal
