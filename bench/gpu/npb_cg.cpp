// SPDX-License-Identifier: Apache-2.0
// NPB CG by kernels: the least eigenvalue of a sparse matrix by inverse iteration, each step of which is 25 steps of conjugate
// gradients. Rows are dealt out to ranks. One kernel for everything brings the vector together by sendrecv, and dot products by
// allreduce; or a kernel for each part of a step, and the host between them.
//
//     sode run -n 4 ./gmpi_npb_cg --class S            or --together 2: two ranks in this process
#include "npb_matrix.hpp"

#include <array>
#include <limits>
#include <span>

namespace {

using gmpi::code;

struct problem_class {
    char name;
    int n, nonzeros, steps;
    double shift, zeta;
};
constexpr std::array classes{problem_class{'S', 1400, 7, 15, 10, 8.5971775078648},
                             problem_class{'W', 7000, 8, 15, 12, 10.362595087124},
                             problem_class{'A', 14000, 11, 15, 20, 17.130235054029}};

constexpr int steps_of_gradients = 25;

SODE_GPU inline int first_row(int n, int rank, int size) {
    return static_cast<int>(static_cast<long>(n) * rank / size);
}

/// What a rank has on its device: its rows, and vectors of as many elements but for `p`, which has all.
struct share {
    int const *begins, *columns;
    double const* values;
    double *x, *z, *p, *q, *r;
    double* parts; ///< of sums, by thread
    double* sums;  ///< two dot products of the rank, and as many to receive in
    int n, first, rows;
};

/// The parts of a step, each for all threads of the grid: between two of them all meet.
enum class part {
    begin,    ///< z = 0, r = p = x; r.r
    multiply, ///< q = A p; p.q
    advance,  ///< z += a p, r -= a q; r.r
    turn,     ///< p = r + b p
    weigh,    ///< x.z and z.z
    renew     ///< x = c z
};

template <class Thread> struct worker {
    Thread const& t;
    share const& s;
    std::uint32_t me, all;

    SODE_GPU worker(Thread const& thread, share const& of)
        : t(thread), s(of), me(t.block_rank() * t.block().size() + t.block().thread_rank()), all(t.blocks() * t.block().size()) {}

    template <class F> SODE_GPU void each(F const& f) const {
        for (int i = static_cast<int>(me); i < s.rows; i += static_cast<int>(all)) f(i);
    }
    /// What this thread adds to two sums.
    SODE_GPU void tell(double one, double two) const {
        s.parts[2 * me] = one;
        s.parts[2 * me + 1] = two;
    }
    SODE_GPU void run(part which, double factor) const {
        double one = 0, two = 0;
        double* const own = s.p + s.first;
        switch (which) {
        case part::begin:
            each([&](int i) {
                s.z[i] = 0;
                s.r[i] = own[i] = s.x[i];
                one += s.x[i] * s.x[i];
            });
            break;
        case part::multiply:
            each([&](int i) {
                double sum = 0;
                for (int k = s.begins[i]; k < s.begins[i + 1]; ++k) sum += s.values[k] * s.p[s.columns[k]];
                s.q[i] = sum;
                one += own[i] * sum;
            });
            break;
        case part::advance:
            each([&](int i) {
                s.z[i] += factor * own[i];
                s.r[i] -= factor * s.q[i];
                one += s.r[i] * s.r[i];
            });
            break;
        case part::turn: each([&](int i) { own[i] = s.r[i] + factor * own[i]; }); break;
        case part::weigh:
            each([&](int i) {
                one += s.x[i] * s.z[i];
                two += s.z[i] * s.z[i];
            });
            break;
        case part::renew: each([&](int i) { s.x[i] = factor * s.z[i]; }); break;
        }
        tell(one, two);
    }
    /// Block 0: the sums of this rank.
    template <class Block> SODE_GPU void sum_up(Block const& block) const {
        for (auto k = block.thread_rank(); k < 2; k += block.size()) {
            s.sums[k] = 0;
            for (std::uint32_t i = 0; i < all; ++i) s.sums[k] += s.parts[2 * i + k];
        }
        block.sync();
    }
};

/// One kernel for all.
struct whole_problem {
    int steps;
    double shift;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, share s, double* zeta, int* failed) const {
        worker<Thread> const w{t, s};
        for (int step = 0; step < steps; ++step) {
            double rho = dot(w, ctx, part::begin, 0, failed);
            for (int k = 0; k < steps_of_gradients; ++k) {
                bring_together(w, ctx, failed);
                double const alpha = rho / dot(w, ctx, part::multiply, 0, failed), before = rho;
                rho = dot(w, ctx, part::advance, alpha, failed);
                if (rho != rho) return; // all threads have read the same
                w.run(part::turn, rho / before);
                t.grid().sync();
            }
            double const xz = dot(w, ctx, part::weigh, 0, failed), zz = s.sums[1];
            w.run(part::renew, 1 / sqrt(zz));
            if (w.me == 0) *zeta = shift + 1 / xz;
            t.grid().sync();
        }
    }
    template <class Thread>
    SODE_GPU static double dot(worker<Thread> const& w, gmpi::device_handle const& ctx, part which, double factor, int* failed) {
        w.run(which, factor);
        w.t.grid().sync();
        if (w.t.block_rank() == 0) {
            auto const block = w.t.block();
            w.sum_up(block);
            if (gmpi::allreduce(block, ctx, w.s.sums, w.s.sums + 2, 2, gmpi::sum_of{}) != code::ok && block.thread_rank() == 0) {
                *failed = 1;
                w.s.sums[0] = std::numeric_limits<double>::quiet_NaN(); // no number, so that all blocks end at the same place
            }
        }
        w.t.grid().sync();
        return w.s.sums[0];
    }
    /// All parts of p, from all ranks.
    template <class Thread>
    SODE_GPU static void bring_together(worker<Thread> const& w, gmpi::device_handle const& ctx, int* failed) {
        if (w.t.block_rank() == 0) {
            auto const block = w.t.block();
            auto const begins = [&](int rank) { return first_row(w.s.n, rank, ctx.size); };
            for (int away = 1; away < ctx.size; ++away) {
                int const to = (ctx.rank + away) % ctx.size, from = (ctx.rank + ctx.size - away) % ctx.size;
                auto const code =
                    gmpi::sendrecv(block, ctx, w.s.p + w.s.first, static_cast<gmpi::word>(w.s.rows), to, 0, w.s.p + begins(from),
                                   static_cast<gmpi::word>(begins(from + 1) - begins(from)), from, 0);
                if (code != gmpi::code::ok && block.thread_rank() == 0) *failed = 1;
            }
        }
        w.t.grid().sync();
    }
};

