// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every header includes this header first. Otherwise a compiler with an older standard would report hundreds of errors without the
// cause.
#if __cplusplus < 202002L
#error "Sode needs C++20: compile with -std=c++20"
#include <sode/needs/cxx20> // this file does not exist, so compilation ends here
#endif
