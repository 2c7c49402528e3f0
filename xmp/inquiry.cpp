// SPDX-License-Identifier: Apache-2.0
// What a program may ask of nodes, templates and arrays (XcalableMP 1.4, chapter 7). Dimensions count from 1, those of nodes and
// templates from the one that varies fastest.
#include "inquiry.hpp"

#include "process.hpp"
#include "shares.hpp"
#include <algorithm>

namespace sode::xmp {

sode_xmp_nodes* nodes_of(xmp_desc_t descriptor) {
    auto* const n = static_cast<sode_xmp_nodes*>(descriptor);
    return n && n->kind == sode_xmp_is_nodes ? n : nullptr;
}

sode_xmp_template* template_of(xmp_desc_t descriptor) {
    auto* const t = static_cast<sode_xmp_template*>(descriptor);
    return t && t->kind == sode_xmp_is_template ? t : nullptr;
}

sode_xmp_array* array_of(xmp_desc_t descriptor) {
    auto* const a = static_cast<sode_xmp_array*>(descriptor);
    return a && a->kind == sode_xmp_is_array && a->state ? a : nullptr;
}

namespace {

constexpr int failure = -1;

template <class T> int answer(int* where, T value) {
    if (!where) return failure;
    *where = static_cast<int>(value);
    return 0;
}

// Dimension `dim` of nodes or a template, as it is stored.
template <class T> bool stored(T const* of, int dim, std::size_t& d) {
    if (!of || dim < 1 || dim > of->dims) return false;
    d = static_cast<std::size_t>(of->dims - dim);
    return true;
}

bool stored(sode_xmp_array const* of, int dim, std::size_t& d) {
    if (!of || dim < 1 || dim > of->state->dims) return false;
    d = static_cast<std::size_t>(dim - 1);
    return true;
}

// One dimension of an array as this rank has it; false where there is no such dimension, or the array has no memory yet.
bool local(sode_xmp_array const* of, int dim, std::size_t& d, sode_dimension& is) {
    if (!stored(of, dim, d) || !of->state->grid) return false;
    return sode_grid_dimension(of->state->grid, static_cast<int>(d), &is) == SODE_OK;
}

// Layers that lie before the first owned element.
std::int64_t below(sode_xmp_array_state const& s, std::size_t d, sode_dimension const& is) {
    return s.shadow[2 * d] < 0 ? is.lower : s.shadow[2 * d];
}

std::int64_t above(sode_xmp_array_state const& s, std::size_t d, sode_dimension const& is) {
    return s.shadow[2 * d + 1] < 0 ? is.extent - is.upper : s.shadow[2 * d + 1];
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

int xmp_nodes_ndims(xmp_desc_t d, int* ndims) {
    auto const* const n = nodes_of(d);
    return n ? answer(ndims, n->dims) : failure;
}

int xmpc_nodes_index(xmp_desc_t d, int dim, int* index) {
    auto const* const n = nodes_of(d);
    std::size_t k = 0;
    return stored(n, dim, k) && n->coordinates[k] >= 0 ? answer(index, n->coordinates[k]) : failure;
}

int xmp_nodes_index(xmp_desc_t d, int dim, int* index) {
    int const code = xmpc_nodes_index(d, dim, index);
    if (code == 0) ++*index;
    return code;
}

int xmp_nodes_size(xmp_desc_t d, int dim, int* size) {
    auto const* const n = nodes_of(d);
    std::size_t k = 0;
    return stored(n, dim, k) ? answer(size, n->extents[k]) : failure;
}

int xmp_nodes_attr(xmp_desc_t d, int* attr) {
    auto const* const n = nodes_of(d);
    if (!n) return failure;
    return answer(attr, n->of             ? XMP_EQUIVALENCE_NODES
                        : n->same_as == 1 ? XMP_EXECUTING_NODES
                        : n->same_as == 2 ? XMP_PRIMARY_NODES
                                          : XMP_ENTIRE_NODES);
}

int xmp_nodes_equiv(xmp_desc_t d, xmp_desc_t* dn, int lb[], int ub[], int st[]) {
    auto const* const n = nodes_of(d);
    if (!n || !n->of || !dn || !lb || !ub || !st) return failure;
    *dn = n->of;
    auto const all = static_cast<std::size_t>(n->of->dims);
    for (std::size_t k = 0; k < all; ++k) {
        auto const& w = n->which[all - 1 - k];
        bool const own = w.lower == SODE_XMP_OWN, whole = w.upper == INT64_MAX / 4;
        lb[k] = own || whole ? 1 : static_cast<int>(w.lower) + 1;
        ub[k] = own || whole ? n->of->extents[all - 1 - k] : static_cast<int>(w.upper);
        st[k] = own ? 0 : static_cast<int>(w.step);
    }
    return 0;
}

int xmp_template_fixed(xmp_desc_t d, int* fixed) {
    auto const* const t = template_of(d);
    if (!t) return failure;
    bool sized = true;
    for (std::size_t k = 0; k < static_cast<std::size_t>(t->dims); ++k) sized = sized && t->upper[k] >= t->lower[k];
    return answer(fixed, sized && (!t->onto || t->grid) ? 1 : 0);
}

int xmp_template_ndims(xmp_desc_t d, int* ndims) {
    auto const* const t = template_of(d);
    return t ? answer(ndims, t->dims) : failure;
}

int xmp_template_lbound(xmp_desc_t d, int dim, int* lbound) {
    auto const* const t = template_of(d);
    std::size_t k = 0;
    return stored(t, dim, k) && t->upper[k] >= t->lower[k] ? answer(lbound, t->lower[k]) : failure;
}

int xmp_template_ubound(xmp_desc_t d, int dim, int* ubound) {
    auto const* const t = template_of(d);
    std::size_t k = 0;
    return stored(t, dim, k) && t->upper[k] >= t->lower[k] ? answer(ubound, t->upper[k] - 1) : failure;
}

int xmp_dist_format(xmp_desc_t d, int dim, int* format) {
    auto const* const t = template_of(d);
    std::size_t k = 0;
    if (!stored(t, dim, k) || !t->onto) return failure;
    switch (t->formats[k].kind) {
    case SODE_BLOCK: return answer(format, XMP_BLOCK);
    case SODE_CYCLIC: return answer(format, XMP_CYCLIC);
    case SODE_GBLOCK: return answer(format, XMP_GBLOCK);
    default: return answer(format, XMP_NOT_DISTRIBUTED);
    }
}

int xmp_dist_blocksize(xmp_desc_t d, int dim, int* blocksize) {
    auto const* const t = template_of(d);
    std::size_t k = 0;
    if (!stored(t, dim, k) || !t->grid) return failure;
    auto const& is = t->shares[k];
    switch (t->formats[k].kind) {
    case SODE_BLOCK: return answer(blocksize, block_width(*t, k));
    case SODE_CYCLIC: return answer(blocksize, is.chunk);
    case SODE_WHOLE: return answer(blocksize, is.extent);
    default: return failure; // they differ
    }
}

int xmp_dist_gblockmap(xmp_desc_t d, int dim, int map[]) {
    auto const* const t = template_of(d);
    std::size_t k = 0;
    if (!stored(t, dim, k) || !map || t->formats[k].kind != SODE_GBLOCK || t->widths[k].empty()) return failure;
    for (std::size_t n = 0; n < t->widths[k].size(); ++n) map[n] = static_cast<int>(t->widths[k][n]);
    return 0;
}

int xmp_dist_nodes(xmp_desc_t d, xmp_desc_t* dn) {
    auto const* const t = template_of(d);
    if (!t || !t->onto || !dn) return failure;
    *dn = t->onto;
    return 0;
}

int xmp_dist_axis(xmp_desc_t d, int dim, int* axis) {
    auto const* const t = template_of(d);
    std::size_t k = 0;
    if (!stored(t, dim, k) || !t->grid || t->shares[k].node_dimension < 0) return failure;
    return answer(axis, t->onto->dims - t->shares[k].node_dimension);
}

int xmp_align_axis(xmp_desc_t d, int dim, int* axis) {
    auto const* const a = array_of(d);
    std::size_t k = 0;
    if (!stored(a, dim, k) || a->state->targets[k] < 0) return failure;
    return answer(axis, a->state->along->dims - a->state->targets[k]);
}

int xmp_align_offset(xmp_desc_t d, int dim, int* offset) {
    auto const* const a = array_of(d);
    std::size_t k = 0;
    if (!stored(a, dim, k) || a->state->targets[k] < 0) return failure;
    auto const& s = *a->state;
    return answer(offset, s.grid ? s.offsets[k] + s.along->lower[static_cast<std::size_t>(s.targets[k])] : s.offsets[k]);
}

int xmp_align_replicated(xmp_desc_t d, int dim, int* replicated) {
    auto const* const a = array_of(d);
    std::size_t k = 0;
    if (!a || !stored(a->state->along, dim, k)) return failure;
    bool follows = false;
    for (std::size_t n = 0; n < static_cast<std::size_t>(a->state->dims); ++n)
        follows = follows || a->state->targets[n] == static_cast<int>(k);
    return answer(replicated, follows ? 0 : 1);
}

int xmp_align_template(xmp_desc_t d, xmp_desc_t* dt) {
    auto const* const a = array_of(d);
    if (!a || !dt) return failure;
    *dt = a->state->along;
    return 0;
}

int xmp_array_ndims(xmp_desc_t d, int* ndims) {
    auto const* const a = array_of(d);
    return a ? answer(ndims, a->state->dims) : failure;
}

int xmp_array_lshadow(xmp_desc_t d, int dim, int* lshadow) {
    auto const* const a = array_of(d);
    std::size_t k = 0;
    sode_dimension is{};
    return local(a, dim, k, is) ? answer(lshadow, below(*a->state, k, is)) : failure;
}

int xmp_array_ushadow(xmp_desc_t d, int dim, int* ushadow) {
    auto const* const a = array_of(d);
    std::size_t k = 0;
    sode_dimension is{};
    return local(a, dim, k, is) ? answer(ushadow, above(*a->state, k, is)) : failure;
}

int xmp_array_lbound(xmp_desc_t d, int dim, int* lbound) {
    std::size_t k = 0;
    sode_dimension is{};
    return local(array_of(d), dim, k, is) ? answer(lbound, 0) : failure;
}

int xmp_array_ubound(xmp_desc_t d, int dim, int* ubound) {
    std::size_t k = 0;
    sode_dimension is{};
    return local(array_of(d), dim, k, is) ? answer(ubound, is.extent - 1) : failure;
}

int xmp_array_gsize(xmp_desc_t d, int dim, int* size) {
    std::size_t k = 0;
    sode_dimension is{};
    return local(array_of(d), dim, k, is) ? answer(size, is.extent) : failure;
}

int xmp_array_lsize(xmp_desc_t d, int dim, int* lsize) {
    std::size_t k = 0;
    sode_dimension is{};
    return local(array_of(d), dim, k, is) ? answer(lsize, owned_count(is)) : failure;
}

int xmp_array_laddr(xmp_desc_t d, void** laddr) {
    auto const* const a = array_of(d);
    if (!a || !a->state->array || !laddr) return failure;
    *laddr = a->base ? a->state->first : nullptr;
    return 0;
}

int xmp_array_lda(xmp_desc_t d, int* lda) {
    auto const* const a = array_of(d);
    if (!a || !a->state->array) return failure;
    std::int64_t strides[most_dims] = {};
    if (sode_array_view(a->state->array, nullptr, strides, nullptr, nullptr) != SODE_OK) return failure;
    std::size_t k = 0;
    sode_dimension is{};
    if (a->state->dims > 1) return answer(lda, strides[a->state->dims - 2]);
    return local(a, 1, k, is) ? answer(lda, below(*a->state, k, is) + owned_count(is) + above(*a->state, k, is)) : failure;
}

int xmp_array_lead_dim(xmp_desc_t d, int size[]) {
    auto const* const a = array_of(d);
    if (!a || !a->state->array || !size) return failure;
    std::int64_t strides[most_dims] = {};
    if (sode_array_view(a->state->array, nullptr, strides, nullptr, nullptr) != SODE_OK) return failure;
    std::size_t k = 0;
    sode_dimension is{};
    if (!local(a, 1, k, is)) return failure;
    size[0] = static_cast<int>(below(*a->state, k, is) + owned_count(is) + above(*a->state, k, is));
    for (int n = 1; n < a->state->dims; ++n) size[n] = static_cast<int>(strides[n - 1] / strides[n]);
    return 0;
}

// NOLINTNEXTLINE(readability-non-const-parameter): as the specification has it
int xmp_array_gtol(xmp_desc_t d, int g_idx[], int l_idx[]) {
    auto const* const a = array_of(d);
    if (!a || !a->state->grid || !g_idx || !l_idx) return failure;
    auto const& s = *a->state;
    for (int n = 0; n < s.dims; ++n) {
        std::size_t k = 0;
        sode_dimension is{};
        if (!local(a, n + 1, k, is)) return failure;
        auto const i = static_cast<std::int64_t>(g_idx[n]);
        if (i < 0 || i >= is.extent || !owned(is, i)) return failure;
        l_idx[n] = static_cast<int>(is.chunk > 0 ? sode_xmp_place(a, n, i) : i - is.lower + below(s, k, is));
    }
    return 0;
}

void xmp_gtol(xmp_desc_t d, int g_idx[], int l_idx[]) {
    (void)xmp_array_gtol(d, g_idx, l_idx);
}

} // extern "C"
