// SPDX-License-Identifier: Apache-2.0
// Coarrays: memory that images load and store on their own machine, and put and get on others; and how images meet.
#include "coarrays.hpp"

#include "device_coarrays.hpp"

#include <atomic>
#include <map>
#include <numeric>
#include <sode/directives.h>
#include <xmp.h>

namespace sode::xmp {
namespace {

// By where they lie here.
std::map<char const*, coarray>& known() {
    static auto* const list = new std::map<char const*, coarray>; // others may reach them until the job is over
    return *list;
}

coarray const* all_meetings = nullptr;

coarray const& made(char const* name, std::size_t bytes) {
    auto const& world = process::here().world();
    coarray c;
    c.name = name;
    c.bytes = bytes;
    check("", sode_window_create(world.job, bytes, name, &c.window), world.job);
    for (int k = 0; k < sode_size(world.job); ++k) {
        void* there = nullptr;
        check("", sode_window_memory(c.window, k, &there), world.job);
        c.images.push_back(static_cast<char*>(there));
    }
    auto const* const mine = c.images[static_cast<std::size_t>(world.mine)];
    return known()[mine] = std::move(c);
}

// Which x:[k] may name.
int all_images() {
    return static_cast<int>(process::here().world().ranks.size());
}

// Other images see what this one has stored and put.
void complete(char const* at) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (all_meetings) check_window(at, sode_window_flush(all_meetings->window));
}

} // namespace

coarray const* meetings() {
    return all_meetings;
}

void begin_meetings() {
    if (!all_meetings) all_meetings = &made("images that met", process::here().world().ranks.size() * sizeof(std::int64_t));
}

coarray const& make_coarray(char const* name, std::size_t bytes) {
    begin_meetings();
    return made(name, bytes);
}

void remove_coarray(char const* at, coarray const& c) {
    complete(at);
    check_window(at, sode_window_barrier(all_meetings->window));
    sode_window_destroy(c.window);
    known().erase(c.images[static_cast<std::size_t>(process::here().world().mine)]);
}

void check_window(char const* at, int code) {
    check(at, code, process::here().world().job);
}

place find_place(void const* local) {
    auto const* const where = static_cast<char const*>(local);
    auto const found = known().upper_bound(where);
    if (found == known().begin() || where >= std::prev(found)->first + std::prev(found)->second.bytes) return {};
    auto const& [first, c] = *std::prev(found);
    return {&c, static_cast<std::size_t>(where - first)};
}

place place_of(char const* at, int image, void const* local) {
    auto p = find_place(local);
    if (!p.in) p = find_device_place(local);
    if (!p.in) fail(at, "this variable is not a coarray", "declare it with :[*]");
    if (image < 0 || image >= static_cast<int>(p.in->images.size()))
        fail(at,
             "image " + std::to_string(image) + " of coarray \"" + p.in->name + "\" does not exist (there are " +
                 std::to_string(p.in->images.size()) + ")",
             "images are counted from 0");
    return p;
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void* sode_xmp_coarray(char const* name, size_t bytes) {
    return make_coarray(name, bytes).images[static_cast<std::size_t>(process::here().world().mine)];
}

void sode_xmp_sync_memory(void) {
    complete("sync_memory");
}

void xmp_sync_memory(int* status) {
    complete("xmp_sync_memory()");
    if (status) *status = XMP_STAT_OK;
}

void xmp_sync_all(int* status) {
    constexpr auto at = "xmp_sync_all()";
    auto& here = process::here();
    complete(at);
    if (all_meetings && &here.executing() == &here.world())
        check_window(at, sode_window_barrier(all_meetings->window));
    else
        sode_xmp_barrier(at, nullptr);
    if (status) *status = XMP_STAT_OK;
}

void xmp_sync_images(int count, int* images, int* status) {
    constexpr auto at = "xmp_sync_images()";
    if (!all_meetings) fail(at, "images are synchronised in a program without coarrays", "use xmp_barrier()");
    static std::map<int, std::int64_t> wanted;
    int const all = all_images();
    std::vector<bool> named(static_cast<std::size_t>(all));
    for (int k = 0; k < count; ++k) {
        if (images[k] < 0 || images[k] >= all)
            fail(at, "image " + std::to_string(images[k]) + " does not exist (there are " + std::to_string(all) + ")",
                 "images are counted from 0");
        named[static_cast<std::size_t>(images[k])] = true; // an image that is in the list twice counts once
    }
    auto const me = static_cast<std::size_t>(process::here().world().mine);
    complete(at);
    for (int k = 0; k < all; ++k)
        if (named[static_cast<std::size_t>(k)])
            check_window(at, sode_window_word(all_meetings->window, k, me * 8, 8, SODE_WORD_ADD, 1, 0, nullptr));
    for (int k = 0; k < all; ++k)
        if (named[static_cast<std::size_t>(k)])
            check_window(at, sode_window_await(all_meetings->window, static_cast<int>(me), static_cast<std::size_t>(k) * 8, 8,
                                               SODE_WORD_AT_LEAST, ++wanted[k]));
    if (status) *status = XMP_STAT_OK;
}

void xmp_sync_image(int image, int* status) {
    xmp_sync_images(1, &image, status);
}

// With each one: the others may be in xmp_sync_image().
void xmp_sync_images_all(int* status) {
    std::vector<int> all(static_cast<std::size_t>(all_images()));
    std::iota(all.begin(), all.end(), 0);
    xmp_sync_images(static_cast<int>(all.size()), all.data(), status);
}

int xmpc_this_image(void) {
    return process::here().executing().mine;
}

int xmp_this_image(void) {
    return xmpc_this_image() + 1;
}

int xmp_num_images(void) {
    return static_cast<int>(process::here().executing().ranks.size());
}

} // extern "C"
