// SPDX-License-Identifier: Apache-2.0
// Says whether there could be tasks of this process.
#include "tasks/usable.hpp"

#include <cstdio>

int main() {
    auto const here = sode::internal::tasks_usable();
    std::printf("%s\n", here.usable ? "usable" : here.why.c_str());
}
