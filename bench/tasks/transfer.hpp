// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "datatypes/places.hpp"
#include "support/race.hpp"
#include "tasks/pair.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// What kind of pages the data of a transfer lie on.
enum class pages {
    usual, ///< as malloc gives them
    small, ///< private ones of 4 KiB
    huge,  ///< private ones, huge ones wherever the kernel grants them
    shared ///< the arena of the space
};

/// Anonymous memory of one kind, zeroed and resident.
class paged_memory {
public:
    paged_memory(std::size_t bytes, pages kind, pair& p);
    ~paged_memory();
    paged_memory(paged_memory const&) = delete;
    paged_memory& operator=(paged_memory const&) = delete;

    [[nodiscard]] char* data() const noexcept { return data_; }

private:
    pages kind_;
    space& memory_;
    std::size_t mapped_bytes_;
    std::byte* block_ = nullptr; // of the arena
    char* data_ = nullptr;
};

/// Whether rank 0 writes its data anew before every round, as a program that computes does, or only once: then both find them in
/// their caches.
enum class source_data { rewritten, kept };

/// Bytes of rank 0 that rank 1 wants, the same places in both memories. exchange() is one transfer: afterwards rank 1 has them and
/// rank 0 may change them.
class transfer : public subject {
public:
    /// Collective.
    transfer(std::string name, pair& p, std::size_t memory_bytes, pages kind, places where,
             source_data data = source_data::rewritten);

    [[nodiscard]] std::string const& name() const noexcept final { return name_; }
    void rewrite(std::uint64_t round, bool everything) final;
    void poison() final;
    [[nodiscard]] long mismatches(std::uint64_t round) final;

protected:
    [[nodiscard]] pair& with() noexcept { return pair_; }
    [[nodiscard]] places const& where() const noexcept { return where_; }
    /// The memory of rank 0 and that of rank 1, as this rank would load them.
    [[nodiscard]] char* source() const noexcept { return addresses_[0]; }
    [[nodiscard]] char* target() const noexcept { return addresses_[1]; }
    [[nodiscard]] std::uint64_t next_step(std::uint64_t steps) noexcept { return pair_.take_steps(steps); }
    /// An exchange in which the sender only says that its data are written, and waits until the receiver has done `take`.
    template <class Take> void by_receiver(Take take) {
        auto const step = next_step(2);
        if (pair_.sends()) {
            pair_.reached(step);
            pair_.await(step);
            return;
        }
        pair_.await(step);
        take();
        pair_.reached(step);
    }

private:
    [[nodiscard]] std::uint32_t seed(std::uint64_t round) const noexcept {
        return data_ == source_data::kept ? 1 : static_cast<std::uint32_t>(round) * 0x85ebca6bU;
    }

    std::string name_;
    pair& pair_;
    places where_;
    source_data data_;
    bool written_ = false;
    paged_memory memory_;
    std::array<char*, 2> addresses_;
};

/// All ways of moving `bytes` that lie together: "both" (each side copies one half), "receiver" (alone), "process_vm_readv", and
/// "ring" (through shared slots, pipelined: two copies). Their limits are what "both" copies, in its memory, by bare loops:
/// "limit:memcpy" and "limit:kernels" (the library's), and "limit:receiver", which copies alone. Collective. Those that this start
/// does not allow are left out.
[[nodiscard]] std::vector<std::unique_ptr<subject>> moves(pair& p, std::size_t bytes, source_data data, pages kind);

/// The face of a box across its fastest dimension, single doubles at a distance of `pitch` bytes, loaded by the receiver: "huge"
/// and "small" (private pages, where they can be reached) and "shared". Collective.
[[nodiscard]] std::vector<std::unique_ptr<transfer>> faces(pair& p, std::int64_t count, std::int64_t pitch);

} // namespace sode::internal::bench
