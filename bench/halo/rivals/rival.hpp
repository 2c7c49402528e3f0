// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/copies.hpp"
#include "halo/subject.hpp"
#include "support/mpi_world.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sode::bench {

/// A hand-written MPI halo exchange. All of them deliver the same 26 directions; the memory is this rank's own unless the style is
/// about shared windows.
class rival : public field_subject {
public:
    rival(std::string name, mpi_world const& world, rank_block const& b) : rival(std::move(name), world, b, nullptr) {}

protected:
    /// In memory that the derived class keeps; nullptr: private memory.
    rival(std::string name, mpi_world const& world, rank_block const& b, void* memory)
        : rival(std::move(name), world, b, memory, memory != nullptr ? nullptr : private_memory(field_memory{b}.bytes())) {}

    [[nodiscard]] MPI_Comm communicator() const noexcept { return world_->communicator(); }

private:
    rival(std::string name, mpi_world const& world, rank_block const& b, void* memory, std::unique_ptr<void, free_aligned> own)
        : field_subject(std::move(name), field_memory{b}.in(own ? own.get() : memory)), world_(&world), own_(std::move(own)) {}

    mpi_world const* world_;
    std::unique_ptr<void, free_aligned> own_;
};

/// A style by name. `prepare` is collective and does everything that an expert would do once.
struct style {
    std::string name;
    std::function<std::unique_ptr<subject>(mpi_world const&, rank_block const&)> prepare;
};

void add_packed_styles(std::vector<style>& all);
void add_pair_styles(std::vector<style>& all);
void add_derived_styles(std::vector<style>& all);
void add_neighbour_styles(std::vector<style>& all);
void add_window_styles(std::vector<style>& all);

[[nodiscard]] inline std::vector<style> all_styles() {
    std::vector<style> all;
    add_packed_styles(all);
    add_pair_styles(all);
    add_derived_styles(all);
    add_neighbour_styles(all);
    add_window_styles(all);
    return all;
}

/// Adds class T, constructed from (name, world, block, arguments...), under `name`.
template <class T, class... Arguments> void add_style(std::vector<style>& all, std::string const& name, Arguments... arguments) {
    all.push_back({name, [=](mpi_world const& w, rank_block const& b) -> std::unique_ptr<subject> {
                       return std::make_unique<T>(name, w, b, arguments...);
                   }});
}

} // namespace sode::bench
