// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/job_part.hpp"
#include "space/overwritable.hpp"

namespace sode::internal {

/// The memory of a job as a part of its ranks sees it, which are numbered anew.
class part_space final : public space, public overwritable {
public:
    /// Both outlive it.
    part_space(space& all, job_part const& part) noexcept : all_(all), part_(part) {}

    [[nodiscard]] std::string_view name() const noexcept override { return all_.name(); }
    [[nodiscard]] bool contains(int rank) const noexcept override { return all_.contains(part_.job_rank(rank)); }
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override { return all_.allocate(bytes); }
    [[nodiscard]] std::byte* allocate_for_overwrite(std::size_t bytes, std::size_t zeroed) override {
        return internal::allocate_for_overwrite(all_, bytes, zeroed);
    }
    void release(std::byte* block, std::size_t bytes) noexcept override { all_.release(block, bytes); }
    [[nodiscard]] bool leave_out_of_forks(std::byte const* first, std::size_t bytes) override {
        return all_.leave_out_of_forks(first, bytes);
    }
    [[nodiscard]] std::uint64_t offset(std::byte const* own) const noexcept override { return all_.offset(own); }
    [[nodiscard]] std::byte* at(int rank, std::uint64_t offset) const noexcept override {
        return all_.at(part_.job_rank(rank), offset);
    }
    [[nodiscard]] block_place block_of(std::byte const* own) const noexcept override { return all_.block_of(own); }
    void open(int rank, block_place block) const override { all_.open(part_.job_rank(rank), block); }
    [[nodiscard]] bool one_address_space() const noexcept override { return all_.one_address_space(); }
    /// -1 also for memory of a rank that is not of this part.
    [[nodiscard]] int owner_of(void const* address) const noexcept override;

private:
    space& all_;
    job_part const& part_;
};

} // namespace sode::internal
