// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

namespace sode::internal::interpose {

/// Memory of a kept call for what cannot be sent or received where it lies. Most rooms are never used, so they cost address space
/// only. A process keeps at most 32 MiB of long rooms that were used, and those of a machine together 256 MiB; the memory of others
/// goes back to the system after each call.
class packing_room {
public:
    packing_room() = default;
    ~packing_room();
    packing_room(packing_room const&) = delete;
    packing_room& operator=(packing_room const&) = delete;
    packing_room(packing_room&&) = delete;
    packing_room& operator=(packing_room&&) = delete;

    /// So many processes of this machine have rooms; at first one.
    static void share_among(int processes) noexcept;

    std::int64_t bytes = 0;
    /// Where it is. Null: there is none, as `bytes` is 0.
    [[nodiscard]] std::byte* get();
    /// The same, for a call that writes to it.
    [[nodiscard]] std::byte* use();
    /// The call is over, and nobody needs what is in it.
    void rest() noexcept;

private:
    void let_go() noexcept;
    std::unique_ptr<std::byte[]> memory_;
    bool used_ = false;
};

} // namespace sode::internal::interpose
