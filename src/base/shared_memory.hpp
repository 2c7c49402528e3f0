// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace sode::internal {

/// A memfd of `bytes` zero bytes, close-on-exec, sealed to that size: nobody who holds it can make another's loads fault. It has no
/// name in any file system and is gone with its last holder, however that one dies. `name` is what /proc shows. Errors:
/// environment.
[[nodiscard]] unique_fd make_memfd(std::string const& name, std::size_t bytes);

/// The same, with these bytes for ever: it is sealed against writing, too.
[[nodiscard]] unique_fd make_constant_memfd(std::string const& name, std::span<std::byte const> content);

/// Owns a shared mapping of a whole file descriptor.
class mapping {
public:
    /// Constant: of what nobody writes any more; a store there is a fault.
    enum class use { shared, constant };
    mapping() noexcept = default;
    /// Errors: environment, also if the file is not `bytes` long.
    mapping(unique_fd const& file, std::size_t bytes, use kind = use::shared);
    mapping(mapping&& other) noexcept;
    mapping& operator=(mapping&& other) noexcept;
    ~mapping();

    [[nodiscard]] std::byte* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

private:
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace sode::internal
