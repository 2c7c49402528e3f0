// SPDX-License-Identifier: Apache-2.0
// `nodes`, `template`, `distribute`, `template_fix`.
#include "mappings.hpp"

#include "process.hpp"
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace sode::xmp {
namespace {

// What the library says of nodes, kept where loops can look at it.
sode_xmp_nodes* described(char const* at, sode_nodes* made, sode_xmp_set const& within) {
    auto* const job = within.job;
    auto* const result = new sode_xmp_nodes;
    result->nodes = made;
    result->within = &within;
    result->job = job;
    check(at, sode_nodes_shape(made, &result->dims, result->extents.data(), result->coordinates.data()), job);
    int count = 0;
    check(at, sode_nodes_ranks(made, &count, nullptr), job);
    result->ranks.resize(static_cast<std::size_t>(count));
    check(at, sode_nodes_ranks(made, &count, result->ranks.data()), job);
    for (auto& r : result->ranks) r = within.ranks[static_cast<std::size_t>(r)];
    return result;
}

std::size_t product(std::vector<int> const& extents) {
    std::size_t count = 1;
    for (int const n : extents) count *= static_cast<std::size_t>(n);
    return count;
}

// "2 x *"
std::string shape_text(std::vector<int> const& extents) {
    std::string all;
    for (int const n : extents) all += (all.empty() ? "" : " x ") + (n == 0 ? std::string{"*"} : std::to_string(n));
    return all;
}

using nodes_maker = std::function<int(sode_runtime*, int, int const*, sode_nodes**)>;

int by_machine(sode_runtime* job, int dims, int const* extents, sode_nodes** nodes) {
    return sode_nodes_create_mapped(job, dims, extents, nullptr, nodes);
}

sode_xmp_nodes* made(char const* at, sode_xmp_set& within, std::vector<int> list, bool executing, nodes_maker const& make) {
    auto& program = process::here();
    auto const here = program.executing().ranks.size(), all = within.ranks.size();
    auto fixed = list;
    std::ranges::replace(fixed, 0, 1);
    if (std::ranges::any_of(list, [](int n) { return n < 0; }))
        fail(at, "nodes have a negative extent", "write the number of nodes, or *");
    if (!executing && here != all && product(list) == here)
        fail(at,
             "the nodes do not match the " + std::to_string(all) + " nodes of the program (the declaration is in a task of " +
                 std::to_string(here) + ")",
             "write `= *` after the name to declare the nodes of the task");
    if (program.serial()) std::ranges::fill(list, 1), std::ranges::fill(fixed, 1);
    bool const open = list != fixed;
    if (product(fixed) > all || (open && all % product(fixed) != 0))
        fail(at,
             "nodes " + shape_text(list) + " need " + (open ? "a multiple of " : "") + std::to_string(product(fixed)) +
                 " ranks (there are " + std::to_string(all) + ")",
             "start the program with another number of ranks, or change the extents");
    auto* const job = program.job_of(at, within);
    sode_nodes* nodes = nullptr;
    check(at, make(job, static_cast<int>(list.size()), list.data(), &nodes), job);
    return described(at, nodes, within);
}

// The program's array of widths, of int or of a longer type: `width` says how many bytes an element has.
std::vector<std::int64_t> widths_of(char const* at, sode_format const& f, int count) {
    std::vector<std::int64_t> list;
    for (int k = 0; k < count; ++k)
        if (f.width == sizeof(int))
            list.push_back(reinterpret_cast<int const*>(f.widths)[k]);
        else if (f.width == sizeof(std::int64_t))
            list.push_back(f.widths[k]);
        else
            fail(at, "the widths of a gblock are not integers", "pass an array of int or long");
    return list;
}

// How each dimension is cut.
void cut(char const* at, sode_xmp_template& t, sode_format const* formats) {
    int along = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(t.dims); ++d) {
        t.formats[d] = formats[d];
        if (process::here().serial() && formats[d].kind != SODE_WHOLE) // widths are those of nodes that are not there
            t.formats[d] = {formats[d].kind == SODE_CYCLIC ? SODE_CYCLIC : SODE_BLOCK,
                            formats[d].kind == SODE_CYCLIC ? formats[d].width : 0, nullptr};
        if (formats[d].kind == SODE_WHOLE) continue;
        if (along == t.onto->dims)
            fail(at, "a template has more split dimensions than the nodes have dimensions",
                 "write * for the other dimensions of the template");
        if (t.formats[d].kind == SODE_GBLOCK && formats[d].widths) {
            auto const nodes = t.onto->extents[static_cast<std::size_t>(along)];
            if (t.given[d] > 0 && t.given[d] < nodes)
                fail(at,
                     "gblock gets " + std::to_string(t.given[d]) + " widths for " + std::to_string(nodes) + " nodes (dimension " +
                         std::to_string(d) + ")",
                     "pass an array with one width for each node");
            t.widths[d] = widths_of(at, formats[d], nodes);
            t.formats[d].widths = t.widths[d].data();
        }
        ++along;
    }
}

// `sode cc` has compared the words.
void require_same_widths(char const* at, sode_xmp_template const& t, sode_format const* formats) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(t.dims); ++d)
        if (auto const was = t.formats[d].width, is = formats[d].width;
            !process::here().serial() && was != is && t.formats[d].kind != SODE_GBLOCK)
            fail(at,
                 "template_fix has width " + std::to_string(is) + " where the template was distributed with " + std::to_string(was),
                 "repeat the formats of distribute");
}

