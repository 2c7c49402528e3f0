// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/process_identity.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace sode::internal {

/// What a device's driver does so that one process loads and stores memory that another one has of its device.
class block_driver {
public:
    block_driver() = default;
    virtual ~block_driver() = default;
    block_driver(block_driver const&) = delete;
    block_driver& operator=(block_driver const&) = delete;

    /// What other processes map a block by: cudaIpcMemHandle_t, or the number of a file.
    using ticket = std::array<std::byte, 64>;
    /// Of a block that this process has allocated. \return why there is none; empty: there is one
    [[nodiscard]] virtual std::string issue(std::byte* block, ticket& t) = 0;
    /// The block behind a ticket of process `owner`, at an address of this process; or null, and why.
    [[nodiscard]] virtual std::byte* map(ticket const& t, process_identity const& owner, std::size_t bytes,
                                         std::string& why_not) = 0;
    /// What map() has returned.
    virtual void unmap(std::byte* block, std::size_t bytes) noexcept = 0;
    /// Whether map() takes tickets of this process, too.
    [[nodiscard]] virtual bool maps_own() const noexcept = 0;
};

} // namespace sode::internal
