// SPDX-License-Identifier: Apache-2.0
#include "loop.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace sode::internal::bench {

namespace {

/// Runs of doubles in an array: `outer` times `inner` runs.
struct face {
    int outer = 1, inner = 1, run = 1;
    std::ptrdiff_t outer_stride = 0, inner_stride = 0;
    std::ptrdiff_t out = 0, in = 0; ///< the first double that goes, and that comes
    std::size_t array = 0;          ///< doubles of the whole
    std::vector<int> list;          ///< of runs, if they are not regular
    MPI_Datatype goes = MPI_DATATYPE_NULL, comes = MPI_DATATYPE_NULL;

    template <class Visit> void each(std::ptrdiff_t first, Visit const& visit) const {
        for (int const at : list)
            for (int i = 0; i < run; ++i) visit(first + at + i);
        if (!list.empty()) return;
        for (int o = 0; o < outer; ++o)
            for (int n = 0; n < inner; ++n) {
                std::ptrdiff_t const at = first + o * outer_stride + n * inner_stride;
                for (int i = 0; i < run; ++i) visit(at + i);
            }
    }
    [[nodiscard]] int count() const { return (list.empty() ? outer * inner : static_cast<int>(list.size())) * run; }
};

constexpr int bytes_of_element = static_cast<int>(sizeof(double));

/// A column of a matrix, `width` wide.
face column(int bytes, int width) {
    constexpr int row = 34;
    int const rows = bytes / bytes_of_element / width;
    face f{1, rows, width, 0, row, width, 0, static_cast<std::size_t>(rows) * row + row, {}};
    MPI_Type_vector(rows, width, row, MPI_DOUBLE, &f.goes);
    MPI_Type_vector(rows, width, row, MPI_DOUBLE, &f.comes);
    return f;
}

/// A face of a box of 3 dimensions, of which `thin` is cut to `width`.
face of_box(int bytes, int thin, int width) {
    int const side = static_cast<int>(std::sqrt(bytes / bytes_of_element / width));
    std::array<int, 3> sizes{side, side, side}, subsizes{side, side, side}, out{}, in{};
    sizes[static_cast<std::size_t>(thin)] = 34;
    subsizes[static_cast<std::size_t>(thin)] = width;
    out[static_cast<std::size_t>(thin)] = width;
    face f;
    std::ptrdiff_t const row = sizes[2], plane = row * sizes[1];
    f.array = static_cast<std::size_t>(plane * sizes[0]);
    f.outer = subsizes[0], f.inner = subsizes[1], f.run = subsizes[2];
    f.outer_stride = plane, f.inner_stride = row;
    f.out = out[0] * plane + out[1] * row + out[2];
    MPI_Type_create_subarray(3, sizes.data(), subsizes.data(), out.data(), MPI_ORDER_C, MPI_DOUBLE, &f.goes);
    MPI_Type_create_subarray(3, sizes.data(), subsizes.data(), in.data(), MPI_ORDER_C, MPI_DOUBLE, &f.comes);
    return f;
}

/// Particles of three numbers each, here and there in an array.
face particles(int bytes) {
    constexpr int numbers = 3, each = 7;
    int const n = bytes / bytes_of_element / numbers;
    face f;
    f.run = numbers;
    f.in = numbers;
    f.array = (static_cast<std::size_t>(n) + 1) * each * 2 + each;
    for (int i = 0, at = 0; i < n; ++i, at += each * (1 + i * i % 2)) f.list.push_back(at);
    MPI_Type_create_indexed_block(n, numbers, f.list.data(), MPI_DOUBLE, &f.goes);
    MPI_Type_create_indexed_block(n, numbers, f.list.data(), MPI_DOUBLE, &f.comes);
    return f;
}

/// The array, its neighbours, and what goes there.
struct halo {
    functions f;
    ring at;
    face shape;
    std::vector<double> array, packed_out, packed_in;
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm neighbours = MPI_COMM_NULL;
    int turns = 0;

    halo(functions const& with, ring const& where, face what) : f(with), at(where), shape(std::move(what)), array(shape.array) {
        MPI_Type_commit(&shape.goes);
        MPI_Type_commit(&shape.comes);
        packed_out.resize(static_cast<std::size_t>(shape.count()));
        packed_in.resize(packed_out.size());
    }
    ~halo() {
        for (auto& r : requests)
            if (r != MPI_REQUEST_NULL) f.Request_free(&r);
        if (neighbours != MPI_COMM_NULL) MPI_Comm_free(&neighbours);
        MPI_Type_free(&shape.goes);
        MPI_Type_free(&shape.comes);
    }
    halo(halo const&) = delete;
    halo& operator=(halo const&) = delete;
    halo(halo&&) = delete;
    halo& operator=(halo&&) = delete;

