// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/runtime.hpp>

namespace sode::internal::testing {

/// The runtime of the rank that this test runs on. Every rank runs every test, in the same order. A rank in which a test has failed
/// leaves the job after that test: the others, whose next collective it would miss, are told so instead of hanging.
[[nodiscard]] runtime& ranks();

} // namespace sode::internal::testing
