// SPDX-License-Identifier: Apache-2.0
#include "support/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <unistd.h>

namespace examples {
namespace {

constexpr double between_looks = 0.05; // seconds

// The line is cleared where the result is printed, if that is a terminal: two streams may go there by different ways.
std::FILE* stream() {
    return isatty(STDERR_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 ? stdout : stderr;
}

constexpr int never = std::numeric_limits<int>::max();

double between_prints() {
    char const* const text = std::getenv("PROGRESS_EVERY");
    return text != nullptr ? std::atof(text) : 0.2;
}

} // namespace

progress::progress(sode::runtime& rt, int steps)
    : rt_(rt), steps_(steps), terminal_(isatty(STDERR_FILENO) != 0), between_prints_(between_prints()),
      next_look_(rt.root() && (terminal_ || rt.flag("--progress")) ? 1 : never) {
    rt_.barrier();
    started_ = clock::now();
}

progress::~progress() {
    clear();
}

double progress::seconds_per_step() {
    rt_.barrier();
    double const seconds = elapsed();
    clear();
    return done_ > 0 ? seconds / done_ : 0;
}

void progress::look() {
    double const seconds = elapsed();
    if (seconds - printed_ >= between_prints_) {
        print(seconds);
        printed_ = seconds;
    }
    double const looks_on = between_looks * done_ / std::max(seconds, 1e-9);
    next_look_ = done_ + std::max(1, static_cast<int>(std::min(looks_on, 1e6)));
}

void progress::print(double seconds) {
    double const each = seconds / done_;
    std::fprintf(stream(), "%sstep %d of %d, %.0f %%, %.3f ms a step, %.0f s to go%s", terminal_ ? "\r\x1b[K" : "", done_, steps_,
                 100.0 * done_ / steps_, 1e3 * each, each * (steps_ - done_), terminal_ ? "" : "\n");
    std::fflush(stream());
    on_screen_ = terminal_;
}

void progress::clear() {
    if (!on_screen_) return;
    std::fputs("\r\x1b[K", stream());
    on_screen_ = false;
}

} // namespace examples
