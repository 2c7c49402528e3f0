// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/wait.hpp"
#include "space/liveness.hpp"
#include "space/quarantine.hpp"
#include "space/space.hpp"

namespace sode {

class trace_log;

/// What an engine needs of the job around it. References only; the job outlives every engine.
struct context {
    bootstrap& boot;
    space& memory;
    quarantine& freed;
    liveness& alive;
    wait_policy const& waiting;
    trace_log* trace = nullptr; ///< where engines tell what they do, if anybody wants to know
};

} // namespace sode
