// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "npb.hpp"

#include <sode/datatype.hpp>
#include <sode/exchange.hpp>

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// Problems that are a list of steps: some compute, some communicate. One kernel runs the whole list; or the host starts a kernel
/// for each step that computes, and communicates between the kernels. Both run the same list on the same data.
///
/// A problem is a class that a kernel can copy. It has a `step`, with members `does` and `pattern`, and
///
///     compute(workers, step)                      for each thread
///     message_count(pattern), message_of(pattern, k): what leaves and what arrives
///     sums, results                               `added` doubles of this rank and room for as many; their sums over all ranks
namespace npb {

enum class deed {
    compute,
    communicate, ///< the messages of `pattern`
    add_up       ///< sums over all ranks, as result number `pattern`
};

/// To one rank and from one rank.
struct message {
    int to, from, tag;
    double const* given;
    std::size_t givens;
    double* got;
    std::size_t gots;
};

/// The first of `n` planes that a rank has. Rank `size` has those behind the last one.
SODE_GPU inline int first_of(int n, int rank, int size) {
    return static_cast<int>(static_cast<long>(n) * rank / size);
}

/// A thread, among all of a kernel.
template <class Thread> struct workers {
    Thread const& t;
    unsigned me, all;

    explicit SODE_GPU workers(Thread const& thread)
        : t(thread), me(t.block_rank() * t.block().size() + t.block().thread_rank()), all(t.blocks() * t.block().size()) {}

    template <class F> SODE_GPU void each(unsigned count, F const& f) const {
        for (unsigned i = me; i < count; i += all) f(i);
    }
};

/// Doubles that each thread has told, by thread, become sums of the rank.
template <int Added, class Thread> SODE_GPU void sum_of_threads(workers<Thread> const& w, double const* parts, double* sums) {
    if (w.t.block_rank() != 0) return;
    auto const block = w.t.block();
    for (auto k = block.thread_rank(); k < Added; k += block.size()) {
        sums[k] = 0;
        for (unsigned i = 0; i < w.all; ++i) sums[k] += parts[Added * i + k];
    }
}

template <class Problem> struct steps_by_kernel {
    using step = typename Problem::step;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, Problem problem, step const* steps, int count, int* stopped,
                             int* failed) const {
        workers<Thread> const w{t};
        for (int i = 0; i < count; ++i) {
            auto const& s = steps[i];
            if (s.does == deed::compute) {
                problem.compute(w, s);
            } else if (t.block_rank() == 0) {
                auto const block = t.block();
                if (communicate(block, ctx, problem, s) != gmpi::code::ok && block.thread_rank() == 0) {
                    *failed = 1;
                    *stopped = i + 1; // its number: a slow block must not stop at an earlier step than the others
                }
            }
            t.grid().sync();
            if (*stopped == i + 1) return;
        }
    }
    template <class Block>
    SODE_GPU static gmpi::code communicate(Block const& block, gmpi::device_handle const& ctx, Problem const& problem,
                                           step const& s) {
        if (s.does == deed::add_up) {
            auto const c = gmpi::allreduce(block, ctx, problem.sums, problem.sums + Problem::added, Problem::added, gmpi::sum_of{});
            for (auto k = block.thread_rank(); k < Problem::added; k += block.size())
                problem.results[Problem::added * s.pattern + static_cast<int>(k)] = problem.sums[k];
            return c;
        }
        // So many at a time. All ranks have their messages in the same order.
        constexpr int at_a_time = 16;
        gmpi::request requests[2 * at_a_time];
        for (int first = 0, count = problem.message_count(s.pattern); first < count; first += at_a_time) {
            int const n = count - first < at_a_time ? count - first : at_a_time;
            for (int k = 0; k < n; ++k) {
                auto const m = problem.message_of(s.pattern, first + k);
                requests[k] = gmpi::irecv(block, ctx, m.got, m.gots, m.from, m.tag);
            }
            for (int k = 0; k < n; ++k) {
                auto const m = problem.message_of(s.pattern, first + k);
                requests[n + k] = gmpi::isend(block, ctx, m.given, m.givens, m.to, m.tag);
            }
            if (auto const c = gmpi::waitall(block, ctx, requests, static_cast<std::uint32_t>(2 * n)); c != gmpi::code::ok)
                return c;
        }
        return gmpi::code::ok;
    }
};

template <class Problem> struct one_step {
    template <class Thread> SODE_GPU void operator()(Thread const& t, Problem problem, typename Problem::step s) const {
        problem.compute(workers<Thread>{t}, s);
    }
};

