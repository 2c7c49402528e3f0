// SPDX-License-Identifier: Apache-2.0
// The Himeno benchmark (R. Himeno, RIKEN) in one kernel for all steps: it exchanges its outermost planes with other ranks itself,
// computes the planes between them meanwhile, and adds up what all ranks have changed. Compare ../himeno.cpp.
//
//     sode run -n 4 ./himeno_gpu -i 64 -j 64 -k 128 -s 10
#include <sode/error.hpp>
#include <sode/gmpi.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

using gmpi::code;

/// This rank's planes 1 to `planes` of the grid, with one of each neighbour around them, or what stays as it is at its ends.
struct flow {
    float *now, *next;        // the pressure
    float *a, *b, *c;         // 4, 3 and 3 coefficients, one array behind the other
    float *boundary, *source; // bnd and wrk1
    long planes, rows, columns;

    [[nodiscard]] SODE_GPU long plane() const { return rows * columns; }
    [[nodiscard]] SODE_GPU long all() const { return (planes + 2) * plane(); }
};

struct jacobi {
    int steps;
    bool is_first, is_last; // of the ranks

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, flow f, double* sums, double* gosa, int* failed) const {
        auto const block = t.block();
        bool const speaks = t.block_rank() == 0; // one block asks for messages on behalf of all
        gmpi::request requests[4];
        double mine = 0;
        for (int s = 0; s < steps; ++s) {
            std::uint32_t n = 0;
            mine = 0;
            if (speaks) {
                gmpi::release(block, ctx); // once for all that follows
                auto const plane = static_cast<gmpi::word>(f.plane());
                float* const last = f.now + f.planes * f.plane();
                if (!is_first) {
                    requests[n++] = gmpi::irecv(block, ctx, f.now, plane, ctx.rank - 1, s, gmpi::released());
                    requests[n++] = gmpi::isend(block, ctx, f.now + f.plane(), plane, ctx.rank - 1, s, gmpi::released());
                }
                if (!is_last) {
                    requests[n++] = gmpi::irecv(block, ctx, last + f.plane(), plane, ctx.rank + 1, s, gmpi::released());
                    requests[n++] = gmpi::isend(block, ctx, last, plane, ctx.rank + 1, s, gmpi::released());
                }
            }
            mine += relax(t, f, 2, f.planes);
            if (speaks && gmpi::waitall(block, ctx, requests, n) != code::ok && block.thread_rank() == 0) *failed = 1;
            t.grid().sync();
            if (*failed != 0) return; // all blocks see the same: nobody writes it between here and the next sync()
            mine += relax(t, f, 1, 2);
            if (f.planes > 1) mine += relax(t, f, f.planes, f.planes + 1);
            t.grid().sync();
            float* const before = f.now;
            f.now = f.next;
            f.next = before;
        }
        // Of the last step, as every step of the benchmark has it: of threads, then of ranks.
        sums[t.block_rank() * block.size() + block.thread_rank()] = mine;
        t.grid().sync();
        if (!speaks) return;
        if (block.thread_rank() == 0) {
            gosa[0] = 0;
            for (std::uint32_t i = 0; i < t.blocks() * block.size(); ++i) gosa[0] += sums[i];
        }
        if (gmpi::allreduce(block, ctx, gosa, gosa + 1, 1, gmpi::sum_of{}) != code::ok && block.thread_rank() == 0) *failed = 1;
    }

    /// Planes `from` to `to` - 1: rows by blocks, points of a row by threads. \return the squares of what this thread has changed
    template <class Thread> SODE_GPU static double relax(Thread const& t, flow const& f, long from, long to) {
        auto const block = t.block();
        double squares = 0;
        long const inner = f.rows - 2, di = f.plane(), dj = f.columns;
        for (long r = t.block_rank(); r < (to - from) * inner; r += t.blocks()) {
            long const row = (from + r / inner) * di + (1 + r % inner) * dj;
            for (long k = 1 + static_cast<long>(block.thread_rank()); k < f.columns - 1; k += static_cast<long>(block.size())) {
                float const* const p = f.now + row + k;
                long const at = row + k, all = f.all();
                float const s = f.a[at] * p[di] + f.a[all + at] * p[dj] + f.a[2 * all + at] * p[1] +
                                f.b[at] * (p[di + dj] - p[di - dj] - p[dj - di] + p[-di - dj]) +
                                f.b[all + at] * (p[dj + 1] - p[1 - dj] - p[dj - 1] + p[-dj - 1]) +
                                f.b[2 * all + at] * (p[di + 1] - p[1 - di] - p[di - 1] + p[-di - 1]) + f.c[at] * p[-di] +
                                f.c[all + at] * p[-dj] + f.c[2 * all + at] * p[-1] + f.source[at];
                float const change = (s * f.a[3 * all + at] - p[0]) * f.boundary[at];
                f.next[at] = p[0] + 0.8F * change;
                squares += static_cast<double>(change * change);
            }
        }
        return squares;
    }
};

