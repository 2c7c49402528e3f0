// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/wait.hpp"
#include "space/liveness.hpp"
#include "space/quarantine.hpp"
#include "space/space.hpp"
#include "space/team.hpp"
#include "space/wait_table.hpp"

#include <cstdint>
#include <string_view>

namespace sode::internal {

class accelerator;
class engine_kind;
class memory_provider;
class trace_log;

/// Errors: usage, always: `what` was used after its runtime had been destroyed.
[[noreturn]] void refuse_ended(std::string_view what);

/// What an engine needs of the job around it. References only; the job outlives every engine.
struct context {
    team& ranks; ///< that plan together
    space& memory;
    quarantine& freed;
    liveness& alive;
    wait_policy const& waiting;
    trace_log* trace = nullptr;           ///< where engines tell what they do, if anybody wants to know
    wait_table* waits = nullptr;          ///< where ranks tell each other what they wait in
    bool const* ended = nullptr;          ///< becomes true when the rank leaves the job; nothing can run any more
    engine_kind const* engines = nullptr; ///< who runs the plans that they can run; null: nobody but the caller
    std::int64_t worth_engines = 0;       ///< plans that move less than so many bytes are the caller's all the same, if it can
    memory_provider* device = nullptr;    ///< who has a device's memory; null: nobody
    accelerator* blocks = nullptr;        ///< the device that executes streams of blocks; null: nothing does
};

} // namespace sode::internal
