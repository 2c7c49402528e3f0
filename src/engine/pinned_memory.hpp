// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/memory_provider.hpp"
#include "space/quarantine.hpp"
#include "space/space.hpp"

namespace sode::internal {

/// Pages of this rank's arena that are locked: the kernel neither moves nor reclaims them while a plan has them.
class pinned_memory final : public memory_provider {
public:
    /// `device`: a device's, which shall load and store them, too; may be null.
    pinned_memory(space& memory, quarantine& freed, memory_provider* device = nullptr) noexcept
        : memory_(memory), freed_(freed), device_(device) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "pinned"; }
    /// Errors: environment, also if the kernel locks no more pages for this process (ulimit -l).
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override;
    void release(std::byte* block, std::size_t bytes) noexcept override;
    [[nodiscard]] handle tell(std::byte* block) override;
    [[nodiscard]] std::byte* open(int host, handle const& told) override;

private:
    [[nodiscard]] bool device_locks() const noexcept { return device_ && device_->locks_host(); }
    [[nodiscard]] std::size_t room_for(std::size_t bytes) const noexcept;

    space& memory_;
    quarantine& freed_;
    memory_provider* device_;
};

} // namespace sode::internal
