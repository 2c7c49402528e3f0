// SPDX-License-Identifier: Apache-2.0
// What kernels that wait for each other need of a GPU and its driver, and what only a GPU can show. Two ranks, threads of this
// process, share the device. Each check has a name; one that fails says why. Nothing is measured.
//
//     gmpi_checks [--deadline SECONDS] [--json FILE] [--html FILE]
#include "named_checks.hpp"

#include <sode/gmpi.hpp>
#include <sode/sode.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using gmpi::code;

struct meets {
    template <class Thread> SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, int* failed) const {
        if (t.block_rank() == 0 && gmpi::barrier(t.block(), ctx) != code::ok) *failed = 1;
    }
};

struct counts_others {
    template <class Thread> SODE_GPU void operator()(Thread const& t, long long const* of, long long n, int* found) const {
        for (long long i = t.thread_rank(); i < n; i += t.threads())
            if (of[i] != 0) *found = 1;
    }
};

struct fills {
    template <class Thread> SODE_GPU void operator()(Thread const& t, long long* of, long long n) const {
        for (long long i = t.thread_rank(); i < n; i += t.threads()) of[i] = -1;
    }
};

/// Where the two ranks stand: the second one acts while kernels or queues of the first one wait for it.
struct progress_of_first {
    std::atomic<int> stands{0};
    void reach(int where) { stands = where; }
    void await(int where) const {
        while (stands < where) std::this_thread::yield();
    }
};
progress_of_first& first_rank() {
    static progress_of_first one;
    return one;
}

class checks {
public:
    checks(sode::runtime& rt, bench::keep_results<bench::checked> keep)
        : rt_(rt), all_{rt, std::string{gmpi::context{rt}.of_device().name()}, std::move(keep)}, grid_{rt, {64}} {}

    bench::checked run() {
        check("kernels of two ranks run at the same time", [&] { meet([] {}); });
        check("memory that is used again is zero when a kernel sees it", [&] { memory_is_zero(); });
        check("memory can be allocated and released while a kernel waits", [&] {
            meet([&] {
                for (std::size_t i = 0; i < 20; ++i) {
                    auto const some = ctx_->allocate<long long>(1000 + i);
                    auto const shared = ctx_->allocate_mapped<long long>(1000 + i);
                    sode::stream const another{rt_};
                }
            });
        });
        check("queues that wait do not hold up others", [&] { many_queues(); });
        check("a queue takes much work ahead", [&] { far_ahead(); });
        return all_.found();
    }

private:
    // A context of its own: one whose kernel has waited in vain is of no use to the checks that follow.
    void check(char const* name, std::function<void()> const& what) {
        all_.check(name, [&] {
            ctx_ = std::make_unique<gmpi::context>(rt_, gmpi::options{.deadline = rt_.arg("--deadline", 0.0)});
            failed_ = ctx_->allocate_mapped<int>(1);
            what();
        });
    }
    static void must(bool holds, char const* why) { bench::named_checks::must(holds, why); }

    // The kernel of rank 0 waits for that of rank 1, which does something before it launches.
    void meet(std::function<void()> const& before) {
        rt_.barrier();
        if (rt_.rank() == 1) {
            std::this_thread::sleep_for(std::chrono::milliseconds{100});
            before();
        }
        gmpi::launch(*ctx_, {.blocks = 2, .threads = 64}, meets{}, ctx_->device_handle(), failed_.get()).wait();
        must(failed_[0] == 0, "a kernel waited longer than the deadline");
    }
    void memory_is_zero() {
        constexpr long long n = 1 << 18;
        for (int i = 0; i < 20; ++i) {
            auto const block = ctx_->allocate<long long>(n);
            gmpi::launch(*ctx_, {.blocks = 1, .threads = 256}, counts_others{}, block.get(), n, failed_.get()).wait();
            gmpi::launch(*ctx_, {.blocks = 1, .threads = 256}, fills{}, block.get(), n).wait();
        }
        must(failed_[0] == 0, "a kernel saw what was there before");
    }
    // Exchanges that wait for the other rank, in queues of their own, before that begins with the last of them.
    void many_queues() {
        constexpr int most = 12;
        using field = sode::array<double, 1, sode::device>;
        std::vector<field> fields;
        std::vector<sode::reflection> halos;
        std::vector<sode::stream> streams;
        for (int i = 0; i < most; ++i) fields.emplace_back(grid_, sode::shadow{1});
        for (int i = 0; i < most; ++i) {
            halos.push_back(sode::reflect_init(fields[static_cast<std::size_t>(i)]));
            streams.emplace_back(rt_);
        }
        rt_.barrier();
        for (int k = 0; k < most; ++k) {
            auto const i = static_cast<std::size_t>(rt_.rank() == 0 ? k : most - 1 - k);
            halos[i].enqueue(streams[i]);
        }
        for (auto& s : streams) s.synchronize();
    }
    void far_ahead() {
        constexpr int steps = 3000, begun = 20;
        sode::buffered<double, 1, sode::device> u{grid_, sode::shadow{1}};
        auto halo = sode::reflect_init(u);
        sode::stream s{rt_};
        rt_.barrier();
        if (rt_.rank() == 1) first_rank().await(begun);
        for (int t = 0; t < steps; ++t, u.flip()) {
            halo.enqueue(s);
            if (rt_.rank() == 0) first_rank().reach(t);
        }
        s.synchronize();
    }

    sode::runtime& rt_;
    bench::named_checks all_;
    std::unique_ptr<gmpi::context> ctx_;
    std::shared_ptr<int[]> failed_;
    sode::grid<1> grid_;
};

} // namespace

int main(int argc, char** argv) {
    return bench::two_ranks<bench::checked>(argc, argv, [](sode::runtime& rt, auto const& keep) { return checks{rt, keep}.run(); });
}
