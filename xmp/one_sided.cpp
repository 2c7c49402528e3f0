// SPDX-License-Identifier: Apache-2.0
// `gmove in` and `out` whose other side lies on nodes that do not execute them: elements are read and written where they are.
#include "one_sided.hpp"

#include "elements.hpp"
#include "named_elements.hpp"
#include "process.hpp"
#include "task_moves.hpp"

#include <atomic>
#include <cstring>

namespace sode::xmp {
namespace {

bool reaches = false;

void require_equal(char const* at, named_elements const& to, named_elements const& from) {
    if (to.count() != from.count())
        fail(at, "gmove copies " + std::to_string(from.count()) + " elements to " + std::to_string(to.count()) + " elements",
             "name the same number of elements on both sides");
}

// Elements that are moved together, of which there are a bounded number: a large move needs no second copy of everything.
struct list {
    static constexpr std::size_t most = 1 << 16;
    std::vector<std::int64_t> indices;
    std::vector<char> values;

    void add(std::vector<std::int64_t> const& at) { indices.insert(indices.end(), at.begin(), at.end()); }
};

sode_elements* reached(char const* at, elements const& all) {
    if (!all.state().reached)
        fail(at, "the elements of array \"" + all.state().name + "\" cannot be accessed from other nodes",
             "compile all files of the program with `sode cc`");
    return all.state().reached;
}

bool has(elements const& all, std::int64_t number) {
    bool mine = false;
    auto const rank = sode_rank(all.state().job);
    all.each_owner(number, [&](int who) { mine = mine || who == rank; });
    return mine;
}

// Stores value_of(k) in the k-th element that is named; null: another rank does.
template <class Values> void put_each(char const* at, elements const& all, named_elements const& there, Values const& value_of) {
    list given;
    auto const put = [&] {
        auto const count = given.values.size() / all.bytes();
        check(at, sode_elements_put(reached(at, all), count, given.indices.data(), given.values.data()), all.state().job);
        given = {};
    };
    for (std::int64_t k = 0; k < there.count(); ++k) {
        char const* const value = value_of(k);
        if (!value) continue;
        given.add(there.indices(k));
        given.values.insert(given.values.end(), value, value + all.bytes());
        if (given.values.size() == list::most * all.bytes()) put();
    }
    put();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    check(at, sode_elements_flush(reached(at, all)), all.state().job);
}

} // namespace

bool reaching() {
    return reaches;
}

void fetch(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    named_elements const there(from), here(to);
    require_equal(at, here, there);
    require_named_here(at, to, true, " in");
    elements const all(at, from.array);
    std::unique_ptr<elements> const own = to.array ? std::make_unique<elements>(at, to.array) : nullptr;
    list wanted;
    std::vector<char*> become;
    auto const get = [&] {
        wanted.values.resize(become.size() * all.bytes());
        check(at, sode_elements_get(reached(at, all), become.size(), wanted.indices.data(), wanted.values.data()), all.state().job);
        for (std::size_t k = 0; k < become.size(); ++k) std::memcpy(become[k], wanted.values.data() + k * all.bytes(), all.bytes());
        wanted = {};
        become.clear();
    };
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (std::int64_t k = 0; k < there.count(); ++k) {
        auto const target = own ? own->number(at, here.indices(k)) : 0;
        if (own && !has(*own, target)) continue;
        wanted.add(there.indices(k));
        become.push_back(own ? own->place(target) : here.local(k));
        if (become.size() == list::most) get();
    }
    get();
}

void deliver(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    named_elements const there(to), here(from);
    require_equal(at, there, here);
    require_named_here(at, from, false, " out");
    elements const all(at, to.array);
    std::unique_ptr<elements> const own = from.array ? std::make_unique<elements>(at, from.array) : nullptr;
    if (!own && process::here().executing().mine != 0) return; // all of them have it
    put_each(at, all, there, [&](std::int64_t k) -> char const* {
        if (!own) return here.local(k);
        auto const source = own->number(at, here.indices(k));
        auto const mine = static_cast<std::size_t>(process::here().executing().mine);
        return executing_owners(*own, source).front() == mine ? own->place(source) : nullptr;
    });
}

void deliver_value(char const* at, sode_xmp_side const& to, void const* value) {
    if (process::here().executing().mine != 0) return;
    put_each(at, elements{at, to.array}, named_elements{to}, [&](std::int64_t) { return static_cast<char const*>(value); });
}

} // namespace sode::xmp

extern "C" void sode_xmp_reach(void) {
    sode::xmp::reaches = true;
}
