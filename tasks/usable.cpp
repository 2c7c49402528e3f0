// SPDX-License-Identifier: Apache-2.0
#include "tasks/usable.hpp"

namespace sode {

task_usability tasks_usable() {
    return {true, {}, {}};
}

} // namespace sode
