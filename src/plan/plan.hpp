// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/annotations.hpp"
#include "plan/obligations.hpp"
#include "plan/schedule.hpp"

namespace sode::internal {

/// What one rank does in one epoch of a communication, decided once. Plain data, in three parts: what runs, what that owes, what is
/// said of it.
struct plan : schedule, obligations, annotations {};

} // namespace sode::internal
