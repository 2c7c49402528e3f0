// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/random_messages.hpp"
#include "space/space.hpp"

namespace sode::internal::testing {

/// A space in which others can load the first of the two memories; of null, nothing.
class half_shared final : public space {
public:
    explicit half_shared(std::byte const* first) : first_(first) {}
    [[nodiscard]] std::string_view name() const noexcept override { return "half shared"; }
    [[nodiscard]] bool contains(int) const noexcept override { return true; }
    [[nodiscard]] std::byte* allocate(std::size_t) override { return nullptr; }
    void release(std::byte*, std::size_t) noexcept override {}
    [[nodiscard]] bool leave_out_of_forks(std::byte const*, std::size_t) override { return false; }
    [[nodiscard]] std::uint64_t offset(std::byte const*) const noexcept override { return 0; }
    [[nodiscard]] std::byte* at(int, std::uint64_t) const noexcept override { return nullptr; }
    [[nodiscard]] bool one_address_space() const noexcept override { return false; }
    [[nodiscard]] int owner_of(void const* p) const noexcept override {
        auto const* const at = static_cast<std::byte const*>(p);
        return first_ != nullptr && at >= first_ && at < first_ + slots * slot_bytes ? 0 : -1;
    }

private:
    std::byte const* first_;
};

} // namespace sode::internal::testing
