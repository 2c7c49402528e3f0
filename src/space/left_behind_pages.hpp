// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/pages.hpp"

#include <atomic>
#include <memory>

namespace sode::internal {

/// Anonymous memory of a process that shares its address space with others, and that may leave before they have read it to the end:
/// after an error, nobody waits for anybody. So the last of its users unmaps it, whoever that is; memory of a process that was
/// killed stays until its root clears it away.
class left_behind_pages final : public pages {
public:
    /// What the users hold in common: a page of its own, of no process's heap.
    struct shared {
        std::byte* base;
        std::uint64_t bytes;
        std::atomic<int> users;
    };
    /// One use of it.
    struct end_of_use {
        void operator()(shared* s) const noexcept;
    };
    using share = std::unique_ptr<shared, end_of_use>;

    /// `users`: how many shares there will be, this one included; each of them ends once.
    /// Errors: environment, if there is no address space.
    left_behind_pages(std::uint64_t bytes, int users);

    [[nodiscard]] shared* what_is_shared() const noexcept { return own_.get(); }
    [[nodiscard]] std::byte* base() const noexcept override { return own_->base; }
    void give_back(std::uint64_t offset, std::uint64_t bytes) noexcept override;

private:
    void back(std::uint64_t offset, std::uint64_t bytes) override;

    share own_;
};

} // namespace sode::internal
