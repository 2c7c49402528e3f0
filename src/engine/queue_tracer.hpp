// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/clocked_queue.hpp"
#include "engine/trace.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace sode::internal {

/// A queue's row in a trace. The queue itself writes down when it came to each piece of its work, into pinned memory. The host
/// reads that when it comes by: nothing waits for it. All calls are of the thread that the rank is.
class queue_tracer {
public:
    static constexpr std::size_t stamps = 256;
    static constexpr std::size_t bytes = stamps * sizeof(shared_word);

    /// All outlive it; `words`: pinned, `bytes` of them, which are zero. `row`: its name, after that of the rank.
    queue_tracer(trace_log& log, device_queue& queue, std::string row, std::byte* words);
    queue_tracer(queue_tracer const&) = delete;
    queue_tracer& operator=(queue_tracer const&) = delete;

    /// What the queue is given from here on is that. Pieces for which there is no stamp left are not in the trace.
    void next(trace_kind kind, std::uint32_t subject, std::uint64_t epoch, int peer = -1);
    /// … is nothing.
    void rest();
    /// Tells the log of all pieces that are over.
    void collect() noexcept;

private:
    struct piece {
        std::uint64_t epoch = 0;
        std::uint32_t subject = 0;
        std::int32_t peer = -1;
        trace_kind kind = trace_kind::work;
        bool rests = true;
    };
    void push(piece const& p);
    [[nodiscard]] shared_word& word(std::size_t n) noexcept { return words_[n % stamps]; }

    trace_log& log_;
    clocked_queue* clock_; // null: it has none
    std::uint16_t row_;
    shared_word* words_;
    std::array<piece, stamps> pieces_{}; // what begins at each stamp
    std::size_t first_ = 0, end_ = 0;    // stamps under way
};

} // namespace sode::internal
