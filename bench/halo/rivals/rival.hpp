// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/copies.hpp"
#include "halo/subject.hpp"
#include "support/mpi_world.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// What the rivals of a case have in common: their ranks and, since only one of them is at work at a time and each rewrites what it
/// sends, this rank's private memory for the fields. Ten sets of fields would not fit into the machine for the largest cases.
class rival_world {
public:
    rival_world(mpi_world const& world, rank_block const& b)
        : world_(&world), block_(&b), memory_(private_memory(field_memory{b}.bytes())) {}

    [[nodiscard]] mpi_world const& ranks() const noexcept { return *world_; }
    [[nodiscard]] rank_block const& block() const noexcept { return *block_; }
    [[nodiscard]] void* memory() const noexcept { return memory_.get(); }

private:
    mpi_world const* world_;
    rank_block const* block_;
    std::unique_ptr<void, free_aligned> memory_;
};

/// A hand-written MPI halo exchange. All of them deliver the same 26 directions.
class rival : public field_subject {
public:
    rival(std::string name, rival_world const& w) : rival(std::move(name), w, w.memory()) {}

protected:
    rival(std::string name, rival_world const& w, void* memory)
        : field_subject(std::move(name), field_memory{w.block()}.in(memory)), communicator_(w.ranks().communicator()) {}

    [[nodiscard]] MPI_Comm communicator() const noexcept { return communicator_; }

private:
    MPI_Comm communicator_;
};

/// A style by name. `prepare` is collective and does everything that an expert would do once.
struct style {
    std::string name;
    std::function<std::unique_ptr<subject>(rival_world const&)> prepare;
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

/// Adds class T, constructed from (name, world, arguments...), under `name`.
template <class T, class... Arguments> void add_style(std::vector<style>& all, std::string const& name, Arguments... arguments) {
    all.push_back(
        {name, [=](rival_world const& w) -> std::unique_ptr<subject> { return std::make_unique<T>(name, w, arguments...); }});
}

} // namespace sode::internal::bench
