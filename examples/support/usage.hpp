// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/runtime.hpp>

namespace examples {

/// Compares the command line with `usage`, each of whose lines that begins with two spaces and a dash names an option: "  -n SIZE
/// …" takes a value, "  --preview …" does not (values are written in capitals). `--help` prints the text, on rank 0.
///
/// \return true if the program is to go on. Errors: sode::error{usage}, for a word that is no option.
[[nodiscard]] bool understood(sode::runtime const& rt, int argc, char** argv, char const* usage);

} // namespace examples
