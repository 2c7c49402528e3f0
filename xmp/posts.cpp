// SPDX-License-Identifier: Apache-2.0
// `post` and `wait`, `lock` and `unlock`, atomic variables: what images tell each other through coarrays.
#include "coarrays.hpp"

#include <atomic>
#include <list>
#include <sode/directives.h>
#include <xmp.h>

namespace sode::xmp {
namespace {

// Tags that one node has posted to another. The sender writes the first and the tags, the other one `taken`.
struct mailbox {
    static constexpr std::int64_t room = 1024;
    std::int64_t posted, taken;
    int tags[room];
};

// Before the mailboxes, one for each node, there is a number: how often anybody has posted anything.
constexpr std::size_t before_boxes = 64;

coarray const* boxes = nullptr;

std::size_t box_of(int sender) {
    return before_boxes + static_cast<std::size_t>(sender) * sizeof(mailbox);
}
int me() {
    return process::here().world().mine;
}
mailbox& own_box(int sender) {
    return *reinterpret_cast<mailbox*>(boxes->images[static_cast<std::size_t>(me())] + box_of(sender));
}

// What a node has posted to another one, and how much of it that one has taken at least.
struct sent {
    std::int64_t posted = 0, taken = 0;
};

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
        auto& box = own_box(sender);
        auto const posted = std::atomic_ref{box.posted}.load(std::memory_order_acquire);
        for (auto k = box.taken; k != posted; ++k) arrived().push_back({sender, box.tags[k % mailbox::room]});
        std::atomic_ref{box.taken}.store(posted, std::memory_order_release);
    }
}

int one_of(char const* at, sode_xmp_set const& set) {
    if (set.ranks.size() != 1)
        fail(at, std::to_string(set.ranks.size()) + " nodes are named (one node is needed)", "name one node");
    return set.ranks.front();
}

atom lock_of(char const* at, int const* holder) {
    auto const a = atom_of(holder);
    if (!a) fail(at, "this lock is not a coarray", "declare the lock with :[*]");
    return *a;
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_posts(void) {
    if (!boxes) boxes = &make_coarray("posts", box_of(static_cast<int>(process::here().world().ranks.size())));
}

void sode_xmp_post(char const* at, sode_xmp_set* to, int tag) {
    static auto* const all = new std::map<int, sent>;
    int const other = one_of(at, *to);
    auto& s = (*all)[other];
    auto* const w = boxes->window;
    auto const box = box_of(me());
    if (s.posted - s.taken == mailbox::room) {
        s.taken = s.posted - mailbox::room / 2; // not for each tag anew
        check_window(at, sode_window_await(w, other, box + offsetof(mailbox, taken), 8, SODE_WORD_AT_LEAST, s.taken));
    }
    sode_pattern const place{static_cast<std::int64_t>(box + offsetof(mailbox, tags)) + s.posted % mailbox::room * 4, 4, 0, {}, {}};
    sode_pattern const here{0, 4, 0, {}, {}};
    check_window(at, sode_window_put(w, other, &place, &tag, &here));
    check_window(at, sode_window_word(w, other, box + offsetof(mailbox, posted), 8, SODE_WORD_STORE, ++s.posted, 0, nullptr));
    check_window(at, sode_window_word(w, other, 0, 8, SODE_WORD_ADD, 1, 0, nullptr));
}

void sode_xmp_wait(char const* at, sode_xmp_set* from, int tagged, int tag) {
    int const sender = from ? one_of(at, *from) : -1;
    for (;;) {
        std::int64_t seen = 0;
        check_window(at, sode_window_word(boxes->window, me(), 0, 8, SODE_WORD_LOAD, 0, 0, &seen));
        collect();
        for (auto p = arrived().begin(); p != arrived().end(); ++p)
            if ((sender < 0 || p->from == sender) && (!tagged || p->tag == tag)) {
                arrived().erase(p);
                return;
            }
        check_window(at, sode_window_await(boxes->window, me(), 0, 8, SODE_WORD_AT_LEAST, seen + 1));
    }
}

void sode_xmp_lock(char const* at, int* holder, int* acquired, int* status) {
    auto const lock = lock_of(at, holder);
    auto const done = [&](int success) {
        if (acquired) *acquired = success;
        if (status) *status = XMP_STAT_SUCCESS;
    };
    for (;;) {
        auto const before = operate(at, lock, SODE_WORD_COMPARE_EXCHANGE, me() + 1, 0);
        if (before == 0) return done(1);
        if (before == me() + 1) {
            if (!status) fail(at, "an image locks a lock that it already holds", "unlock the lock first");
            *status = XMP_STAT_LOCKED;
            return;
        }
        if (acquired) return done(0);
        check_window(at, sode_window_await(lock.where.in->window, lock.image, lock.where.offset, sizeof(int), SODE_WORD_EQUAL, 0));
    }
}

void sode_xmp_unlock(char const* at, int* holder, int* status) {
    auto const before = operate(at, lock_of(at, holder), SODE_WORD_COMPARE_EXCHANGE, 0, me() + 1);
    if (before != me() + 1 && !status) fail(at, "an image unlocks a lock that it does not hold", "lock the lock first");
    if (status) *status = before == me() + 1 ? XMP_STAT_SUCCESS : before == 0 ? XMP_STAT_UNLOCKED : XMP_STAT_LOCKED_OTHER_IMAGE;
}

void xmp_atomic_define(int* atom, int value) {
    if (auto const a = atom_of(atom))
        operate("xmp_atomic_define()", *a, SODE_WORD_STORE, value);
    else
        std::atomic_ref{*atom}.store(value);
}

void xmp_atomic_ref(int* value, int* atom) {
    if (auto const a = atom_of(atom))
        *value = static_cast<int>(operate("xmp_atomic_ref()", *a, SODE_WORD_LOAD));
    else
        *value = std::atomic_ref{*atom}.load();
}

} // extern "C"
