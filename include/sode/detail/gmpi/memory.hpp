// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/gmpi/portable.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sode::gmpi {

/// The memory of a device, used by a context and its manager. No function may wait for the device, because a kernel may be waiting
/// for the caller.
class SODE_API memory {
public:
    enum class kind : std::uint8_t {
        device, ///< device memory; only device threads use read-modify-write operations on it
        mapped  ///< host memory that the device loads from and stores to
    };
    memory() = default;
    virtual ~memory() = default;
    memory(memory const&) = delete;
    memory& operator=(memory const&) = delete;

    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    /// Zeroed memory, aligned to 128 bytes. Called only while contexts are created. Throws an environment error if there is not
    /// enough memory.
    [[nodiscard]] virtual std::byte* allocate(kind k, std::size_t bytes) = 0;
    virtual void release(kind k, std::byte* address) noexcept = 0;
    /// Writes to device memory while no kernel that reads it is running.
    virtual void write(std::byte* to, void const* from, std::size_t bytes) = 0;

    /// True if the host may load from and store to this memory.
    [[nodiscard]] virtual bool is_plain(void const* address) const = 0;
    /// Longest copy that one begin_copy() should make. begin_copy() of host memory returns after the copy, and its caller serves
    /// others, too; a device copies by itself.
    [[nodiscard]] virtual std::size_t most_of_a_copy() const noexcept {
        constexpr std::size_t usual = std::size_t{256} << 10;
        return usual;
    }
    /// Starts a copy. \return an argument for is_over(); 0: the copy is complete
    [[nodiscard]] virtual std::uint64_t begin_copy(void* to, void const* from, std::size_t bytes) = 0;
    [[nodiscard]] virtual bool is_over(std::uint64_t copy) = 0;
    /// Stores a word that threads of the device poll, after all completed copies.
    virtual void tell(word* to, kind where, word value) = 0;
};

/// The memory of the emulated device. Both kinds are host memory, because the threads of this device are host threads.
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
