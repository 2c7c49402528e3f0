// SPDX-License-Identifier: Apache-2.0
// `gmove`: planned once for each pair of parts, and run many times.
#include "moves.hpp"

#include "arrays.hpp"
#include "asynchronous.hpp"
#include "conversions.hpp"
#include "local_parts.hpp"
#include "one_sided.hpp"
#include "process.hpp"
#include "seen_arrays.hpp"
#include "task_moves.hpp"
#include "upward.hpp"

#include <algorithm>
#include <list>
#include <memory>

namespace sode::xmp {
namespace {

// Memory of every rank as an array of which every node has a copy. The memory is the plan's own: where the program's lies may
// differ from rank to rank and from one gmove to the next, and ranks must agree on whether there is a plan already.
class every_nodes {
public:
    every_nodes(char const* at, sode_runtime* job, sode_xmp_side const& side) : counts_(counts_of(side)) {
        int const all = sode_size(job);
        int64_t const ranks = all;
        sode_format const each{.kind = SODE_BLOCK, .width = 0, .widths = nullptr};
        check(at, sode_nodes_create(job, 1, &all, &nodes_), job);
        check(at, sode_grid_distribute(nodes_, 1, &ranks, &each, &over_), job);
        std::vector<int> const none(counts_.size(), -1);
        check(at, sode_grid_align(over_, side.dims, counts_.data(), none.data(), nullptr, &grid_), job);
        std::vector<int64_t> strides(counts_.size(), 1);
        for (auto d = strides.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * counts_[d + 1];
        memory_.resize(static_cast<std::size_t>(strides[0] * counts_[0]) * (side.type >> 8));
        check(at, sode_array_attach(grid_, memory_.data(), side.type, strides.data(), nullptr, "memory of each rank", &array_),
              job);
    }
    every_nodes(every_nodes const&) = delete;
    every_nodes& operator=(every_nodes const&) = delete;
    ~every_nodes() {
        sode_array_destroy(array_);
        sode_grid_destroy(grid_);
        sode_grid_destroy(over_);
        sode_nodes_destroy(nodes_);
    }
    [[nodiscard]] sode_array* array() const { return array_; }
    [[nodiscard]] char* memory() { return memory_.data(); }

private:
    std::vector<int64_t> counts_;
    std::vector<char> memory_;
    sode_nodes* nodes_ = nullptr;
    sode_grid* over_ = nullptr;
    sode_grid* grid_ = nullptr;
    sode_array* array_ = nullptr;
};

// Arrays, types and parts of both sides: all that is equal on every rank.
using move_key = std::vector<std::int64_t>;

struct move {
    move_key key;
    sode_xmp_array_state const* arrays[2] = {};
    sode_runtime* job = nullptr;
    std::unique_ptr<every_nodes> copies[2];
    sode_array* between = nullptr;    // parts of one array overlap: what is moved waits here
    sode_collective* there = nullptr; // and this brings it
    sode_collective* plan = nullptr;
    bool under_way = false;

