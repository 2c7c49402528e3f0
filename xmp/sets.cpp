// SPDX-License-Identifier: Apache-2.0
// Which nodes a directive is for, and `task`.
#include "mappings.hpp"
#include "process.hpp"
#include "shares.hpp"
#include "watch.hpp"

#include <algorithm>
#include <functional>

namespace sode::xmp {
namespace {

using at_node = std::array<int, most_dims>;

// The nodes whose coordinates `wanted` accepts.
sode_xmp_set* chosen(sode_xmp_nodes const& of, std::function<bool(at_node const&)> const& wanted) {
    if (process::here().serial()) return &process::here().world();
    std::vector<int> ranks;
    at_node at{};
    for (int const rank : of.ranks) {
        if (wanted(at)) ranks.push_back(rank);
        for (auto d = static_cast<std::size_t>(of.dims); d-- > 0;) {
            if (++at[d] < of.extents[d]) break;
            at[d] = 0;
        }
    }
    return &process::here().set_of(std::move(ranks));
}

// Whether r has an index of from <= i < to.
bool meets(sode_range const& r, std::int64_t from, std::int64_t to) {
    auto const first = r.lower >= from ? r.lower : r.lower + (from - r.lower + r.step - 1) / r.step * r.step;
    return first < std::min(to, r.upper);
}

// Whether coordinate c along the dimension owns any of the indices.
bool owns(sode_xmp_template const& t, std::size_t d, int c, sode_range r) {
    auto const& is = t.shares[d];
    if (r.lower == SODE_XMP_OWN) return c == is.coordinate;
    r.lower -= t.lower[d];
    r.upper = std::min(r.upper - t.lower[d], is.extent);
    if (r.lower < 0) r.lower += (-r.lower + r.step - 1) / r.step * r.step;
    auto const& f = t.formats[d];
    if (f.kind == SODE_GBLOCK) {
        std::int64_t from = 0;
        for (int k = 0; k < c; ++k) from += f.widths[k];
        return meets(r, from, from + f.widths[c]);
    }
    if (f.kind == SODE_BLOCK) {
        auto const width = block_width(t, d);
        return meets(r, c * width, (c + 1) * width);
    }
    // After a whole round of steps the owners come again.
    for (std::int64_t i = r.lower, k = 0; i < r.upper && k < is.chunk * is.nodes; i += r.step, ++k)
        if (i / is.chunk % is.nodes == c) return true;
    return false;
}

void require_steps(char const* at, sode_range const& r) {
    if (r.step == SODE_XMP_NEGATIVE)
        fail(at, "a set of nodes has a length below 0", "write [from:count] with a count of 0 or more");
    if (r.step < 1) fail(at, "nodes are named with a step of " + std::to_string(r.step), "write a step above 0");
}

// A dimension of nodes or of a template has the indices from <= i < to. Others are named by mistake: they would be an empty set.
void require_there(char const* at, char const* name, int dim, sode_range const& r, std::int64_t from, std::int64_t to) {
    if (process::here().serial() || r.lower == SODE_XMP_OWN || r.lower == INT64_MIN / 4 || r.lower >= r.upper) return;
    auto const last = r.lower + (r.upper - 1 - r.lower) / r.step * r.step;
    if (r.lower >= from && last < to) return;
    auto const wrong = r.lower < from ? r.lower : last;
    fail(at,
         std::string{name} + " has no index " + std::to_string(wrong) + " in dimension " + std::to_string(dim) +
             " (its indices are " + std::to_string(from) + " to " + std::to_string(to - 1) + ", counted as in square brackets)",
         "name indices that exist, or an empty range");
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

sode_xmp_set* sode_xmp_among_nodes(char const* at, sode_xmp_nodes* nodes, sode_range const* which) {
    for (int d = 0; d < nodes->dims; ++d) {
        require_steps(at, which[d]);
        require_there(at, nodes->name, d, which[d], 0, nodes->extents[static_cast<std::size_t>(d)]);
    }
    return chosen(*nodes, [&](at_node const& node) {
        for (std::size_t d = 0; d < static_cast<std::size_t>(nodes->dims); ++d)
            if (which[d].lower == SODE_XMP_OWN ? node[d] != nodes->coordinates[d] : !meets(which[d], node[d], node[d] + 1))
                return false;
        return true;
    });
}

sode_xmp_set* sode_xmp_among_template(char const* at, sode_xmp_template* t, sode_range const* which) {
    require_distributed(at, t);
    for (int d = 0; d < t->dims; ++d) {
        require_steps(at, which[d]);
        require_there(at, t->name, d, which[d], t->lower[static_cast<std::size_t>(d)], t->upper[static_cast<std::size_t>(d)]);
    }
    return chosen(*t->onto, [&](at_node const& node) {
        for (std::size_t d = 0; d < static_cast<std::size_t>(t->dims); ++d) {
            auto const k = t->shares[d].node_dimension;
            if (k >= 0 && !owns(*t, d, node[static_cast<std::size_t>(k)], which[d])) return false;
        }
        return true;
    });
}

void sode_xmp_nodes_name(sode_xmp_nodes* nodes, char const* name) {
    nodes->name = name;
}

void sode_xmp_template_name(sode_xmp_template* t, char const* name) {
    t->name = name;
}

sode_xmp_set* sode_xmp_among_executing(void) {
    return &process::here().executing();
}

sode_xmp_set* sode_xmp_among_all(void) {
    return &process::here().world();
}

int sode_xmp_within(sode_xmp_set const* set) {
    return set->mine >= 0;
}

sode_xmp_set* sode_xmp_sharing_nodes(char const*, sode_xmp_nodes* nodes, unsigned dims) {
    auto& found = nodes->sharing[dims];
    if (!found)
        found = chosen(*nodes, [&](at_node const& at) {
            for (std::size_t d = 0; d < static_cast<std::size_t>(nodes->dims); ++d)
                if ((dims >> d & 1U) == 0 && at[d] != nodes->coordinates[d]) return false;
            return true;
        });
    return found;
}

sode_xmp_set* sode_xmp_sharing_template(char const* at, sode_xmp_template* t, unsigned dims) {
    require_distributed(at, t);
    unsigned along = 0;
    for (int d = 0; d < t->dims; ++d)
        if (auto const k = t->shares[static_cast<std::size_t>(d)].node_dimension; (dims >> d & 1U) != 0 && k >= 0) along |= 1U << k;
    return sode_xmp_sharing_nodes(at, t->onto, along);
}

sode_xmp_set* sode_xmp_of_task(sode_xmp_set* set) {
    if (process::here().all_in_task()) return set;
    auto const& task = process::here().of_task();
    if (set->task == &task) return set->in_task;
    std::vector<int> some;
    for (int const rank : set->ranks)
        if (std::ranges::find(task.ranks, rank) != task.ranks.end()) some.push_back(rank);
    set->task = &task;
    return set->in_task = &process::here().set_of(std::move(some));
}

sode_xmp_task sode_xmp_task_enter(char const* at, sode_xmp_set* set, int alone) {
    auto& program = process::here();
    if (set->mine < 0) return {0, 0};
    if (alone) {
        sode::xmp::alone(1);
        return {1, 2};
    }
    if (!in_task(set->ranks))
        fail(at, "a task names nodes outside of the enclosing task (the nodes of an inner task must be a part)",
             "name nodes of the enclosing task");
    (void)program.job_of(at, *set);
    program.enter_task(*set);
    return {1, 1};
}

sode_xmp_task sode_xmp_loop_enter(sode_xmp_set* set) {
    if (set->mine < 0) return {0, 0};
    process::here().enter(*set); // its job is made when something is done together
    return {1, 3};
}

void sode_xmp_task_leave(sode_xmp_task* task) {
    if (task->entered == 1) process::here().leave_task();
    if (task->entered == 3) process::here().leave();
    if (task->entered == 2) alone(-1);
}

} // extern "C"
