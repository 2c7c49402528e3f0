// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fcntl.h>
#include <unistd.h>

namespace sode::internal {

/// Opens those of the standard descriptors that are closed, on nothing: else what is opened next would be taken for them.
inline void open_standard_descriptors() noexcept {
    int fd = 0;
    do fd = ::open("/dev/null", O_RDWR);
    while (0 <= fd && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO) ::close(fd);
}

} // namespace sode::internal
