// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"
#include "space/arena.hpp"
#include "space/arena_terms.hpp"
#include "space/kept_granules.hpp"
#include "space/overwritable.hpp"
#include "space/pages.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace sode::internal {

/// A space in which every rank has an arena at a fixed place: what all of our spaces are, once they have been set up.
class arena_space final : public space, public overwritable {
public:
    /// Where the arenas of the ranks of a machine begin, by their place on it: in equal steps, or as a table says.
    struct bases {
        std::byte* first = nullptr;
        std::ptrdiff_t step = 0;
        std::byte* const* table = nullptr;

        [[nodiscard]] std::byte* operator[](int place) const noexcept { return table ? table[place] : first + place * step; }
    };
    /// Where the arenas are, seen from this rank.
    struct places {
        std::string_view name; ///< with static storage
        int rank = 0;
        machine_map machines;
        std::shared_ptr<pages> own;
        bases begins;
        std::shared_ptr<void const> peers; ///< keeps alive what `begins` points to
        bool one_address_space = false;
        std::function<int(void const*)> owner{};             ///< as space::owner_of, for memory outside the arenas; empty: nobody's
        std::function<void(int place, arena::range)> open{}; ///< what space::open does, for a place on the machine; empty: nothing
    };
    arena_space(places where, arena_layout layout);

    [[nodiscard]] std::string_view name() const noexcept override { return where_.name; }
    [[nodiscard]] bool contains(int rank) const noexcept override;
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override { return allocate_for_overwrite(bytes, bytes); }
    [[nodiscard]] std::byte* allocate_for_overwrite(std::size_t bytes, std::size_t zeroed) override;
    void release(std::byte* block, std::size_t bytes) noexcept override;
    [[nodiscard]] bool leave_out_of_forks(std::byte const* first, std::size_t bytes) override;
    [[nodiscard]] std::uint64_t offset(std::byte const* own) const noexcept override;
    [[nodiscard]] std::byte* at(int rank, std::uint64_t offset) const noexcept override;
    [[nodiscard]] block_place block_of(std::byte const* own) const noexcept override;
    void open(int rank, block_place block) const override;
    [[nodiscard]] bool one_address_space() const noexcept override { return where_.one_address_space; }
    [[nodiscard]] int owner_of(void const* address) const noexcept override;

private:
    void back(arena::range granules, arena::range zeroed);

    places where_;
    machine_map::members members_; ///< of this machine
    std::uint64_t granule_;
    arena arena_;
    kept_granules kept_;
    bool some_left_out_ = false; ///< of forks
};

/// Collective. Ranks of one machine in a segment of shared memory.
[[nodiscard]] std::unique_ptr<space> make_segment_space(bootstrap& boot, machine_map const& machines, arena_layout layout);

/// Collective. Ranks whose processes have one address space on each machine.
[[nodiscard]] std::unique_ptr<space> make_tasks_space(bootstrap& boot, machine_map const& machines, arena_layout layout);

/// Collective. Ranks that are threads of this process.
[[nodiscard]] std::unique_ptr<space> make_threads_space(bootstrap& boot, machine_map const& machines, arena_layout layout);

} // namespace sode::internal
