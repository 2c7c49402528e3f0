// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/runtime.hpp>

#include <functional>

namespace sode {

/// Runs `program` on `ranks` ranks, and waits until all ranks have finished. The ranks are threads of this process, and each rank
/// has its own runtime. Use run_threads() for sanitizers (which see only one process), for debuggers and for teaching. Ranks that
/// are threads share global variables.
///
/// Rethrows the first exception that `program` threw. After an exception in one rank, all other ranks also end.
SODE_API void run_threads(int ranks, std::function<void(runtime&)> const& program, int argc = 0, char** argv = nullptr);

} // namespace sode