    move() = default;
    move(move const&) = delete;
    move& operator=(move const&) = delete;
    ~move() {
        sode_collective_destroy(plan);
        sode_collective_destroy(there);
        sode_array_destroy(between);
    }
};

// The most recently used first. A list for each job, so that what one task does never makes ranks disagree on what another has.
constexpr std::size_t most_kept = 32;
using kept_moves = std::list<std::shared_ptr<move>>;

std::map<sode_runtime*, kept_moves>& kept() {
    static auto* const all = [] {
        process::here().before_end([] { kept().clear(); });
        return new std::map<sode_runtime*, kept_moves>;
    }();
    return *all;
}

move_key key_of(sode_xmp_side const& to, sode_xmp_side const& from) {
    move_key key;
    for (auto const* const side : {&to, &from}) {
        key.push_back(reinterpret_cast<std::int64_t>(side->array ? side->array->state : nullptr));
        key.push_back(side->type);
        key.push_back(side->dims);
        for (int d = 0; d < side->dims; ++d) {
            auto const& r = side->part[d];
            if (side->array)
                key.insert(key.end(), {r.lower, r.upper, r.step});
            else
                key.push_back(count_of(r));
        }
    }
    return key;
}

// Whether both ranges may have an index.
bool may_meet(sode_range const& a, sode_range const& b) {
    if (std::max(a.lower, b.lower) >= std::min(a.upper, b.upper)) return false;
    return a.step != b.step || (a.lower - b.lower) % a.step == 0;
}

bool overlap(sode_xmp_side const& to, sode_xmp_side const& from) {
    if (!to.array || !from.array || to.array->state != from.array->state) return false;
    for (int d = 0; d < to.dims; ++d)
        if (!may_meet(to.part[d], from.part[d])) return false;
    return true;
}

std::shared_ptr<move> planned(char const* at, sode_xmp_set& nodes, sode_xmp_side const& to, sode_xmp_side const& from) {
    auto* const job = process::here().job_of(at, nodes);
    auto& list = kept()[job];
    auto const key = key_of(to, from);
    auto const found = std::ranges::find_if(list, [&](auto const& m) { return m->key == key && !m->under_way; });
    if (found != list.end()) {
        list.splice(list.begin(), list, found);
        return list.front();
    }
    auto made = std::make_shared<move>();
    made->key = key;
    made->job = job;
    sode_array* arrays[2] = {};
    sode_xmp_side const* const sides[2] = {&to, &from};
    for (std::size_t k = 0; k < 2; ++k) {
        if (auto const* const a = sides[k]->array) {
            made->arrays[k] = a->state;
            arrays[k] = seen_by(at, nodes, *a->state).array;
            continue;
        }
        made->copies[k] = std::make_unique<every_nodes>(at, job, *sides[k]);
        arrays[k] = made->copies[k]->array();
    }
    if (overlap(to, from)) {
        auto const& s = *from.array->state;
        auto* const grid = seen_by(at, nodes, *from.array->state).grid;
        check(at, sode_array_create(grid, s.type, nullptr, s.name.c_str(), &made->between), job);
        check(at, sode_copy_init(made->between, from.part, arrays[1], from.part, &made->there), job);
        arrays[1] = made->between;
    }
    check(at, sode_copy_init(arrays[0], to.array ? to.part : nullptr, arrays[1], from.array ? from.part : nullptr, &made->plan),
          job);
    list.push_front(made);
    if (list.size() > most_kept) list.pop_back(); // what is under way is held by what waits for it
    return made;
}

// What a side says outlives the call of a gmove that goes on.
struct kept_side {
    explicit kept_side(sode_xmp_side const& s) : extents(s.extents, s.extents + s.dims), part(s.part, s.part + s.dims), side(s) {
        side.extents = extents.data();
        side.part = part.data();
    }
    kept_side(kept_side const&) = delete;
    kept_side& operator=(kept_side const&) = delete;

