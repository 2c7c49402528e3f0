// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int which_library(void) {
    return WHICH;
}

__attribute__((constructor)) static void loaded(void) {
    if (WHICH == 3) setenv("preloaded_library", "in company", 1);
}
