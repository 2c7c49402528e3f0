// SPDX-License-Identifier: Apache-2.0
#include "tune/progress.hpp"

#include "base/clock.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace sode::internal::tools {
namespace {

constexpr std::size_t width = 30;
constexpr double terminal_s = 0.2, lines_s = 5;

} // namespace

progress_bar::progress_bar(std::string what)
    : what_(std::move(what)), terminal_(::isatty(STDERR_FILENO) != 0), printed_s_(now_s()) {}

progress_bar::~progress_bar() {
    if (on_screen_) std::fputs("\r\033[K", stderr);
}

void progress_bar::show(double done, std::string_view remark) {
    double const now = now_s();
    if (done < 1 && now - printed_s_ < (terminal_ ? terminal_s : lines_s)) return;
    printed_s_ = now;
    double const part = std::clamp(done, 0.0, 1.0);
    if (!terminal_) {
        fmt::print(stderr, "{} {:3.0f} %  {}\n", what_, 100 * part, remark);
        return;
    }
    auto const full = static_cast<std::size_t>(part * width);
    fmt::print(stderr, "\r{} [{}{}] {:3.0f} %  {}\033[K", what_, std::string(full, '#'), std::string(width - full, '.'), 100 * part,
               remark);
    std::fflush(stderr);
    on_screen_ = true;
}

} // namespace sode::internal::tools
