// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdlib>

namespace sode::internal::testing {

/// How many random cases a test runs: what TEST_CASES asks for, else TEST_CASES_DEFAULT, which CMake sets where cases are dear,
/// else `usual`; never more than TEST_CASES_MOST.
inline int random_cases(int usual) {
    auto const number = [](char const* name, int otherwise) {
        char const* const text = std::getenv(name);
        return text ? std::atoi(text) : otherwise;
    };
    int const asked = number("TEST_CASES", number("TEST_CASES_DEFAULT", usual));
    return std::min(asked, number("TEST_CASES_MOST", asked));
}

} // namespace sode::internal::testing
