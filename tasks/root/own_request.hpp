// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/root/rank_request.hpp"

#include <sode/error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::tasks {

/// What a stub wants of the task that runs in its stead.
struct stub_wishes {
    house_wishes house;
    std::uint64_t stack_bytes = 0;
    std::vector<int> descriptors;     ///< to be handed over besides the usual ones
    std::vector<std::string> program; ///< and its arguments
};

/// There is no such program to start.
class program_error : public error {
public:
    program_error(std::string_view name, int number);
    /// As execvp() says it.
    [[nodiscard]] int number() const noexcept { return number_; }
    /// With which shells and env(1) end then: 127, if it is not there, 126, if it cannot be executed.
    [[nodiscard]] int status() const noexcept;

private:
    int number_;
};

/// The request for a task that is what this process would be if it executed the program. To be called before anything else has been
/// opened or blocked. Errors: program_error; usage, if there is no such descriptor; environment.
[[nodiscard]] rank_request own_request(stub_wishes const& wishes);

/// The descriptors that a program would inherit besides its standard ones, in rising order.
[[nodiscard]] std::vector<int> inheritable_descriptors();

/// Where `execvp(name, …)` would find it. Errors: program_error.
[[nodiscard]] std::string find_program(std::string const& name);

} // namespace sode::internal::tasks
