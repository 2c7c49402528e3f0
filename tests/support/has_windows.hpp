// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode::internal::testing {

/// Set before main() by a program of sode_test() that has windows: its job is then joined for them.
inline bool has_windows = false;

} // namespace sode::internal::testing
