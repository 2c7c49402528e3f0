// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"
#include "device/block_driver.hpp"

#include <map>
#include <mutex>

namespace sode::internal {

/// Blocks of an emulated device that other processes can map: each is a file in memory, which has no name and is gone with the last
/// process that maps it, however that one ends. A ticket is the number of its descriptor; whoever has one opens it by
/// /proc/PROCESS/fd, which the kernel allows to processes of the same user.
class file_blocks final : public block_driver {
public:
    /// `gives_none`: as a driver that refuses.
    explicit file_blocks(bool gives_none) noexcept : gives_none_(gives_none) {}

    /// Zeroed whole pages. Errors: environment.
    [[nodiscard]] std::byte* allocate(std::size_t bytes);
    void free(std::byte* block, std::size_t bytes) noexcept;

    [[nodiscard]] std::string issue(std::byte* block, ticket& t) override;
    [[nodiscard]] std::byte* map(ticket const& t, process_identity const& owner, std::size_t bytes, std::string& why_not) override;
    void unmap(std::byte* block, std::size_t bytes) noexcept override;
    [[nodiscard]] bool maps_own() const noexcept override { return true; }

private:
    bool gives_none_;
    std::mutex lock_;
    std::map<std::byte*, unique_fd> files_;
};

} // namespace sode::internal