/// The host's way: each kernel ends, and the host copies, communicates, and copies.
template <class Problem> class steps_by_host {
public:
    using step = typename Problem::step;

    steps_by_host(sode::runtime& rt, gmpi::context& ctx, gmpi::launch_shape const& shape, Problem const& problem,
                  std::vector<step> const& steps)
        : rt_(rt), ctx_(ctx), shape_(shape), problem_(problem), steps_(steps), mine_(Problem::added), all_(Problem::added),
          add_(sode::allreduce_init(rt, std::span<double const>{mine_}, std::span<double>{all_}, sode::sum)) {
        for (auto const& s : steps_)
            if (s.does == deed::communicate && !patterns_.contains(s.pattern)) plan(s.pattern);
    }

    /// \return the results, one behind the other
    std::vector<double> run() {
        std::vector<double> results;
        for (auto const& s : steps_) {
            if (s.does == deed::compute) {
                gmpi::launch(ctx_, shape_, one_step<Problem>{}, problem_, s).wait();
            } else if (s.does == deed::communicate) {
                auto& p = *patterns_.at(s.pattern);
                for (auto const& m : p.given) bring(ctx_, m.on_host, m.on_device, m.count);
                (*p.exchange)();
                for (auto const& m : p.got) bring(ctx_, m.on_device, m.on_host, m.count);
            } else {
                bring(ctx_, mine_.data(), problem_.sums, mine_.size());
                add_();
                results.insert(results.end(), all_.begin(), all_.end());
            }
        }
        return results;
    }

private:
    struct copied {
        double *on_host, *on_device;
        std::size_t count;
    };
    struct pattern {
        std::vector<std::vector<double>> buffers;
        std::vector<copied> given, got;
        std::unique_ptr<sode::exchange> exchange;
    };

    void plan(int number) {
        auto p = std::make_unique<pattern>();
        std::vector<sode::message_end> ends;
        auto const bytes_of = [](std::size_t count) {
            return sode::datatype::contiguous(static_cast<std::ptrdiff_t>(count * sizeof(double)));
        };
        auto const buffer = [&](std::size_t count) { return p->buffers.emplace_back(count).data(); };
        for (int k = 0; k < problem_.message_count(number); ++k) {
            auto const m = problem_.message_of(number, k);
            p->given.push_back({buffer(m.givens), const_cast<double*>(m.given), m.givens});
            p->got.push_back({buffer(m.gots), m.got, m.gots});
            ends.push_back(sode::send_init(p->given.back().on_host, bytes_of(m.givens), m.to, m.tag));
            ends.push_back(sode::recv_init(p->got.back().on_host, bytes_of(m.gots), m.from, m.tag));
        }
        p->exchange = std::make_unique<sode::exchange>(sode::exchange_init(rt_, ends));
        patterns_.emplace(number, std::move(p));
    }

    sode::runtime& rt_;
    gmpi::context& ctx_;
    gmpi::launch_shape shape_;
    Problem problem_;
    std::vector<step> const& steps_;
    std::vector<double> mine_, all_;
    sode::planned add_;
    std::map<int, std::unique_ptr<pattern>> patterns_;
};

template <class T> std::shared_ptr<T[]> on_device(gmpi::context& ctx, std::vector<T> const& values) {
    auto all = ctx.allocate<T>(values.size());
    bring(ctx, all.get(), values.data(), values.size());
    return all;
}

/// Runs the list in both ways, each after begin(). `right`: whether results, one behind the other, are those of the report.
/// \return the results of the kernel
template <class Problem, class Right, class Begin>
std::vector<double> solve_in_both_ways(sode::runtime& rt, gmpi::context& ctx, gmpi::launch_shape const& shape,
                                       Problem const& problem, std::vector<typename Problem::step> const& steps,
                                       std::size_t results, Right const& right, Begin const& begin, outcome& o) {
    auto const list = on_device(ctx, steps);
    auto const stopped = ctx.allocate<int>(1), failed = ctx.allocate_mapped<int>(1);
    std::vector<double> by_kernel(results), by_host;
    begin();
    o.in_kernel = seconds_of(rt, [&] {
        gmpi::launch(ctx, shape, steps_by_kernel<Problem>{}, ctx.device_handle(), problem, list.get(),
                     static_cast<int>(steps.size()), stopped.get(), failed.get())
            .wait();
    });
    bring(ctx, by_kernel.data(), static_cast<double const*>(problem.results), results);
    steps_by_host<Problem> host{rt, ctx, shape, problem, steps};
    begin();
    o.by_host = seconds_of(rt, [&] { by_host = host.run(); });
    o.right = failed[0] == 0 && right(by_kernel) && right(by_host);
    return by_kernel;
}

} // namespace npb
