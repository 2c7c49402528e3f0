// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every header includes this first. With an older standard a compiler would otherwise report hundreds of errors, but not the cause.
#if __cplusplus < 202002L
#error "Sode needs C++20: compile with -std=c++20"
#include <sode/needs/cxx20> // is not there, and ends the compilation
#endif
