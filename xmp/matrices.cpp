// SPDX-License-Identifier: Apache-2.0
// xmp_transpose, xmp_matmul.
#include "elements.hpp"
#include "process.hpp"
#include "shares.hpp"

#include <complex>

namespace sode::xmp {
namespace {

void copy_all(char const* at, sode_runtime* job, sode_array* to, sode_array* from) {
    sode_collective* copy = nullptr;
    check(at, sode_copy_init(to, nullptr, from, nullptr, &copy), job);
    run_once(at, job, copy);
}

sode_xmp_array_state& matrix(char const* at, xmp_desc_t descriptor) {
    elements const e{at, descriptor};
    if (e.state().dims != 2)
        fail(at, "array \"" + e.state().name + "\" has " + std::to_string(e.state().dims) + " dimensions",
             "pass a matrix, which has 2 dimensions");
    return e.state();
}

void require_product(char const* at, sode_xmp_array_state const& x, sode_xmp_array_state const& a, sode_xmp_array_state const& b) {
    if (x.type != a.type || x.type != b.type)
        fail(at, "the matrices have elements of different types", "declare them with the same type");
    if (x.job != a.job || x.job != b.job)
        fail(at, "the matrices are on different sets of ranks", "use one set of nodes for all matrices");
    require_made_by_caller(at, x);
    if (x.extents[0] != a.extents[0] || x.extents[1] != b.extents[1] || a.extents[1] != b.extents[0])
        fail(at, "the shapes of the matrices do not match", "use shapes as in x[m][n] = a[m][k] b[k][n]");
}

// A copy of `from`, of which every node has the rows (along 0) or the columns (along 1) that it has of x, and all of the rest.
struct strip {
    sode_grid* grid = nullptr;
    sode_array* array = nullptr;
    char* first = nullptr;
    std::int64_t strides[2] = {};

