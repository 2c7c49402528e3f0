// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/accelerators.h>

namespace sode::xmp {

/// OpenACC as the program has it. Ends the program where it has none.
[[nodiscard]] sode_acc_device const& device(char const* at);

/// Whether the device is the host, or loads and stores the host's memory as it is. The same on all ranks.
[[nodiscard]] bool shares_memory(char const* at);

} // namespace sode::xmp
