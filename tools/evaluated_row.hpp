// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "evaluation/evaluate.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sode::internal::tools {

/// What `sode plan --collective` says of one algorithm.
struct evaluated_row {
    std::string algorithm{};
    int leaders = 1;
    plan_runner who = plan_runner::caller;
    std::int64_t bytes = 0;
    bool chosen = false; ///< by the model
    evaluation found{};
    std::string instead{}; ///< why it was not evaluated

    /// "ring", "ring by 4 leaders".
    [[nodiscard]] std::string name() const;
};

/// A file for Perfetto or chrome://tracing. Errors: environment.
void write_timeline(std::string const& file, evaluation const& e, int ranks);
/// All rows: times of one epoch in nanoseconds. Errors: environment.
void write_rows(std::string const& file, std::vector<evaluated_row> const& rows, int epochs);

} // namespace sode::internal::tools
