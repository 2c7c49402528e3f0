// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sode::internal::tools {

/// "sode 0.1.0", and below it what was built with it and lies beside it: MPI plug-ins, MPI layers, tasks, files, the compiler of
/// directives, benchmarks.
[[nodiscard]] std::string version_and_parts();

} // namespace sode::internal::tools
