// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/frame_link.hpp"
#include "space/quarantine.hpp"
#include "space/team.hpp"

#include <memory>
#include <vector>

namespace sode::internal::kernels {

/// Links to all ranks of a team, itself included: through memory on one machine, by messages to others.
class links {
public:
    /// Collective. Errors: environment, if there is no room, or nothing that carries messages; peer, timeout.
    links(team& ranks, space& memory, quarantine& freed);
    ~links();
    links(links const&) = delete;
    links& operator=(links const&) = delete;

    [[nodiscard]] std::unique_ptr<frame_link> to(int rank);

private:
    void share_inboxes();

    team& ranks_;
    space& memory_;
    quarantine& freed_;
    std::unique_ptr<bootstrap> messengers_; // a communicator of our own, so that tags are, too; null: there is one machine
    std::byte* inboxes_ = nullptr;          // of this rank, by place on the machine
    std::size_t bytes_ = 0;
    std::vector<std::byte*> theirs_; // by rank; null: not on this machine
};

} // namespace sode::internal::kernels