/// A part of a step, which the host asks for.
struct one_part {
    part which;
    double factor;

    template <class Thread> SODE_GPU void operator()(Thread const& t, share s) const {
        worker<Thread> const w{t, s};
        w.run(which, factor);
        t.grid().sync();
        if (t.block_rank() == 0) w.sum_up(t.block());
    }
};

/// The host's way: kernels end, and the host communicates.
class host_driven {
public:
    host_driven(sode::runtime& rt, gmpi::context& ctx, gmpi::launch_shape const& shape, share const& s)
        : rt_(rt), ctx_(ctx), shape_(shape), s_(s), own_(static_cast<std::size_t>(s.rows)), all_(static_cast<std::size_t>(s.n)),
          add_(sode::allreduce_init(rt, std::span<double const>{part_}, std::span<double>{sums_}, sode::sum)),
          gather_(sode::allgather_init(rt, sode::piece{std::span<double const>{own_}}, pieces())) {}

    double solve(int steps, double shift) {
        double zeta = 0;
        for (int step = 0; step < steps; ++step) {
            double rho = dot(part::begin, 0);
            for (int k = 0; k < steps_of_gradients; ++k) {
                npb::bring(ctx_, own_.data(), s_.p + s_.first, own_.size());
                gather_();
                npb::bring(ctx_, s_.p, all_.data(), all_.size());
                double const alpha = rho / dot(part::multiply, 0), before = rho;
                rho = dot(part::advance, alpha);
                gmpi::launch(ctx_, shape_, one_part{part::turn, rho / before}, s_).wait();
            }
            double const xz = dot(part::weigh, 0);
            zeta = shift + 1 / xz;
            gmpi::launch(ctx_, shape_, one_part{part::renew, 1 / std::sqrt(sums_[1])}, s_).wait();
        }
        return zeta;
    }

private:
    [[nodiscard]] std::vector<sode::piece> pieces() {
        std::vector<sode::piece> all;
        for (int r = 0; r < rt_.size(); ++r) {
            auto const from = first_row(s_.n, r, rt_.size()), to = first_row(s_.n, r + 1, rt_.size());
            all.emplace_back(std::span{all_}.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
        }
        return all;
    }
    double dot(part which, double factor) {
        gmpi::launch(ctx_, shape_, one_part{which, factor}, s_).wait();
        npb::bring(ctx_, part_.data(), s_.sums, part_.size());
        add_();
        return sums_[0];
    }

    sode::runtime& rt_;
    gmpi::context& ctx_;
    gmpi::launch_shape shape_;
    share s_;
    std::array<double, 2> part_{}, sums_{};
    std::vector<double> own_, all_;
    sode::planned add_;
    sode::exchange gather_;
};

template <class T> std::shared_ptr<T[]> on_device(gmpi::context& ctx, std::vector<T> const& values) {
    auto all = ctx.allocate<T>(values.size());
    npb::bring(ctx, all.get(), values.data(), values.size());
    return all;
}

npb::outcome solve(sode::runtime& rt) {
    auto const& of = npb::wanted_class(rt, classes);
    gmpi::context ctx{rt, npb::options_of(rt)};
    auto const shape = npb::shape_for(rt, ctx, {32, 128});
    int const first = first_row(of.n, rt.rank(), rt.size()), rows = first_row(of.n, rt.rank() + 1, rt.size()) - first;
    auto const m = npb::make_rows(of.n, of.nonzeros, of.shift, first, first + rows);
    auto const begins = on_device(ctx, m.begins), columns = on_device(ctx, m.columns);
    auto const values = on_device(ctx, m.values);
    auto const count = static_cast<std::size_t>(rows);
    std::vector<double> const ones(count, 1.0);
    auto const x = on_device(ctx, ones), z = ctx.allocate<double>(count), q = ctx.allocate<double>(count),
               r = ctx.allocate<double>(count), p = ctx.allocate<double>(static_cast<std::size_t>(of.n)),
               parts = ctx.allocate<double>(std::size_t{2} * shape.blocks * shape.threads), sums = ctx.allocate<double>(4);
    auto const zeta = ctx.allocate_mapped<double>(1);
    auto const failed = ctx.allocate_mapped<int>(1);
    share const s{begins.get(), columns.get(), values.get(), x.get(), z.get(), p.get(), q.get(),
                  r.get(),      parts.get(),   sums.get(),   of.n,    first,   rows};

    auto o = npb::outcome_of("CG class " + std::string{of.name}, ctx);
    o.in_kernel = npb::seconds_of(rt, [&] {
        gmpi::launch(ctx, shape, whole_problem{of.steps, of.shift}, ctx.device_handle(), s, zeta.get(), failed.get()).wait();
    });
    npb::bring(ctx, x.get(), ones.data(), count);
    host_driven host{rt, ctx, shape, s};
    double by_host = 0;
    o.by_host = npb::seconds_of(rt, [&] { by_host = host.solve(of.steps, of.shift); });
    constexpr double tolerance = 1e-10;
    o.right = failed[0] == 0 && npb::near(zeta[0], of.zeta, tolerance) && npb::near(by_host, of.zeta, tolerance);
    char text[60];
    std::snprintf(text, sizeof text, "zeta %.13f", zeta[0]);
    o.values = text;
    return o;
}

} // namespace

int main(int argc, char** argv) {
    return npb::run(argc, argv, solve);
}
