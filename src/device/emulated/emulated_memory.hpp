// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/accelerator.hpp"
#include "device/emulated/file_blocks.hpp"
#include "device/emulated/memory_gate.hpp"
#include "device/shared_blocks.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sode::internal {

/// The memory of an emulated device, on pages that are closed to the host. Where ranks have one address space it is in the rank's
/// arena; where they are processes it is memory of this one, of which others map what they need, as with a real device.
class emulated_memory final : public memory_provider {
public:
    /// `bytes`: how much there is; 0: as much as the arena has.
    emulated_memory(std::string device, std::size_t bytes, device_terms const& terms);
    ~emulated_memory() override;

    [[nodiscard]] std::string_view name() const noexcept override { return device_; }
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override;
    void release(std::byte* block, std::size_t bytes) noexcept override;
    [[nodiscard]] handle tell(std::byte* place) override;
    [[nodiscard]] std::byte* open(int host, handle const& told) override;
    void close(std::byte* place, bool again) noexcept override;
    [[nodiscard]] std::optional<found> find(std::byte const* place) const override;
    [[nodiscard]] std::byte* open_found(int host, found const& place) override;

    /// Code of the device begins, or ends, in this thread: it may touch this memory, and what was opened of other ranks'.
    void enter() noexcept;
    void leave() noexcept;

private:
    void require_room(std::size_t bytes) const;

    std::string device_;
    std::size_t room_;
    bool closes_; // not in the address space of tasks, where each change of pages is a round through their supervisor
    space& shared_;
    quarantine& freed_;
    std::byte* gate_block_;
    file_blocks* files_ = nullptr;          // null: its memory is in the arena
    std::unique_ptr<shared_blocks> blocks_; // those files
    std::mutex lock_;                       // of what follows: the rank's own thread allocates while others enter
    std::size_t used_ = 0;
    unsigned inside_ = 0;
    std::vector<memory_gate*> gates_; // this rank's first; those of others where there is one address space
};

/// Code of the device runs in this thread as long as this lives.
class device_code {
public:
    explicit device_code(emulated_memory& m) noexcept : memory_(m) { memory_.enter(); }
    ~device_code() { memory_.leave(); }
    device_code(device_code const&) = delete;
    device_code& operator=(device_code const&) = delete;

private:
    emulated_memory& memory_;
};

} // namespace sode::internal
