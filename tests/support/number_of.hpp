// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>

namespace sode::internal::testing {

/// What the variable `name` says, else `usual`: for tests whose size is no number of random cases.
inline int number_of(char const* name, int usual) {
    char const* const text = std::getenv(name);
    return text ? std::atoi(text) : usual;
}

} // namespace sode::internal::testing
