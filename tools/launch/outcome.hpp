// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::tools {

/// How a job that was run with --prefix went: what each rank wrote, and how it ended.
struct outcome {
    int status = 0;
    std::string end;                             ///< what the launcher said of it, e.g. "rank 1 was killed by signal 11 (…)"
    std::map<int, std::vector<std::string>> out; ///< lines of each rank; between ranks there is no order
    std::map<int, std::vector<std::string>> err;
};

[[nodiscard]] outcome outcome_of(int status, std::string_view out, std::string_view err);

/// In what `other` differs from `first`, one thing a line: how they ended, and for each rank the first line that is another one.
[[nodiscard]] std::vector<std::string> differences(outcome const& first, outcome const& other);

} // namespace sode::internal::tools
