// SPDX-License-Identifier: Apache-2.0
// Coarrays: memory that images load and store on their own machine, and put and get on others; and how images meet.
#include "coarrays.hpp"

#include "device_coarrays.hpp"
#include "inquiry.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <numeric>
#include <sode/directives.h>
#include <string>
#include <string_view>
#include <utility>
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

// What `coarray on` says of a coarray that may be made later, by another unit.
struct mapping {
    void** memory;
    sode_xmp_set const* set;
};
std::vector<mapping>& mappings() {
    static auto* const list = new std::vector<mapping>;
    return *list;
}

// What `image` says of the next synchronisation.
sode_xmp_set* named_images = nullptr;

sode_xmp_set& synchronised() {
    auto* const named = std::exchange(named_images, nullptr);
    return named ? *named : process::here().executing();
}

// The number in the program of image `k` of these. `whose` and `name` are for messages. Called for each access: it allocates
// nothing.
int image_among(char const* at, std::vector<int> const& ranks, int k, char const* whose = "", std::string_view name = {}) {
    auto const count = static_cast<int>(ranks.size());
    if (k >= 0 && k < count) return ranks[static_cast<std::size_t>(k)];
    auto& here = process::here();
    auto const all = static_cast<int>(here.world().ranks.size());
    auto const of = name.empty() ? std::string{} : whose + ("\"" + std::string{name} + "\"");
    if (&ranks == &here.executing().ranks && k >= 0 && k < all) { // in a task, as versions before 1.3 of the specification count
        static std::atomic<bool> said;
        if (!said.exchange(true))
            std::fprintf(
                stderr,
                "%s: sode: warning: the task has no image %d%s (it has %d images); image %d of the program is used\n"
                "  in a task, count images within its nodes, from 0; write `coarray on p` or `image(p)` for images of nodes p\n",
                at, k, of.c_str(), count, k);
        return k;
    }
    fail(at, "image " + std::to_string(k) + of + " does not exist (there are " + std::to_string(count) + ")",
         "count images from 0");
}

int image_in(char const* at, xmp_desc_t descriptor, int k) {
    auto const* const nodes = nodes_of(descriptor);
    if (!nodes) fail(at, "the last argument is not a descriptor of nodes", "pass xmp_desc_of(p), with p of a directive `nodes`");
    return image_among(at, nodes->ranks, k, " of nodes ", nodes->name);
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
    if (!p.in) fail(at, "this variable is not a coarray", "declare the variable with :[*]");
    auto const* const on = (p.in->host ? p.in->host : p.in)->on;
    p.image = image_among(at, (on ? *on : process::here().executing()).ranks, image, " of coarray ", p.in->name);
    return p;
}

void map_coarrays() {
    std::erase_if(mappings(), [](mapping const& m) {
        auto const found = known().find(static_cast<char const*>(*m.memory));
        if (found == known().end()) return false;
        found->second.on = m.set;
        return true;
    });
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
    if (status) *status = XMP_STAT_SUCCESS;
}

void xmp_sync_all(int* status) {
    constexpr auto at = "xmp_sync_all()";
    auto& among = synchronised();
    complete(at);
    if (all_meetings && &among == &process::here().world())
        check_window(at, sode_window_barrier(all_meetings->window));
    else
        sode_xmp_barrier(at, &among);
    if (status) *status = XMP_STAT_SUCCESS;
}

void xmp_sync_images(int count, int* images, int* status) {
    constexpr auto at = "xmp_sync_images()";
    if (!all_meetings) fail(at, "images are synchronised in a program without coarrays", "use xmp_barrier()");
    static std::map<int, std::int64_t> wanted;
    auto const& among = synchronised();
    auto const all = static_cast<int>(process::here().world().ranks.size());
    std::vector<bool> named(static_cast<std::size_t>(all)); // an image that is in the list twice counts once
    for (int k = 0; k < count; ++k) named[static_cast<std::size_t>(image_among(at, among.ranks, images[k]))] = true;
    auto const me = static_cast<std::size_t>(process::here().world().mine);
    complete(at);
    for (int k = 0; k < all; ++k)
        if (named[static_cast<std::size_t>(k)])
            check_window(at, sode_window_word(all_meetings->window, k, me * 8, 8, SODE_WORD_ADD, 1, 0, nullptr));
    for (int k = 0; k < all; ++k)
        if (named[static_cast<std::size_t>(k)])
            check_window(at, sode_window_await(all_meetings->window, static_cast<int>(me), static_cast<std::size_t>(k) * 8, 8,
                                               SODE_WORD_AT_LEAST, ++wanted[k]));
    if (status) *status = XMP_STAT_SUCCESS;
}

void xmp_sync_image(int image, int* status) {
    xmp_sync_images(1, &image, status);
}

// With each one: the others may be in xmp_sync_image().
void xmp_sync_images_all(int* status) {
    auto const& among = named_images ? *named_images : process::here().executing();
    std::vector<int> all(among.ranks.size());
    std::iota(all.begin(), all.end(), 0);
    xmp_sync_images(static_cast<int>(all.size()), all.data(), status);
}

void sode_xmp_coarray_on(char const* at, void** memory, sode_xmp_set* set) {
    (void)at;
    mappings().push_back({memory, set});
}

int sode_xmp_image_among(char const* at, sode_xmp_set* set) {
    (void)at;
    named_images = set;
    return 1;
}

void xmp_get_primary_image_index(int number, int index[], int primary[], xmp_desc_t nodes) {
    for (int k = 0; k < number; ++k) primary[k] = image_in("xmp_get_primary_image_index()", nodes, index[k]);
}

void xmp_get_image_index(int number, int index[], int current[], xmp_desc_t nodes) {
    auto const& now = process::here().executing().ranks;
    for (int k = 0; k < number; ++k) {
        auto const found = std::ranges::find(now, image_in("xmp_get_image_index()", nodes, index[k]));
        current[k] = found == now.end() ? -1 : static_cast<int>(found - now.begin());
    }
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
