// SPDX-License-Identifier: Apache-2.0
// Coarrays: memory that the images of a machine load and store.
#include "process.hpp"

#include <atomic>
#include <map>
#include <sched.h>
#include <sode/directives.h>
#include <xmp.h>

namespace sode::xmp {
namespace {

struct coarray {
    std::string name;
    std::size_t bytes = 0;
    std::vector<void*> images; // null: on another machine
    sode_nodes* nodes = nullptr;
    sode_grid* grid = nullptr;
    sode_array* array = nullptr;
};

// By where they lie here.
std::map<char const*, coarray>& known() {
    static auto* const list = [] {
        process::here().before_end([] {
            for (auto& [at, c] : known()) {
                sode_array_destroy(c.array);
                sode_grid_destroy(c.grid);
                sode_nodes_destroy(c.nodes);
            }
            known().clear();
        });
        return new std::map<char const*, coarray>;
    }();
    return *list;
}

void* made(char const* name, std::size_t bytes) {
    auto const& world = process::here().world();
    auto* const job = world.job;
    int const all = sode_size(job);
    coarray c;
    c.name = name;
    c.bytes = bytes;
    int64_t const room = static_cast<int64_t>((bytes + 63) / 64 * 64), extent = room * all;
    sode_format const each{SODE_BLOCK, room, nullptr};
    check("", sode_nodes_create(job, 1, &all, &c.nodes), job);
    check("", sode_grid_distribute(c.nodes, 1, &extent, &each, &c.grid), job);
    check("", sode_array_create(c.grid, SODE_BYTES(1), nullptr, name, &c.array), job);
    c.images.resize(static_cast<std::size_t>(all));
    check("", sode_array_peers(c.array, c.images.data()), job);
    auto* const mine = c.images[static_cast<std::size_t>(world.mine)];
    known()[static_cast<char const*>(mine)] = std::move(c);
    return mine;
}

// How often each image has met each other one in xmp_sync_images().
std::uint64_t* meetings = nullptr;

std::atomic_ref<std::uint64_t> met(char const* at, int image, int other) {
    return std::atomic_ref{static_cast<std::uint64_t*>(sode_xmp_image(at, image, meetings))[other]};
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void* sode_xmp_coarray(char const* name, size_t bytes) {
    if (!meetings)
        meetings =
            static_cast<std::uint64_t*>(made("images that met", process::here().world().ranks.size() * sizeof(std::uint64_t)));
    return made(name, bytes);
}

void* sode_xmp_image(char const* at, int image, void const* local) {
    auto const* const place = static_cast<char const*>(local);
    auto found = known().upper_bound(place);
    if (found == known().begin() || place >= std::prev(found)->first + std::prev(found)->second.bytes)
        fail(at, "this variable is no coarray", "declare it with :[*]");
    auto const& [first, c] = *--found;
    if (image < 0 || image >= static_cast<int>(c.images.size()))
        fail(at,
             "image " + std::to_string(image) + " of coarray \"" + c.name + "\" does not exist (there are " +
                 std::to_string(c.images.size()) + ")",
             "images are counted from 0");
    auto* const there = static_cast<char*>(c.images[static_cast<std::size_t>(image)]);
    if (!there)
        fail(at, "image " + std::to_string(image) + " is on another machine (coarrays are loaded and stored)",
             "run the program on one machine");
    return there + (place - first);
}

void sode_xmp_sync_memory(void) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void xmp_sync_memory(int* status) {
    sode_xmp_sync_memory();
    if (status) *status = XMP_STAT_OK;
}

void xmp_sync_all(int* status) {
    sode_xmp_barrier("xmp_sync_all()", nullptr);
    if (status) *status = XMP_STAT_OK;
}

void xmp_sync_images(int count, int* images, int* status) {
    constexpr auto at = "xmp_sync_images()";
    if (!meetings) fail(at, "images are synchronised in a program without coarrays", "use xmp_barrier()");
    static std::map<int, std::uint64_t> wanted;
    int const me = process::here().world().mine;
    for (int k = 0; k < count; ++k) met(at, images[k], me).fetch_add(1, std::memory_order_acq_rel);
    for (int k = 0; k < count; ++k) {
        auto const times = ++wanted[images[k]];
        while (met(at, me, images[k]).load(std::memory_order_acquire) < times) sched_yield();
    }
    if (status) *status = XMP_STAT_OK;
}

void xmp_sync_image(int image, int* status) {
    xmp_sync_images(1, &image, status);
}

void xmp_sync_images_all(int* status) {
    xmp_sync_all(status);
}

int xmpc_this_image(void) {
    return process::here().world().mine;
}

int xmp_num_images(void) {
    return static_cast<int>(process::here().world().ranks.size());
}

} // extern "C"
