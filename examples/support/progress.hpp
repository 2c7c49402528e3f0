// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/runtime.hpp>

#include <chrono>

namespace examples {

/// Times a loop of steps and, on rank 0, shows how far it is: on a terminal a line that is rewritten at most five times a second;
/// elsewhere nothing, or with `--progress` a line of its own each time. Goes by rank 0's clock alone: no communication, and a clock
/// is read twenty times a second, not every step. PROGRESS_EVERY says how many seconds there are between lines (0.2); with 0 the
/// first step has one.
class progress {
public:
    /// Waits for all ranks, and starts the clock. `steps` is how many there will be.
    progress(sode::runtime& rt, int steps);
    ~progress();
    progress(progress const&) = delete;
    progress& operator=(progress const&) = delete;

    /// One step is done, or several.
    void step(int steps = 1) {
        done_ += steps;
        if (done_ >= next_look_) look();
    }
    /// Waits for all ranks; seconds that the steps took, of which there has been one at least (else 0).
    [[nodiscard]] double seconds_per_step();

private:
    using clock = std::chrono::steady_clock;

    void look();
    void print(double seconds);
    void clear();
    [[nodiscard]] double elapsed() const { return std::chrono::duration<double>(clock::now() - started_).count(); }

    sode::runtime& rt_;
    int steps_;
    bool terminal_;
    double between_prints_; // seconds
    int done_ = 0;
    int next_look_;
    double printed_ = 0; // when, in seconds since the start
    bool on_screen_ = false;
    clock::time_point started_;
};

} // namespace examples
