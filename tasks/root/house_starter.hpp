// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/root/task_starter.hpp"
#include "tasks/task_house.hpp"

#include <optional>

namespace sode::internal::tasks {

/// Tasks in the address space of this process. The house is built for the first of them, as that one wishes.
class house_starter final : public task_starter {
public:
    [[nodiscard]] running_task start(rank_request const& request, std::vector<unique_fd> const& descriptors) override;
    [[nodiscard]] std::string ended(int index, int wait_status) override;

private:
    std::optional<task_house> house_;
    house_wishes wishes_;
};

} // namespace sode::internal::tasks
