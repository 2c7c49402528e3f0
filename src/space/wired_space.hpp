// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/overwritable.hpp"

#include <memory>

namespace sode::internal {

/// The memory of a machine that is one of several that have a network of their own: the machines of a sub-cluster, which pretend to
/// be apart (SODE_MACHINE_SIZE). This rank sees its own machine's ranks; network interfaces reach those of the others, too, through
/// `whole()`, and nobody else does.
class wired_space final : public space, public overwritable {
public:
    /// `whole`: of all ranks of the sub-cluster.
    wired_space(std::shared_ptr<space> whole, machine_map machines, int rank);

    [[nodiscard]] std::shared_ptr<space> const& whole() const noexcept { return whole_; }

    [[nodiscard]] std::string_view name() const noexcept override { return whole_->name(); }
    [[nodiscard]] bool contains(int rank) const noexcept override;
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override { return whole_->allocate(bytes); }
    [[nodiscard]] std::byte* allocate_for_overwrite(std::size_t bytes, std::size_t zeroed) override {
        return internal::allocate_for_overwrite(*whole_, bytes, zeroed);
    }
    void release(std::byte* block, std::size_t bytes) noexcept override { whole_->release(block, bytes); }
    [[nodiscard]] bool leave_out_of_forks(std::byte const* first, std::size_t bytes) override {
        return whole_->leave_out_of_forks(first, bytes);
    }
    [[nodiscard]] std::uint64_t offset(std::byte const* own) const noexcept override { return whole_->offset(own); }
    [[nodiscard]] std::byte* at(int rank, std::uint64_t offset) const noexcept override { return whole_->at(rank, offset); }
    [[nodiscard]] block_place block_of(std::byte const* own) const noexcept override { return whole_->block_of(own); }
    void open(int rank, block_place block) const override { whole_->open(rank, block); }
    [[nodiscard]] bool one_address_space() const noexcept override { return whole_->one_address_space(); }
    [[nodiscard]] int owner_of(void const* address) const noexcept override;

private:
    std::shared_ptr<space> whole_;
    machine_map machines_;
    int rank_;
};

/// The sub-clusters as machines: which ranks reach each other's memory through interfaces, where every `machines_each` machines
/// that follow each other have a network. Pure.
[[nodiscard]] machine_map subclusters_of(machine_map const& machines, int machines_each);

} // namespace sode::internal
