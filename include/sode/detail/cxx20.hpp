// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every header first includes this header, which reports an older C++ standard. Without this check, the compiler would report
// hundreds of errors without the cause.
#if __cplusplus < 202002L
#error "Sode needs C++20: compile with -std=c++20"
#include <sode/needs/cxx20> // this file does not exist, so compilation ends here
#endif
