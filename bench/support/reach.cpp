// SPDX-License-Identifier: Apache-2.0
#include "support/reach.hpp"

#include <sys/uio.h>
#include <unistd.h>

namespace sode::internal::bench {

bool can_load(void const* there, std::uint64_t expected) noexcept {
    std::uint64_t value = 0;
    iovec const to{&value, sizeof value}, from{const_cast<void*>(there), sizeof value};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(sizeof value) && value == expected;
}

} // namespace sode::internal::bench
