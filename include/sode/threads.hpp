// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/runtime.hpp>

#include <functional>

namespace sode {

/// Runs `program` as `ranks` ranks that are threads of this process, each with a runtime of its own, and waits for all of them. For
/// sanitizers (which see one process), debuggers and teaching. Such ranks share global variables.
///
/// Errors: whatever `program` threw first; the other ranks are told and end.
SODE_API void run_threads(int ranks, std::function<void(runtime&)> const& program, int argc = 0, char** argv = nullptr);

} // namespace sode
