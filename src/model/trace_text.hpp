// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/trace.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sode::internal {

/// The log of one rank as lines of Chrome's trace event format ("Trace Event Format", Google, 2016): JSON objects, each followed by
/// a comma and a new line. No line is longer than `longest`.
class trace_text {
public:
    static constexpr std::size_t longest = 4096;

    /// Times count from `origin_ns`.
    trace_text(trace_log const& log, int rank, int ranks, std::int64_t origin_ns);

    /// The next lines, as many as fit into `room` bytes; none: these were all. `room` >= longest.
    [[nodiscard]] std::string next(std::size_t room);

    static constexpr std::string_view header = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
    /// Also names the process.
    static constexpr std::string_view footer =
        "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": 1, \"args\": {\"name\": \"sode\"}}\n]}\n";

private:
    // Numbers from 1: to some viewers thread 0 is the idle one. Lanes above the first come behind all ranks.
    [[nodiscard]] std::int64_t thread(std::uint16_t lane) const noexcept { return 1 + rank_ + std::int64_t{lane} * ranks_; }
    [[nodiscard]] std::string line(trace_event const& e) const;
    void name_threads();
    void name_thread(std::uint16_t lane, std::string const& name);
    void describe_subjects();

    trace_log const& log_;
    int rank_;
    int ranks_;
    std::int64_t origin_ns_;
    std::vector<std::string> names_;     // of subjects, quoted
    std::vector<std::string> arguments_; // of subjects, without the braces
    std::vector<std::string> lines_;     // that come first
    std::size_t at_ = 0;                 // of lines_, then of the events
};

} // namespace sode::internal
