// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode::internal {

/// From now on the waits of this process call that before some of their yields; null: nothing. For who stands between a program
/// and a library that moves messages only while it is called: a rank that waits for us may owe others such a message. Every thread
/// that waits calls it.
void do_meanwhile(void (*what)() noexcept) noexcept;

} // namespace sode::internal