    strip(char const* at, sode_xmp_array_state const& x, sode_xmp_array_state const& from, std::size_t along) {
        int targets[2] = {-1, -1};
        int64_t offsets[2] = {};
        targets[along] = x.targets[along];
        offsets[along] = x.offsets[along];
        check(at, sode_grid_align(x.along->grid, 2, from.extents.data(), targets, offsets, &grid), x.job);
        check(at, sode_array_create(grid, from.type, nullptr, "a strip of a matrix", &array), x.job);
        copy_all(at, x.job, array, from.array);
        void* origin = nullptr;
        std::int64_t lower[2] = {};
        check(at, sode_array_view(array, &origin, strides, lower, nullptr), x.job);
        if (origin)
            first = static_cast<char*>(origin) +
                    (lower[0] * strides[0] + lower[1] * strides[1]) * static_cast<std::int64_t>(from.type >> 8);
    }
    strip(strip const&) = delete;
    strip& operator=(strip const&) = delete;
    ~strip() {
        sode_array_destroy(array);
        sode_grid_destroy(grid);
    }
};

// How many of a dimension this rank owns, and where they begin.
struct extent {
    std::int64_t from = 0, count = 0;
};
extent extent_of(char const* at, sode_xmp_array const& array, int dim) {
    auto const& s = *array.state;
    sode_dimension is{};
    check(at, sode_grid_dimension(s.grid, dim, &is), s.job);
    return {is.chunk == 0 ? is.lower : 0, owned_count(is)};
}

template <class T> void multiply(char const* at, sode_xmp_array const& x, strip const& a, strip const& b, std::int64_t inner) {
    using wide = std::conditional_t<std::is_integral_v<T> && sizeof(T) < sizeof(int), unsigned, T>;
    auto const rows = extent_of(at, x, 0), columns = extent_of(at, x, 1);
    if (rows.count == 0 || columns.count == 0) return;
    std::int64_t strides[2] = {};
    check(at, sode_array_view(x.state->array, nullptr, strides, nullptr, nullptr), x.state->job);
    auto* const base = static_cast<T*>(x.base) + rows.from * strides[0] + columns.from * strides[1];
    for (std::int64_t i = 0; i < rows.count; ++i) {
        auto* const line = base + i * strides[0];
        for (std::int64_t j = 0; j < columns.count; ++j) line[j] = T{};
        for (std::int64_t k = 0; k < inner; ++k) {
            T const factor = reinterpret_cast<T const*>(a.first)[i * a.strides[0] + k * a.strides[1]];
            auto const* const other = reinterpret_cast<T const*>(b.first) + k * b.strides[0];
            for (std::int64_t j = 0; j < columns.count; ++j)
                line[j] = static_cast<T>(wide(line[j]) + wide(factor) * wide(other[j]));
        }
    }
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void xmp_transpose(xmp_desc_t x, xmp_desc_t a, int opt) {
    (void)opt; // a stays as it is in any case, which 1 allows and 0 demands
    constexpr auto at = "xmp_transpose()";
    all_written(at, x);
    auto const &to = matrix(at, x), &from = matrix(at, a);
    if (&to == &from) fail(at, "a matrix is transposed into itself", "use another matrix for the result");
    if (to.type != from.type) fail(at, "the matrices have elements of different types", "declare them with the same type");
    if (to.extents[0] != from.extents[1] || to.extents[1] != from.extents[0])
        fail(at, "the shapes of the matrices do not match", "use shapes as in x[m][n] and a[n][m]");
    // The same memory with its dimensions exchanged.
    std::int64_t strides[2] = {};
    check(at, sode_array_view(from.array, nullptr, strides, nullptr, nullptr), from.job);
    int64_t const extents[2] = {from.extents[1], from.extents[0]}, offsets[2] = {from.offsets[1], from.offsets[0]};
    int64_t const turned[2] = {strides[1], strides[0]};
    int64_t const shadow[4] = {from.shadow[2], from.shadow[3], from.shadow[0], from.shadow[1]};
    int const targets[2] = {from.targets[1], from.targets[0]};
    sode_grid* grid = nullptr;
    sode_array* view = nullptr;
    check(at, sode_grid_align(from.along->grid, 2, extents, targets, offsets, &grid), from.job);
    check(at, sode_array_attach(grid, from.first, from.type, turned, shadow, "a transposed matrix", &view), from.job);
    copy_all(at, to.job, to.array, view);
    sode_array_destroy(view);
    sode_grid_destroy(grid);
}

void xmp_matmul(xmp_desc_t x, xmp_desc_t a, xmp_desc_t b) {
    constexpr auto at = "xmp_matmul()";
    all_written(at, x);
    auto const &to = matrix(at, x), &left = matrix(at, a), &right = matrix(at, b);
    require_product(at, to, left, right);
    strip const rows{at, to, left, 0}, columns{at, to, right, 1};
    auto const& result = *array_of(x);
    auto const inner = left.extents[1];
    switch (to.type) {
    case SODE_FLOAT: return multiply<float>(at, result, rows, columns, inner);
    case SODE_DOUBLE: return multiply<double>(at, result, rows, columns, inner);
    case SODE_LONG_DOUBLE: return multiply<long double>(at, result, rows, columns, inner);
    case SODE_FLOAT_COMPLEX: return multiply<std::complex<float>>(at, result, rows, columns, inner);
    case SODE_DOUBLE_COMPLEX: return multiply<std::complex<double>>(at, result, rows, columns, inner);
    case SODE_INT8:
    case SODE_UINT8: return multiply<std::uint8_t>(at, result, rows, columns, inner);
    case SODE_INT16:
    case SODE_UINT16: return multiply<std::uint16_t>(at, result, rows, columns, inner);
    case SODE_INT32:
    case SODE_UINT32: return multiply<std::uint32_t>(at, result, rows, columns, inner);
    case SODE_INT64:
    case SODE_UINT64: return multiply<std::uint64_t>(at, result, rows, columns, inner);
    default: fail(at, "elements of matrix \"" + to.name + "\" are not numbers", "pass matrices of numbers");
    }
}

} // extern "C"
