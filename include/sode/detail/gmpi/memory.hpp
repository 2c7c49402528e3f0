// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/gmpi/portable.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sode::gmpi {

/// The memory of a device, as a context and its manager use it. No function may wait for the device: a kernel may be waiting for
/// the caller.
class SODE_API memory {
public:
    enum class kind : std::uint8_t {
        device, ///< the device's; read-modify-write is for its threads
        mapped  ///< the host's, that the device loads from and stores to
    };
    memory() = default;
    virtual ~memory() = default;
    memory(memory const&) = delete;
    memory& operator=(memory const&) = delete;

    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    /// Zeroed, and aligned to 128 bytes. When contexts are made, only. Errors: environment.
    [[nodiscard]] virtual std::byte* allocate(kind k, std::size_t bytes) = 0;
    virtual void release(kind k, std::byte* address) noexcept = 0;
    /// Into memory of the device, while no kernel runs that reads it.
    virtual void write(std::byte* to, void const* from, std::size_t bytes) = 0;

    /// True if the host may load from there and store there.
    [[nodiscard]] virtual bool is_plain(void const* address) const = 0;
    /// Begins to copy. \return what is_over() asks for; 0: it is over.
    [[nodiscard]] virtual std::uint64_t begin_copy(void* to, void const* from, std::size_t bytes) = 0;
    [[nodiscard]] virtual bool is_over(std::uint64_t copy) = 0;
    /// Stores a word for threads of the device that poll it, behind all copies that are over.
    virtual void tell(word* to, kind where, word value) = 0;
};

/// Memory of the host for both: the emulated device, whose threads are the host's.
class SODE_API host_memory final : public memory {
public:
    explicit host_memory(std::string name = "emulated") : name_(std::move(name)) {}

    [[nodiscard]] std::string_view name() const noexcept override { return name_; }
    [[nodiscard]] std::byte* allocate(kind k, std::size_t bytes) override;
    void release(kind k, std::byte* address) noexcept override;
    void write(std::byte* to, void const* from, std::size_t bytes) override;
    [[nodiscard]] bool is_plain(void const* address) const override;
    [[nodiscard]] std::uint64_t begin_copy(void* to, void const* from, std::size_t bytes) override;
    [[nodiscard]] bool is_over(std::uint64_t copy) override;
    void tell(word* to, kind where, word value) override;

private:
    std::string name_;
};

} // namespace sode::gmpi
