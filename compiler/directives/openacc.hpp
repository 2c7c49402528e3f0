// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/directives/source.hpp"

#include <optional>
#include <string>

namespace sode::compiler {

/// Which devices of a set: [2], [from:count], (2), (first:last), [*].
struct device_numbers {
    tokens lower, upper;
    bool round = false, colon = false, all = false;
};
/// Null: the words have none of these forms.
[[nodiscard]] std::optional<device_numbers> device_range(source const& s, tokens const& words);

/// Understands the words behind `#pragma acc`. Directives of OpenACC have the kind "acc parallel loop", "acc update", ...
void parse_openacc(source const& s, directive& d);

[[nodiscard]] inline bool is_openacc(directive const& d) {
    return d.kind.starts_with("acc ");
}
/// `parallel`, `kernels`, `serial`, with or without `loop`: what follows runs on the device.
[[nodiscard]] bool is_compute(directive const& d);
/// `parallel loop` and its like.
[[nodiscard]] inline bool is_combined(directive const& d) {
    return is_compute(d) && d.kind.ends_with(" loop");
}
/// A statement follows.
[[nodiscard]] bool has_body(directive const& d);
/// What it says is the compiler's affair alone: `wait`, `atomic`, `routine`, ...
[[nodiscard]] bool is_left_alone(directive const& d);
/// How sode_acc_enter() calls a data clause: copy, copyin, ... Empty: it is none.
[[nodiscard]] std::string data_clause(std::string const& name);
/// In its brackets are variables.
[[nodiscard]] bool names_variables(std::string const& clause);

} // namespace sode::compiler
