// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/handle.hpp>
#include <sode/detail/gmpi/memory.hpp>
#include <sode/detail/gmpi/options.hpp>

#include <memory>
#include <vector>

namespace sode::internal::kernels {

/// The words of a context, where device and host reach them.
class device_words {
public:
    /// Errors: usage, for options that cannot be; environment, if there is no memory.
    device_words(std::shared_ptr<gmpi::memory> memory, gmpi::options const& o, double deadline);
    ~device_words();
    device_words(device_words const&) = delete;
    device_words& operator=(device_words const&) = delete;

    [[nodiscard]] gmpi::device_handle const& handle() const noexcept { return handle_; }
    [[nodiscard]] gmpi::device_handle& handle() noexcept { return handle_; }
    /// What the host reads: the handle's rings, or those that a resident kernel writes.
    [[nodiscard]] std::vector<gmpi::detail::ring> const& host_rings() const noexcept { return host_rings_; }
    [[nodiscard]] gmpi::memory& memory() const noexcept { return *memory_; }
    [[nodiscard]] std::shared_ptr<gmpi::memory> const& shared_memory() const noexcept { return memory_; }
    [[nodiscard]] gmpi::memory::kind states_in() const noexcept { return states_in_; }

private:
    [[nodiscard]] gmpi::word* take(gmpi::memory::kind k, std::size_t words);
    [[nodiscard]] gmpi::detail::ring make_ring(gmpi::memory::kind read_in, std::uint32_t entries);
    void make_slots(std::uint32_t count);

    struct block {
        gmpi::memory::kind kind;
        std::byte* at;
    };
    std::shared_ptr<gmpi::memory> memory_;
    gmpi::memory::kind states_in_;
    std::vector<block> blocks_;
    gmpi::device_handle handle_;
    std::vector<gmpi::detail::ring> host_rings_;
};

} // namespace sode::internal::kernels
