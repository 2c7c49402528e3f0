// SPDX-License-Identifier: Apache-2.0
// `post` and `wait`, `lock` and `unlock`, atomic variables: what images tell each other through coarrays.
#include "process.hpp"

#include <atomic>
#include <list>
#include <sched.h>
#include <sode/directives.h>
#include <xmp.h>

namespace sode::xmp {
namespace {

// Tags that one node has posted to another.
struct mailbox {
    static constexpr std::uint32_t room = 1024;
    std::uint32_t posted, taken;
    int tags[room];
};

mailbox* boxes = nullptr; // one of each node

mailbox& box_of(char const* at, int rank, int sender) {
    return static_cast<mailbox*>(sode_xmp_image(at, rank, boxes))[sender];
}

struct post {
    int from, tag;
};

// What has arrived and was not waited for.
std::list<post>& arrived() {
    static auto* const list = new std::list<post>;
    return *list;
}

void collect() {
    auto const all = static_cast<int>(process::here().world().ranks.size());
    for (int sender = 0; sender < all; ++sender) {
        auto& box = boxes[sender];
        auto const posted = std::atomic_ref{box.posted}.load(std::memory_order_acquire);
        auto const taken = box.taken;
        for (auto k = taken; k != posted; ++k) arrived().push_back({sender, box.tags[k % mailbox::room]});
        std::atomic_ref{box.taken}.store(posted, std::memory_order_release);
    }
}

int one_of(char const* at, sode_xmp_set const& set) {
    if (set.ranks.size() != 1) fail(at, std::to_string(set.ranks.size()) + " nodes are named (it takes one)", "name one node");
    return set.ranks.front();
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_posts(void) {
    if (!boxes) boxes = static_cast<mailbox*>(sode_xmp_coarray("posts", process::here().world().ranks.size() * sizeof(mailbox)));
}

void sode_xmp_post(char const* at, sode_xmp_set* to, int tag) {
    auto& box = box_of(at, one_of(at, *to), process::here().world().mine);
    auto const posted = box.posted;
    while (posted - std::atomic_ref{box.taken}.load(std::memory_order_acquire) == mailbox::room) sched_yield();
    box.tags[posted % mailbox::room] = tag;
    std::atomic_ref{box.posted}.store(posted + 1, std::memory_order_release);
}

void sode_xmp_wait(char const* at, sode_xmp_set* from, int tagged, int tag) {
    int const sender = from ? one_of(at, *from) : -1;
    for (;;) {
        collect();
        for (auto p = arrived().begin(); p != arrived().end(); ++p)
            if ((sender < 0 || p->from == sender) && (!tagged || p->tag == tag)) {
                arrived().erase(p);
                return;
            }
        sched_yield();
    }
}

// NOLINTBEGIN(readability-non-const-parameter): what is behind std::atomic_ref changes
void sode_xmp_lock(char const* at, int* holder) {
    int const me = process::here().world().mine + 1;
    std::atomic_ref lock{*holder};
    for (int free = 0; !lock.compare_exchange_weak(free, me, std::memory_order_acquire); free = 0) {
        if (free == me) fail(at, "an image locks what it has locked already", "unlock it first");
        sched_yield();
    }
}

void sode_xmp_unlock(char const* at, int* holder) {
    int const me = process::here().world().mine + 1;
    std::atomic_ref lock{*holder};
    if (lock.load(std::memory_order_relaxed) != me) fail(at, "an image unlocks what it has not locked", "lock it first");
    lock.store(0, std::memory_order_release);
}

void xmp_atomic_define(int* atom, int value) {
    std::atomic_ref{*atom}.store(value);
}

void xmp_atomic_ref(int* value, int* atom) {
    *value = std::atomic_ref{*atom}.load();
}
// NOLINTEND(readability-non-const-parameter)

} // extern "C"
