// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace sode::internal::tools {

/// Shows on stderr how far something is: on a terminal a bar in one line that is rewritten, elsewhere a plain line now and then.
class progress_bar {
public:
    explicit progress_bar(std::string what);
    ~progress_bar(); ///< takes the bar away
    progress_bar(progress_bar const&) = delete;
    progress_bar& operator=(progress_bar const&) = delete;

    /// `done` from 0 to 1. Prints five times a second on a terminal, every five seconds elsewhere, and at the end.
    void show(double done, std::string_view remark);

private:
    std::string what_;
    bool terminal_;
    bool on_screen_ = false;
    double printed_s_;
};

} // namespace sode::internal::tools
