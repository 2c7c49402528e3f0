// SPDX-License-Identifier: Apache-2.0
// `gmove in` and `out` whose other side lies on nodes that do not execute them: elements are loaded and stored where they are.
#include "one_sided.hpp"

#include "elements.hpp"
#include "local_parts.hpp"
#include "process.hpp"

#include <atomic>
#include <cstring>

namespace sode::xmp {
namespace {

bool reaches = false;

// The elements that a side names, in row-major order.
class named_elements {
public:
    explicit named_elements(sode_xmp_side const& side) : side_(side), counts_(counts_of(side)) {}

    [[nodiscard]] std::int64_t count() const {
        std::int64_t n = 1;
        for (auto const c : counts_) n *= c;
        return n;
    }
    // The indices of the k-th.
    [[nodiscard]] std::vector<std::int64_t> indices(std::int64_t k) const {
        std::vector<std::int64_t> at(counts_.size());
        for (auto d = at.size(); d-- > 0; k /= counts_[d]) at[d] = side_.part[d].lower + k % counts_[d] * side_.part[d].step;
        return at;
    }
    // Where memory of this rank has it.
    [[nodiscard]] char* local(std::int64_t k) const {
        auto const at = indices(k);
        std::int64_t place = 0;
        for (std::size_t d = 0; d < at.size(); ++d) place = place * side_.extents[d] + at[d];
        return static_cast<char*>(side_.local) + place * static_cast<std::int64_t>(side_.type >> 8);
    }

private:
    sode_xmp_side const& side_;
    std::vector<std::int64_t> counts_;
};

void require_equal(char const* at, named_elements const& to, named_elements const& from) {
    if (to.count() != from.count())
        fail(at, "gmove of " + std::to_string(from.count()) + " elements to " + std::to_string(to.count()),
             "name equally many on both sides");
}

bool has(elements const& all, std::int64_t number) {
    bool mine = false;
    auto const rank = sode_rank(all.state().job);
    all.each_owner(number, [&](int who) { mine = mine || who == rank; });
    return mine;
}

} // namespace

bool reaching() {
    return reaches;
}

void tell_places(char const* at, sode_xmp_array_state& state) {
    for (int d = 0; d < state.dims; ++d) {
        if (state.targets[static_cast<std::size_t>(d)] < 0) continue;
        auto const kind = state.along->formats[static_cast<std::size_t>(state.targets[static_cast<std::size_t>(d)])].kind;
        if (kind == SODE_CYCLIC || (kind == SODE_GBLOCK && d > 0)) return; // others do not know where its elements lie
    }
    state.peers.resize(static_cast<std::size_t>(sode_size(state.job)));
    check(at, sode_array_peers(state.array, state.peers.data()), state.job);
}

void fetch(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    named_elements const there(from), here(to);
    require_equal(at, here, there);
    elements const all(at, from.array);
    std::unique_ptr<elements> const own = to.array ? std::make_unique<elements>(at, to.array) : nullptr;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (std::int64_t k = 0; k < there.count(); ++k) {
        auto const target = own ? own->number(at, here.indices(k)) : 0;
        if (own && !has(*own, target)) continue;
        auto const* const source = all.place_at(at, all.number(at, there.indices(k)), -1);
        std::memcpy(own ? own->place(target) : here.local(k), source, all.bytes());
    }
}

void deliver(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    named_elements const there(to), here(from);
    require_equal(at, there, here);
    elements const all(at, to.array);
    std::unique_ptr<elements> const own = from.array ? std::make_unique<elements>(at, from.array) : nullptr;
    if (!own && process::here().executing().mine != 0) return; // all of them have it
    for (std::int64_t k = 0; k < there.count(); ++k) {
        auto const source = own ? own->number(at, here.indices(k)) : 0;
        if (own && own->owner(source) != sode_rank(own->state().job)) continue;
        auto const* const value = own ? own->place(source) : here.local(k);
        auto const target = all.number(at, there.indices(k));
        all.each_owner(target, [&](int rank) { std::memcpy(all.place_at(at, target, rank), value, all.bytes()); });
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

} // namespace sode::xmp

extern "C" void sode_xmp_reach(void) {
    sode::xmp::reaches = true;
}
