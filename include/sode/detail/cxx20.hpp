// SPDX-License-Identifier: Apache-2.0
#pragma once

// What everything else includes first: with an older standard a compiler would say hundreds of things, and not this one.
#if __cplusplus < 202002L
#error "Sode needs C++20: compile with -std=c++20"
#include <sode/needs/cxx20> // is not there, and ends the compilation
#endif
