// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune/rank.hpp"

namespace sode::tools {

/// A rank that an MPI's launcher has started: measures messages between rank 0 and the first rank of another node (of this one, if
/// there is no other, and says so), and at rank 0 puts them into the profile that is at options.output, or a new one. Collective;
/// three seconds at most if quick, else ten. Errors: usage, for a rank alone; peer; timeout.
void tune_messages(tune_options const& options);

} // namespace sode::tools
