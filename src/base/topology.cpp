// SPDX-License-Identifier: Apache-2.0
#include "base/topology.hpp"

#include "base/byte_text.hpp"
#include "base/system_error.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <hwloc.h>

namespace sode::internal {

namespace {

struct bitmap {
    bitmap() : handle(hwloc_bitmap_alloc()) {}
    explicit bitmap(processor_set const& set) : bitmap() {
        for (int const p : set.numbers()) hwloc_bitmap_set(handle, static_cast<unsigned>(p));
    }
    bitmap(bitmap const&) = delete;
    bitmap& operator=(bitmap const&) = delete;
    ~bitmap() { hwloc_bitmap_free(handle); }
    hwloc_bitmap_t handle;
};

processor_set to_set(hwloc_const_bitmap_t bits) {
    processor_set set;
    for (int p = hwloc_bitmap_first(bits); p >= 0; p = hwloc_bitmap_next(bits, p)) set.insert(p);
    return set;
}

processor_set common(hwloc_const_bitmap_t a, hwloc_const_bitmap_t b) {
    bitmap both;
    hwloc_bitmap_and(both.handle, a, b);
    return to_set(both.handle);
}

} // namespace

struct topology::impl {
    impl() {
        if (hwloc_topology_init(&machine) != 0) throw system_error("the machine's topology is unknown", "hwloc_topology_init", "");
        if (hwloc_topology_load(machine) != 0) {
            hwloc_topology_destroy(machine);
            throw system_error("the machine's topology is unknown", "hwloc_topology_load", "check whether `hwloc-info` works");
        }
    }
    impl(impl const& other) {
        if (hwloc_topology_dup(&machine, other.machine) != 0)
            throw system_error("the machine's topology cannot be copied", "hwloc_topology_dup", "");
    }
    impl& operator=(impl const&) = delete;
    ~impl() { hwloc_topology_destroy(machine); }

    [[nodiscard]] int count(hwloc_obj_type_t type) const { return std::max(0, hwloc_get_nbobjs_by_type(machine, type)); }

    /// The usable part of each core of which something is usable.
    [[nodiscard]] std::vector<processor_set> cores_of(processor_set const& where) const;
    void print(hwloc_obj_t object, int depth, std::string& text) const;

    hwloc_topology_t machine = nullptr;
};

topology::topology() : impl_(std::make_unique<impl>()) {}
topology::topology(topology&&) noexcept = default;
topology& topology::operator=(topology&&) noexcept = default;
topology::~topology() = default;

int topology::packages() const {
    return impl_->count(HWLOC_OBJ_PACKAGE);
}
int topology::numa_nodes() const {
    return impl_->count(HWLOC_OBJ_NUMANODE);
}
int topology::cores() const {
    return impl_->count(HWLOC_OBJ_CORE);
}
int topology::processors() const {
    return impl_->count(HWLOC_OBJ_PU);
}

std::string topology::model() const {
    auto* const package = hwloc_get_obj_by_type(impl_->machine, HWLOC_OBJ_PACKAGE, 0);
    char const* const name = package == nullptr ? nullptr : hwloc_obj_get_info_by_name(package, "CPUModel");
    return name == nullptr ? std::string{} : std::string{name};
}

topology::cache topology::cache_of_level(int level) const {
    int const depth = hwloc_get_cache_type_depth(impl_->machine, static_cast<unsigned>(level), HWLOC_OBJ_CACHE_UNIFIED);
    int const data =
        depth >= 0 ? depth : hwloc_get_cache_type_depth(impl_->machine, static_cast<unsigned>(level), HWLOC_OBJ_CACHE_DATA);
    auto* const first = data < 0 ? nullptr : hwloc_get_obj_by_depth(impl_->machine, data, 0);
    if (first == nullptr) return {};
    return {first->attr->cache.size, static_cast<int>(hwloc_get_nbobjs_by_depth(impl_->machine, data)),
            cores_in(to_set(first->cpuset))};
}

std::vector<processor_set> topology::impl::cores_of(processor_set const& where) const {
    bitmap const wanted{where};
    std::vector<processor_set> cores;
    // Some virtual machines show processors without cores.
    int const depth = hwloc_get_type_or_below_depth(machine, HWLOC_OBJ_CORE);
    for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_depth(machine, depth, core)) != nullptr;) {
        auto part = common(core->cpuset, wanted.handle);
        if (part.count() > 0) cores.push_back(std::move(part));
    }
    return cores;
}

int topology::cores_in(processor_set const& where) const {
    return static_cast<int>(impl_->cores_of(where).size());
}

std::vector<processor_set> topology::spread(int ranks, processor_set const& where) const {
    std::vector<processor_set> places;
    if (ranks > cores_in(where)) {
        std::vector<processor_set> cores = impl_->cores_of(where);
        for (int r = 0; r < ranks; ++r) places.push_back(cores[static_cast<std::size_t>(r) % cores.size()]);
        return places;
    }
    // hwloc_distrib() divides a whole tree evenly, level by level; so cut the tree down to `where` first.
    impl part{*impl_};
    bitmap const wanted{where};
    if (hwloc_topology_restrict(part.machine, wanted.handle, 0) != 0)
        throw system_error("ranks cannot be spread over " + where.to_string(), "hwloc_topology_restrict",
                           "choose other processors");
    hwloc_obj_t root = hwloc_get_root_obj(part.machine);
    std::vector<hwloc_bitmap_t> sets(static_cast<std::size_t>(ranks));
    hwloc_distrib(part.machine, &root, 1, sets.data(), static_cast<unsigned>(ranks),
                  hwloc_get_type_or_below_depth(part.machine, HWLOC_OBJ_CORE), 0);
    for (auto* const set : sets) {
        places.push_back(to_set(set));
        hwloc_bitmap_free(set);
    }
    return places;
}

std::string topology::tree() const {
    std::string text;
    impl_->print(hwloc_get_root_obj(impl_->machine), 0, text);
    return text;
}

// Only what ranks share: packages, memory, shared caches; cores are told together.
void topology::impl::print(hwloc_obj_t object, int depth, std::string& text) const {
    auto const say = [&](std::string const& line) { text += fmt::format("{:{}}{}\n", "", 2 * depth, line); };
    bitmap const all{to_set(object->cpuset)};
    int const cores = std::max(1, hwloc_get_nbobjs_inside_cpuset_by_type(machine, all.handle, HWLOC_OBJ_CORE));
    if (object->type == HWLOC_OBJ_PACKAGE) {
        say(fmt::format("package {}: processors {} ({} cores)", object->logical_index, to_set(object->cpuset).to_string(), cores));
        ++depth;
    } else if (hwloc_obj_type_is_cache(object->type) && cores > 1) {
        say(fmt::format("L{} {} shared by {} cores: processors {}", object->attr->cache.depth, byte_text(object->attr->cache.size),
                        cores, to_set(object->cpuset).to_string()));
        ++depth;
    }
    for (hwloc_obj_t memory = object->memory_first_child; memory != nullptr; memory = memory->next_sibling)
        if (memory->type == HWLOC_OBJ_NUMANODE)
            say(fmt::format("NUMA node {}: {}", memory->os_index, byte_text(memory->attr->numanode.local_memory)));
    for (hwloc_obj_t child = object->first_child; child != nullptr; child = child->next_sibling) print(child, depth, text);
}

} // namespace sode::internal
