// SPDX-License-Identifier: Apache-2.0
// Before a runtime is made: devices are emulated in this program, and what is planned for them is verified.
#include <cstdlib>

namespace sode::internal::testing {
namespace {

[[maybe_unused]] bool const is_set = [] {
    setenv("SODE_DEVICE", "emulated", 0);
    setenv("SODE_CHECK", "plan", 0);
    return true;
}();

} // namespace
} // namespace sode::internal::testing