    [[nodiscard]] double* goes() { return regular() ? array.data() + shape.out : array.data(); }
    [[nodiscard]] double* comes() { return shape.list.empty() && !regular() ? array.data() : array.data() + shape.in; }
    /// A vector or a list begins where it is put; a subarray knows where it lies.
    [[nodiscard]] bool regular() const { return shape.outer == 1 && shape.outer_stride == 0; }
};

void by_isend(halo& h) {
    std::array<MPI_Request, 2> r{};
    h.f.Irecv(h.comes(), 1, h.shape.comes, h.at.left(), 8, h.at.comm, r.data());
    h.f.Isend(h.goes(), 1, h.shape.goes, h.at.right(), 8, h.at.comm, &r[1]);
    h.f.Waitall(2, r.data(), MPI_STATUSES_IGNORE);
}

void by_sendrecv(halo& h) {
    h.f.Sendrecv(h.goes(), 1, h.shape.goes, h.at.right(), 8, h.comes(), 1, h.shape.comes, h.at.left(), 8, h.at.comm,
                 MPI_STATUS_IGNORE);
}

void by_persistent(halo& h) {
    if (h.turns == 1) {
        h.f.Recv_init(h.comes(), 1, h.shape.comes, h.at.left(), 8, h.at.comm, h.requests.data());
        h.f.Send_init(h.goes(), 1, h.shape.goes, h.at.right(), 8, h.at.comm, &h.requests[1]);
    }
    h.f.Startall(2, h.requests.data());
    h.f.Waitall(2, h.requests.data(), MPI_STATUSES_IGNORE);
}

void by_alltoallw(halo& h) {
    if (h.neighbours == MPI_COMM_NULL) {
        int const from = h.at.left(), to = h.at.right();
        MPI_Dist_graph_create_adjacent(h.at.comm, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                       &h.neighbours);
    }
    int const one = 1;
    MPI_Aint const none = 0;
    h.f.Neighbor_alltoallw(h.goes(), &one, &none, &h.shape.goes, h.comes(), &one, &none, &h.shape.comes, h.neighbours);
}

void by_hand(halo& h) {
    std::array<MPI_Request, 2> r{};
    int const n = h.shape.count();
    h.f.Irecv(h.packed_in.data(), n, MPI_DOUBLE, h.at.left(), 8, h.at.comm, r.data());
    double* to = h.packed_out.data();
    h.shape.each(h.shape.out, [&](std::ptrdiff_t i) { *to++ = h.array[static_cast<std::size_t>(i)]; });
    h.f.Isend(h.packed_out.data(), n, MPI_DOUBLE, h.at.right(), 8, h.at.comm, &r[1]);
    h.f.Waitall(2, r.data(), MPI_STATUSES_IGNORE);
    double const* from = h.packed_in.data();
    h.shape.each(h.shape.in, [&](std::ptrdiff_t i) { h.array[static_cast<std::size_t>(i)] = *from++; });
}

template <class Exchange> loop of(std::string const& name, std::function<face(int)> const& shape, Exchange exchange) {
    constexpr int least = 1024;
    return {name, 1,
            [shape, exchange](functions const& f, ring const& at, int bytes) -> turn {
                auto const h = std::make_shared<halo>(f, at, shape(bytes));
                return [h, exchange] {
                    ++h->turns;
                    auto const value = [&](int rank) { return h->turns + 0.001 * rank; };
                    h->shape.each(h->shape.out,
                                  [&](std::ptrdiff_t i) { h->array[static_cast<std::size_t>(i)] = value(h->at.rank); });
                    exchange(*h);
                    std::ptrdiff_t last = h->shape.in;
                    if (h->shape.list.empty())
                        last += (h->shape.outer - 1) * h->shape.outer_stride + (h->shape.inner - 1) * h->shape.inner_stride;
                    for (auto const i : {h->shape.in, last})
                        if (h->array[static_cast<std::size_t>(i)] != value(h->at.left())) throw std::runtime_error{"wrong halo"};
                };
            },
            least};
}

} // namespace

std::vector<loop> face_loops() {
    std::vector<std::pair<std::string, std::function<face(int)>>> const faces{
        {"column", [](int n) { return column(n, 1); }},    {"columns2", [](int n) { return column(n, 2); }},
        {"box_x", [](int n) { return of_box(n, 2, 1); }},  {"box_x2", [](int n) { return of_box(n, 2, 2); }},
        {"box_y", [](int n) { return of_box(n, 1, 1); }},  {"box_z", [](int n) { return of_box(n, 0, 1); }},
        {"particles", [](int n) { return particles(n); }},
    };
    std::vector<loop> all;
    for (auto const& [name, shape] : faces) {
        all.push_back(of(name + "_isend", shape, by_isend));
        all.push_back(of(name + "_sendrecv", shape, by_sendrecv));
        all.push_back(of(name + "_persistent", shape, by_persistent));
        all.push_back(of(name + "_alltoallw", shape, by_alltoallw));
        all.push_back(of(name + "_hand", shape, by_hand));
    }
    return all;
}

} // namespace sode::internal::bench
