// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdio>

/// Bytes of this process that are in memory; 0, if the system does not say.
inline std::size_t resident() {
    std::size_t total = 0, pages = 0;
    if (std::FILE* const f = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(f, "%zu %zu", &total, &pages) != 2) pages = 0;
        std::fclose(f);
    }
    return pages * 4096;
}