bool complete(sode_xmp_template const& t) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(t.dims); ++d)
        if (t.upper[d] < t.lower[d] || (t.formats[d].kind == SODE_GBLOCK && !t.formats[d].widths)) return false;
    return true;
}

void spread(char const* at, sode_xmp_template& t) {
    std::array<std::int64_t, most_dims> extents{};
    for (std::size_t d = 0; d < most_dims; ++d) extents[d] = t.upper[d] - t.lower[d];
    auto* const job = t.onto->job;
    check(at, sode_grid_distribute(t.onto->nodes, t.dims, extents.data(), t.formats.data(), &t.grid), job);
    for (std::size_t d = 0; d < static_cast<std::size_t>(t.dims); ++d)
        check(at, sode_grid_dimension(t.grid, static_cast<int>(d), &t.shares[d]), job);
}

// What template_fix does to one file's template.
void fix(char const* at, sode_xmp_template& t, std::int64_t const* lower, std::int64_t const* upper, sode_format const* formats) {
    for (std::size_t d = 0; lower && d < static_cast<std::size_t>(t.dims); ++d) {
        t.lower[d] = lower[d];
        t.upper[d] = upper[d];
        if (upper[d] < lower[d]) fail(at, "the upper bound of a template is below its lower bound", "write the lower bound first");
    }
    if (formats) require_same_widths(at, t, formats);
    if (formats) cut(at, t, formats);
    if (!complete(t)) fail(at, "template_fix does not set the size and all formats", "set the size, and the widths of gblock(*)");
    spread(at, t);
}

bool has_bounds(sode_xmp_template const& t, std::int64_t const* lower, std::int64_t const* upper) {
    return !lower || (std::equal(lower, lower + t.dims, t.lower.begin()) && std::equal(upper, upper + t.dims, t.upper.begin()));
}

} // namespace

void require_distributed(char const* at, sode_xmp_template const* t) {
    if (!t || !t->grid)
        fail(at, "this template is not distributed (no distribute directive was executed for it)",
             "distribute the template before arrays and loops use it");
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

sode_xmp_nodes* sode_xmp_nodes_make(char const* at, int dims, int64_t const* extents, int same_as) {
    auto& program = process::here();
    // Positions in a task are those of its nodes, and images have numbers.
    bool const here = same_as == 1, in_order = here || dims == 1 || program.has_images();
    auto* const result = made(at, here ? program.executing() : program.world(), {extents, extents + dims}, here,
                              in_order ? sode_nodes_create : by_machine);
    result->same_as = same_as;
    return result;
}

sode_xmp_nodes* sode_xmp_nodes_in_order(char const* at, int dims, int64_t const* extents) {
    return made(at, process::here().world(), {extents, extents + dims}, false, sode_nodes_create);
}

sode_xmp_nodes* sode_xmp_nodes_mapped(char const* at, int dims, int64_t const* extents, double const* costs) {
    return made(at, process::here().world(), {extents, extents + dims}, false,
                [costs](sode_runtime* job, int n, int const* shape, sode_nodes** nodes) {
                    return sode_nodes_create_mapped(job, n, shape, costs, nodes);
                });
}
sode_xmp_nodes* sode_xmp_nodes_part(char const* at, sode_xmp_nodes* of, sode_range const* which, int dims, int64_t const* extents) {
    bool own = false;
    for (std::size_t d = 0; d < static_cast<std::size_t>(of->dims); ++d) {
        auto const& w = which[d];
        own = own || w.lower == SODE_XMP_OWN;
        if (!process::here().serial() && w.lower != SODE_XMP_OWN && w.upper != INT64_MAX / 4 &&
            (w.lower < 0 || w.upper > of->extents[d]))
            fail(at, "a part of nodes extends beyond the nodes (there are " + std::to_string(of->extents[d]) + ")",
                 "name nodes that exist");
    }
    auto const& part = *sode_xmp_among_nodes(at, of, which);
    std::vector<int> shape(extents, extents + dims);
    if (process::here().serial()) std::ranges::fill(shape, 1);
    auto const open = std::ranges::find(shape, 0);
    auto const count = part.ranks.size();
    if (open != shape.end()) {
        *open = 1;
        *open = static_cast<int>(count / product(shape));
    }
    if (product(shape) != count)
        fail(at,
             "the declaration has " + std::to_string(product(shape)) + " nodes, but the part has " + std::to_string(count) +
                 " nodes",
             "make the numbers equal, or write * for one extent");
    // Where each node has a part of its own, the part is what does things together.
    auto& program = process::here();
    auto const& within = own ? part : *of->within;
    auto* const job = own ? program.job_of(at, const_cast<sode_xmp_set&>(part)) : of->job;
    std::vector<int> ranks;
    for (int const rank : part.ranks)
        ranks.push_back(static_cast<int>(std::ranges::find(within.ranks, rank) - within.ranks.begin()));
    sode_nodes* made = nullptr;
    check(at, sode_nodes_of_ranks(job, dims, shape.data(), ranks.data(), &made), job);
    auto* const result = described(at, made, within);
    result->of = of;
    result->which.assign(which, which + of->dims);
    return result;
}

void sode_xmp_nodes_leave(sode_xmp_nodes** nodes) {
    if (!*nodes) return;
    sode_nodes_destroy((*nodes)->nodes);
    delete *nodes;
    *nodes = nullptr;
}

sode_xmp_template* sode_xmp_template_make(char const* at, int dims, int64_t const* lower, int64_t const* upper) {
    auto* const t = new sode_xmp_template;
    t->dims = dims;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) {
        t->lower[d] = lower[d];
        t->upper[d] = upper[d];
        if (upper[d] < lower[d] && !(lower[d] == 0 && upper[d] == -1)) // which template_fix says
            fail(at, "the upper bound of a template is below its lower bound", "write the lower bound first");
    }
    return t;
}

