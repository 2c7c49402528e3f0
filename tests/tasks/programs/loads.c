// SPDX-License-Identifier: Apache-2.0
// Says which of two libraries it was given: that of its own folder, or that of LD_LIBRARY_PATH; and whether another was loaded
// before all.
#include <stdio.h>
#include <stdlib.h>

int which_library(void);

int main(int argc, char** argv) {
    printf("%s %d %d %s\n", argv[0], argc, which_library(), getenv("preloaded_library") ? getenv("preloaded_library") : "alone");
    return 0;
}
