// SPDX-License-Identifier: Apache-2.0
// Laplace's equation on a plate by Jacobi steps, in one kernel for all steps: it exchanges the edges of its rows with other ranks
// itself, and computes the rows between them meanwhile.
//
//     sode run -n 4 ./laplace_gpu -n 256 -s 200
#include <sode/error.hpp>
#include <sode/gmpi.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

using gmpi::code;

/// This rank's rows 1 to `rows` of the plate, in two copies, with one row of each neighbour around them.
struct plate {
    double* now;
    double* next;
    long rows, columns;

    SODE_GPU double* row(double* of, long r) const { return of + r * columns; }
};

struct jacobi {
    int steps;
    bool is_first, is_last; // of the ranks: what lies beyond is the edge of the plate, which stays as it is

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, plate u, double* change, int* failed) const {
        auto const block = t.block();
        bool const speaks = t.block_rank() == 0; // one block asks for messages on behalf of all
        gmpi::request requests[4];
        for (int s = 0; s < steps; ++s) {
            std::uint32_t n = 0;
            if (speaks) {
                gmpi::release(block, ctx); // once for all that follows
                auto const rows = static_cast<gmpi::word>(u.columns);
                if (!is_first) {
                    requests[n++] = gmpi::irecv(block, ctx, u.row(u.now, 0), rows, ctx.rank - 1, s, gmpi::released());
                    requests[n++] = gmpi::isend(block, ctx, u.row(u.now, 1), rows, ctx.rank - 1, s, gmpi::released());
                }
                if (!is_last) {
                    requests[n++] = gmpi::irecv(block, ctx, u.row(u.now, u.rows + 1), rows, ctx.rank + 1, s, gmpi::released());
                    requests[n++] = gmpi::isend(block, ctx, u.row(u.now, u.rows), rows, ctx.rank + 1, s, gmpi::released());
                }
            }
            for (long r = 2 + t.block_rank(); r < u.rows; r += t.blocks()) relax(block, u, r);
            if (speaks && gmpi::waitall(block, ctx, requests, n) != code::ok && block.thread_rank() == 0) *failed = 1;
            t.grid().sync();
            if (*failed != 0) return; // all blocks see the same: nobody writes it between here and the next sync()
            if (t.block_rank() == 0) relax(block, u, 1);
            if (t.block_rank() == t.blocks() - 1 && u.rows > 1) relax(block, u, u.rows);
            t.grid().sync();
            double* const before = u.now;
            u.now = u.next;
            u.next = before;
        }
        block.sync();
        if (block.thread_rank() == 0) { // the greatest change of the last step
            double most = 0;
            for (long r = 1 + t.block_rank(); r <= u.rows; r += t.blocks())
                for (long c = 0; c < u.columns; ++c) most = fmax(most, fabs(u.row(u.now, r)[c] - u.row(u.next, r)[c]));
            change[t.block_rank()] = most;
        }
    }

    template <class Block> SODE_GPU static void relax(Block const& block, plate const& u, long r) {
        double const* const a = u.row(u.now, r);
        double const *const above = a - u.columns, *const below = a + u.columns;
        for (long c = 1 + static_cast<long>(block.thread_rank()); c < u.columns - 1; c += static_cast<long>(block.size()))
            u.row(u.next, r)[c] = 0.25 * (above[c] + below[c] + a[c - 1] + a[c + 1]);
    }
};

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    long const n = rt.arg("-n", 256);
    int const steps = rt.arg("-s", 200);
    auto const blocks = static_cast<std::uint32_t>(rt.arg("--blocks", 2)),
               threads = static_cast<std::uint32_t>(rt.arg("--threads", 4));
    long const first = (n - 2) * rt.rank() / rt.size(), last = (n - 2) * (rt.rank() + 1) / rt.size(); // of the rows that change
    if (last - first < 1)
        throw sode::error{sode::error_kind::usage, "the plate is too small", "each rank needs a row",
                          "use a greater -n, or fewer ranks"};

    gmpi::context ctx{rt};
    auto const bytes = static_cast<std::size_t>((last - first + 2) * n);
    std::vector<double> start(bytes, 0.0);
    if (rt.rank() == 0) std::fill_n(start.begin(), n, 1.0); // one hot edge
    auto const now = ctx.allocate<double>(bytes), next = ctx.allocate<double>(bytes);
    ctx.of_device().write(reinterpret_cast<std::byte*>(now.get()), start.data(), bytes * sizeof(double));
    ctx.of_device().write(reinterpret_cast<std::byte*>(next.get()), start.data(), bytes * sizeof(double));
    auto const change = ctx.allocate_mapped<double>(blocks);
    auto const failed = ctx.allocate_mapped<int>(1);

    plate const u{now.get(), next.get(), last - first, n};
    jacobi const kernel{steps, rt.rank() == 0, rt.rank() == rt.size() - 1};
    gmpi::launch(ctx, {.blocks = blocks, .threads = threads}, kernel, ctx.device_handle(), u, change.get(), failed.get()).wait();

    double const most = *std::max_element(change.get(), change.get() + blocks);
    std::printf("rank %d: rows %ld to %ld, greatest change of step %d: %.12e\n", rt.rank(), first + 1, last, steps, most);
    if (rt.root()) std::printf("%s\n", ctx.describe().c_str());
    return failed[0];
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
