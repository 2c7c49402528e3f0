// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/App.hpp>

#include <functional>
#include <string>
#include <vector>

namespace sode::internal::tools {

/// A sub-command, ready to run once the command line has been read. `rest` is what stood behind a `--`, that word included; the
/// result is the exit status.
using command = std::function<int(std::vector<std::string> const& rest)>;

[[nodiscard]] command add_run(CLI::App& app);
[[nodiscard]] command add_task(CLI::App& app);
[[nodiscard]] command add_gdb(CLI::App& app);
[[nodiscard]] command add_info(CLI::App& app);
[[nodiscard]] command add_doctor(CLI::App& app);
[[nodiscard]] command add_tune(CLI::App& app);
[[nodiscard]] command add_plan(CLI::App& app);
[[nodiscard]] command add_bench(CLI::App& app);
[[nodiscard]] command add_cc(CLI::App& app);
[[nodiscard]] command add_cxx(CLI::App& app);
[[nodiscard]] command add_mpicc(CLI::App& app);
[[nodiscard]] command add_mpicxx(CLI::App& app);
[[nodiscard]] command add_mpifort(CLI::App& app);

/// The exit status of a command line that makes no sense, as the shells use it.
inline constexpr int usage_status = 2;

} // namespace sode::internal::tools