    std::vector<std::int64_t> extents;
    std::vector<sode_range> part;
    sode_xmp_side side;
};

void require_memory(char const* at, sode_xmp_array const* array) {
    if (array && (!array->state || !array->state->array))
        fail(at, "gmove names an array without memory", "call xmp_malloc() first");
}

void finish(char const* at, move& m, sode_xmp_side const& to) {
    check(at, sode_collective_wait(m.plan), m.job);
    if (m.copies[0]) unpack(m.copies[0]->memory(), to);
    m.under_way = false;
}

// Dimensions of one element do not count.
void require_alike(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    std::string shapes[2];
    for (auto const* const side : {&to, &from})
        for (auto const n : counts_of(*side))
            if (n != 1) shapes[side == &from] += (shapes[side == &from].empty() ? "" : " x ") + std::to_string(n);
    for (auto& shape : shapes)
        if (shape.empty()) shape = "1";
    if (shapes[0] == shapes[1]) return;
    fail(at, "gmove copies " + shapes[1] + " elements to " + shapes[0] + " elements",
         "name parts of the same shape on both sides, not counting dimensions with one element");
}

// All of the array lies on the executing nodes.
bool is_here(char const* at, sode_xmp_side const& side) {
    if (!side.array) return true;
    require_memory(at, side.array);
    auto& nodes = process::here().executing();
    auto const* const state = side.array->state;
    return state->job == process::here().job_of(at, nodes) || is_within(*state, nodes);
}

std::shared_ptr<move> start(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    auto& nodes = process::here().executing();
    auto* const job = process::here().job_of(at, nodes);
    require_alike(at, to, from);
    auto m = planned(at, nodes, to, from);
    if (m->copies[1]) pack(from, m->copies[1]->memory());
    if (m->there) {
        check(at, sode_collective_start(m->there), job);
        check(at, sode_collective_wait(m->there), job);
    }
    check(at, sode_collective_start(m->plan), job);
    m->under_way = true;
    if (to.array && to.array->state->watched) to.array->state->watched->replaced(at, "gmove");
    return m;
}

void move_here(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    std::int64_t most = 1, others = 1;
    for (auto const n : counts_of(from)) most *= n;
    for (auto const n : counts_of(to)) others *= n;
    if (most != others)
        fail(at, "gmove copies " + std::to_string(most) + " elements to " + std::to_string(others) + " elements",
             "name the same number of elements on both sides");
    std::vector<char> packed(static_cast<std::size_t>(most) * (from.type >> 8));
    pack(from, packed.data());
    unpack(packed.data(), to);
}

void move_now(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    if (!to.array && !from.array) return move_here(at, to, from);
    auto const m = start(at, to, from);
    finish(at, *m, to);
}

// By way of memory of each rank.
void move_crossed(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    auto const counts = counts_of(from);
    std::size_t bytes = from.type >> 8;
    std::vector<sode_range> all;
    for (auto const n : counts) {
        bytes *= static_cast<std::size_t>(n);
        all.push_back({0, n, 1});
    }
    std::vector<char> memory(bytes);
    sode_xmp_side const between{nullptr, memory.data(), from.type, from.dims, counts.data(), all.data()};
    sode_xmp_gmove(at, &between, &from);
    sode_xmp_gmove(at, &to, &between);
}

using moving = void (*)(char const*, sode_xmp_side const*, sode_xmp_side const*);

// Between elements of different types: by way of memory of each rank, where they are converted.
void move_converted(char const* at, sode_xmp_side const& to, sode_xmp_side const& from, moving bring, moving take) {
    auto const counts = counts_of(from);
    std::size_t count = 1;
    std::vector<sode_range> all;
    for (auto const n : counts) {
        count *= static_cast<std::size_t>(n);
        all.push_back({0, n, 1});
    }
    std::vector<char> before(count * (from.type >> 8)), behind(count * (to.type >> 8));
    sode_xmp_side const brought{nullptr, before.data(), from.type, from.dims, counts.data(), all.data()};
    sode_xmp_side const taken{nullptr, behind.data(), to.type, from.dims, counts.data(), all.data()};
    bring(at, &brought, &from);
    if (!convert(before.data(), from.type, behind.data(), to.type, count))
        fail(at, "gmove cannot convert between these types, which are not numbers", "name elements of one type on both sides");
    take(at, &to, &taken);
}

} // namespace

void forget_moves(sode_xmp_array_state const& array) {
    for (auto& [job, list] : kept())
        list.remove_if([&](auto const& m) { return m->arrays[0] == &array || m->arrays[1] == &array; });
    forget_seen(array);
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_gmove(char const* at, sode_xmp_side const* to, sode_xmp_side const* from) {
    if (to->type != from->type) return move_converted(at, *to, *from, sode_xmp_gmove, sode_xmp_gmove);
    if (!is_here(at, *to) || !is_here(at, *from)) {
        require_alike(at, *to, *from);
        return move_among(at, *to, *from);
    }
    upward const sides{*to, *from};
    return sides.crossed ? move_crossed(at, *to, *from) : move_now(at, sides.to, sides.from);
}

void sode_xmp_gmove_in(char const* at, sode_xmp_side const* to, sode_xmp_side const* from) {
    if (to->type != from->type) return move_converted(at, *to, *from, sode_xmp_gmove_in, sode_xmp_gmove);
    return is_here(at, *from) ? sode_xmp_gmove(at, to, from) : fetch(at, *to, *from);
}

void sode_xmp_gmove_out(char const* at, sode_xmp_side const* to, sode_xmp_side const* from) {
    if (to->type != from->type) return move_converted(at, *to, *from, sode_xmp_gmove, sode_xmp_gmove_out);
    return is_here(at, *to) ? sode_xmp_gmove(at, to, from) : deliver(at, *to, *from);
}

void sode_xmp_gmove_async(char const* at, sode_xmp_side const* to, sode_xmp_side const* from, int number) {
    upward const sides{*to, *from};
    if ((!to->array && !from->array) || sides.crossed || to->type != from->type || !is_here(at, *to) || !is_here(at, *from)) {
        sode_xmp_gmove(at, to, from);
        return keep({.number = number, .owner = nullptr, .over = [](char const*) { return true; }, .finish = [](char const*) {}});
    }
    auto const m = start(at, sides.to, sides.from);
    auto const target = std::make_shared<kept_side>(sides.to);
    keep({.number = number,
          .owner = nullptr,
          .over =
              [m](char const* where) {
                  int over = 0;
                  check(where, sode_collective_test(m->plan, &over), m->job);
                  return over != 0;
              },
          .finish = [m, target](char const* where) { finish(where, *m, target->side); }});
}

void sode_xmp_gmove_fill(char const* at, sode_xmp_side const* to, void const* value) {
    if (!is_here(at, *to)) require_named_here(at, *to, true, "");
    fill(at, *to, value);
    if (to->array && to->array->state->watched) to->array->state->watched->replaced(at, "gmove");
}

void sode_xmp_gmove_fill_out(char const* at, sode_xmp_side const* to, void const* value) {
    return is_here(at, *to) ? sode_xmp_gmove_fill(at, to, value) : deliver_value(at, *to, value);
}

} // extern "C"
