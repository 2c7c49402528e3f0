// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>
#include <string>

namespace sode::internal::testing {

/// An environment variable that is set as long as this lives.
class with_variable {
public:
    with_variable(char const* name, std::string const& value) : name_(name) { setenv(name, value.c_str(), 1); }
    ~with_variable() { unsetenv(name_); }
    with_variable(with_variable const&) = delete;
    with_variable& operator=(with_variable const&) = delete;

private:
    char const* name_;
};

} // namespace sode::internal::testing
