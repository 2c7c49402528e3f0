// SPDX-License-Identifier: Apache-2.0
// NPB EP by kernels: pairs of random numbers that are accepted become pairs of normal deviates, which are counted in rings around 0
// and summed up over all ranks: by the kernel itself, or by the host once the kernel has ended.
//
//     sode run -n 4 ./gmpi_npb_ep --class S            or --together 2: two ranks in this process
#include "npb.hpp"

#include <array>
#include <span>

namespace {

using gmpi::code;

struct problem_class {
    char name;
    int power; ///< 2^power pairs
    double sum_x, sum_y;
};
constexpr std::array classes{problem_class{'S', 24, -3.247834652034740e+3, -6.958407078382297e+3},
                             problem_class{'W', 25, -2.863319731645753e+3, -6.320053679109499e+3},
                             problem_class{'A', 28, -4.295875165629892e+3, -1.580732573678431e+4}};

constexpr int rings = 10, values = rings + 2; // then the sums of x and of y

/// `sums` has room for `values` of each thread, `total` for those of the rank and as many to receive in.
struct deviates {
    int power;
    bool adds_over_ranks;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, double* sums, double* total, int* failed) const {
        auto const block = t.block();
        auto const threads = std::uint64_t{t.blocks()} * block.size();
        auto const me = std::uint64_t{t.block_rank()} * block.size() + block.thread_rank();
        double mine[values] = {};
        constexpr int batch_power = 10;
        auto const batches = std::uint64_t{1} << (power - batch_power);
        auto const size = static_cast<std::uint64_t>(ctx.size);
        for (auto b = me * size + static_cast<std::uint64_t>(ctx.rank); b < batches; b += threads * size)
            add_batch(b, batch_power, mine);
        for (int i = 0; i < values; ++i) sums[me * values + static_cast<std::uint64_t>(i)] = mine[i];
        t.grid().sync();
        if (t.block_rank() != 0) return;
        for (auto i = block.thread_rank(); i < values; i += block.size()) {
            total[i] = 0;
            for (std::uint64_t k = 0; k < threads; ++k) total[i] += sums[k * values + i];
        }
        block.sync();
        if (adds_over_ranks && gmpi::allreduce(block, ctx, total, total + values, values, gmpi::sum_of{}) != code::ok &&
            block.thread_rank() == 0)
            *failed = 1;
    }

    static SODE_GPU void add_batch(std::uint64_t number, int batch_power, double* mine) {
        constexpr std::uint64_t seed = 271828183;
        auto const pairs = std::uint64_t{1} << batch_power;
        npb::random_numbers random{npb::random_numbers::ahead(seed, 2 * pairs * number)};
        for (std::uint64_t n = 0; n < pairs; ++n) {
            double const x = 2 * random.next() - 1, y = 2 * random.next() - 1, s = x * x + y * y;
            if (s > 1) continue;
            double const scale = sqrt(-2 * log(s) / s), gx = x * scale, gy = y * scale;
            double const ax = gx < 0 ? -gx : gx, ay = gy < 0 ? -gy : gy;
            mine[static_cast<int>(ax > ay ? ax : ay)] += 1;
            mine[rings] += gx;
            mine[rings + 1] += gy;
        }
    }
};

npb::outcome solve(sode::runtime& rt) {
    auto const& of = npb::wanted_class(rt, classes);
    gmpi::context ctx{rt, npb::options_of(rt)};
    auto const shape = npb::shape_for(rt, ctx, {64, 128});
    auto const sums = ctx.allocate<double>(std::size_t{shape.blocks} * shape.threads * values);
    auto const total = ctx.allocate<double>(std::size_t{2} * values);
    auto const failed = ctx.allocate_mapped<int>(1);
    std::array<double, values> by_kernel{}, part{}, by_host{};
    auto add = sode::allreduce_init(rt, std::span<double const>{part}, std::span<double>{by_host}, sode::sum);

    auto o = npb::outcome_of("EP class " + std::string{of.name}, ctx);
    o.in_kernel = npb::seconds_of(rt, [&] {
        gmpi::launch(ctx, shape, deviates{of.power, true}, ctx.device_handle(), sums.get(), total.get(), failed.get()).wait();
        npb::bring(ctx, by_kernel.data(), total.get(), values);
    });
    o.by_host = npb::seconds_of(rt, [&] {
        gmpi::launch(ctx, shape, deviates{of.power, false}, ctx.device_handle(), sums.get(), total.get(), failed.get()).wait();
        npb::bring(ctx, part.data(), total.get(), values);
        add();
    });
    constexpr double tolerance = 1e-8;
    o.right = failed[0] == 0;
    for (auto const& got : {by_kernel, by_host})
        o.right = o.right && npb::near(got[rings], of.sum_x, tolerance) && npb::near(got[rings + 1], of.sum_y, tolerance);
    char text[80];
    std::snprintf(text, sizeof text, "sums %.10e %.10e", by_kernel[rings], by_kernel[rings + 1]);
    o.values = text;
    return o;
}

} // namespace

int main(int argc, char** argv) {
    return npb::run(argc, argv, solve);
}