void sode_xmp_widths_given(char const*, sode_xmp_template* t, int dim, int64_t count) {
    t->given[static_cast<std::size_t>(dim)] = count;
}

void sode_xmp_distribute(char const* at, sode_xmp_template* t, sode_xmp_nodes* onto, sode_format const* formats) {
    if (t->onto) fail(at, "a template is distributed twice", "use another template");
    t->onto = onto;
    cut(at, *t, formats);
    if (complete(*t)) spread(at, *t);
}

void sode_xmp_template_fix(char const* at, sode_xmp_template* t, int64_t const* lower, int64_t const* upper,
                           sode_format const* formats) {
    if (!t->onto) fail(at, "template_fix comes before distribute", "distribute the template first");
    if (t->grid && std::exchange(t->fixed_by_another, false)) { // and now this file says it, too
        if (has_bounds(*t, lower, upper)) return;
        fail(at, "template_fix sets another size than in another file", "set the same size in all files");
    }
    if (t->grid) fail(at, "template_fix names a template that already has a size", "declare the size in one place");
    fix(at, *t, lower, upper, formats);
    if (!t->alike) return;
    for (auto* const other : *t->alike)
        if (other != t && other->onto && !other->grid) {
            fix(at, *other, lower, upper, formats);
            other->fixed_by_another = true;
        }
}

void sode_xmp_template_of_header(char const* place, char const* name, sode_xmp_template* t) {
    static auto* const all = new std::map<std::string, std::vector<sode_xmp_template*>>; // as long as the program's files
    auto& alike = (*all)[std::string{place} + " " + name];
    alike.push_back(t);
    t->alike = &alike;
}

void sode_xmp_template_leave(sode_xmp_template** t) {
    if (!*t) return;
    sode_grid_destroy((*t)->grid);
    delete *t;
    *t = nullptr;
}

sode_xmp_share sode_xmp_template_share(char const* at, sode_xmp_template const* t, int dim) {
    require_distributed(at, t);
    auto const d = static_cast<std::size_t>(dim);
    auto const& is = t->shares[d];
    if (is.coordinate < 0) return {};
    if (is.node_dimension < 0) return {INT64_MIN / 4, INT64_MAX / 4, 0, 1, 0, 0};
    return {.lower = is.lower + t->lower[d],
            .upper = is.upper + t->lower[d],
            .chunk = is.chunk,
            .nodes = is.nodes,
            .coordinate = is.coordinate,
            .origin = t->lower[d]};
}

sode_xmp_share sode_xmp_nodes_share(char const*, sode_xmp_nodes const* nodes, int dim) {
    if (process::here().serial()) return {INT64_MIN / 4, INT64_MAX / 4, 0, 1, 0, 0};
    auto const at = nodes->coordinates[static_cast<std::size_t>(dim)];
    return at < 0 ? sode_xmp_share{} : sode_xmp_share{at, at + 1, 0, 1, 0, 0};
}

} // extern "C"
