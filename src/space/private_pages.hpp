// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/address_range.hpp"
#include "space/pages.hpp"

namespace sode::internal {

/// Anonymous memory of this process, for ranks that are threads of it, or alone.
class private_pages final : public pages {
public:
    /// Errors: environment, if there is no address space.
    explicit private_pages(std::uint64_t bytes);

    [[nodiscard]] std::byte* base() const noexcept override { return memory_.base(); }
    void give_back(std::uint64_t offset, std::uint64_t bytes) noexcept override;

private:
    void back(std::uint64_t offset, std::uint64_t bytes) override;

    address_range memory_;
};

} // namespace sode::internal
