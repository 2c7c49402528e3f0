// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <poll.h>
#include <string>
#include <vector>

namespace sode::internal::tools {

/// Hands what is typed at the terminal to rank 0. Ranks are in process groups of their own, which may not read from the terminal
/// themselves; any other standard input rank 0 simply inherits.
class terminal_input {
public:
    /// Does nothing unless the standard input is a terminal. Errors: environment.
    terminal_input();

    /// What rank 0 reads instead of the terminal; empty if the standard input is none.
    [[nodiscard]] unique_fd take_reading_end() noexcept { return std::move(reading_); }
    /// For the other processes: they must not keep the input from ending.
    void forget() noexcept { writing_.reset(); }

    void watch(std::vector<pollfd>& polls) const;
    void serve(pollfd const* polls);
    /// Milliseconds after which watch() may say something else; -1: never.
    [[nodiscard]] int patience() const noexcept;

private:
    [[nodiscard]] static bool in_foreground() noexcept;

    unique_fd reading_;
    unique_fd writing_;
    std::string waiting_;
};

} // namespace sode::internal::tools
