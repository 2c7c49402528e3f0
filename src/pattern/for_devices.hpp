// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

namespace sode::internal {

/// The same plan of one rank, where all arrays are in the memory of devices: what it hosts is pinned memory of the host, which
/// devices reach as well, and its streams are for a device, but for those with messages, which the host begins. `device_messages`:
/// MPI takes memory of devices, where messages are packed then.
[[nodiscard]] plan for_devices(plan p, bool device_messages);

} // namespace sode::internal