/// Memory of the device with these values.
std::shared_ptr<float[]> filled(gmpi::context& ctx, std::vector<float> const& values) {
    auto all = ctx.allocate<float>(values.size());
    ctx.of_device().write(reinterpret_cast<std::byte*>(all.get()), values.data(), values.size() * sizeof(float));
    return all;
}

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    long const ni = rt.arg("-i", 64), nj = rt.arg("-j", 64), nk = rt.arg("-k", 128);
    int const steps = rt.arg("-s", 10);
    auto const blocks = static_cast<std::uint32_t>(rt.arg("--blocks", 2)),
               threads = static_cast<std::uint32_t>(rt.arg("--threads", 4));
    // Planes that change are dealt out; those at both ends are the halos of the first rank and of the last.
    long const first = (ni - 2) * rt.rank() / rt.size(), last = (ni - 2) * (rt.rank() + 1) / rt.size();
    if (last - first < 1 || nj < 3 || nk < 3)
        throw sode::error{sode::error_kind::usage, "the grid is too small", "each rank needs a plane of points that change",
                          "use a greater -i, or fewer ranks"};

    gmpi::context ctx{rt, {.deadline = 100}};
    auto const plane = static_cast<std::size_t>(nj * nk), size = static_cast<std::size_t>(last - first + 2) * plane;
    std::vector<float> pressure(size), a(4 * size, 1.F);
    for (std::size_t n = 0; n < size; ++n) {
        long const i = first + static_cast<long>(n / plane);
        pressure[n] = static_cast<float>(i * i) / static_cast<float>((ni - 1) * (ni - 1));
    }
    std::fill_n(a.begin() + static_cast<std::ptrdiff_t>(3 * size), size, 1.F / 6);
    auto const now = filled(ctx, pressure), next = filled(ctx, pressure), of_a = filled(ctx, a),
               of_b = filled(ctx, std::vector<float>(3 * size, 0.F)), of_c = filled(ctx, std::vector<float>(3 * size, 1.F)),
               boundary = filled(ctx, std::vector<float>(size, 1.F)), source = filled(ctx, std::vector<float>(size, 0.F));
    auto const sums = ctx.allocate<double>(std::size_t{blocks} * threads), gosa = ctx.allocate<double>(2);
    auto const failed = ctx.allocate_mapped<int>(1);

    flow const f{now.get(), next.get(), of_a.get(), of_b.get(), of_c.get(), boundary.get(), source.get(), last - first, nj, nk};
    jacobi const kernel{steps, rt.rank() == 0, rt.rank() == rt.size() - 1};
    auto const begun = std::chrono::steady_clock::now();
    gmpi::launch(ctx, {.blocks = blocks, .threads = threads}, kernel, ctx.device_handle(), f, sums.get(), gosa.get(), failed.get())
        .wait();
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();

    // A number that changes with any bit of the pressure, however many ranks there are.
    auto const result = ctx.allocate_mapped<float>(size);
    double change = 0;
    ctx.of_device().write(reinterpret_cast<std::byte*>(result.get()), steps % 2 == 0 ? now.get() : next.get(),
                          size * sizeof(float));
    ctx.of_device().write(reinterpret_cast<std::byte*>(&change), gosa.get(), sizeof change);
    std::uint64_t sum = 0;
    std::span const points{result.get(), size};
    for (std::size_t n = plane; n < size - plane; ++n)
        sum += std::bit_cast<std::uint32_t>(points[n]) * (static_cast<std::uint64_t>(first) * plane + n);
    std::printf("rank %d: planes %ld to %ld, gosa %.9e, pressure %016llx\n", rt.rank(), first + 1, last, change,
                static_cast<unsigned long long>(sum));
    if (rt.root()) std::printf("%s\n%.3f ms a step\n", ctx.describe().c_str(), 1e3 * seconds / std::max(steps, 1));
    return failed[0];
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
