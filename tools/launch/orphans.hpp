// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode::internal::tools {

/// From now on, descendants of this process whose parents die become its children. Errors: environment.
void adopt_orphans();

/// Kills all children of this process, and what they leave behind, and waits until there is nothing more.
void end_all_children();

} // namespace sode::internal::tools
