// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"
#include "tasks/root/rank_request.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sode::internal::tasks {

/// A task as the root knows it.
struct running_task {
    pid_t pid = 0; ///< a child of the root
    int index = 0;
    std::uintptr_t base = 0; ///< where its addresses begin
    std::uintptr_t end = 0;
};

/// What the root has tasks started by.
class task_starter {
public:
    virtual ~task_starter() = default;
    /// `descriptors` become the request's numbers, in this order. Errors: usage, environment.
    [[nodiscard]] virtual running_task start(rank_request const& request, std::vector<unique_fd> const& descriptors) = 0;
    /// After waitpid() has said so. Returns why the program never ran; empty if it did.
    [[nodiscard]] virtual std::string ended(int index, int wait_status) = 0;
};

} // namespace sode::internal::tasks
