// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sode::internal::bench {

/// The processor's name, and the numbers that tell it from others of that name: a virtual machine often hides the model.
[[nodiscard]] std::string processor();

/// What a reader of a result wants to know of where it was measured, as (key, value): the processor and its caches, how many
/// processors this job may use, the system, the hypervisor if there is one, the compiler. A key that this system does not tell is
/// left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> machine_facts();

} // namespace sode::internal::bench
