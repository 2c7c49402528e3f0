// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "launch/launch.hpp"

namespace sode::internal::tools {

/// Where a program that plain `sode run` starts as several ranks is linked with an MPI: sees to it, by the environment that ranks
/// inherit, that an MPI which is initialised there and finds itself alone is refused (interpose/alone). Linking alone does nothing.
void watch_for_mpi(launch_options const& options);

} // namespace sode::internal::tools
