// SPDX-License-Identifier: Apache-2.0
// What communication from inside of kernels costs: a push, a message there and back in one hop and in two, with the words of
// requests in device memory, and with four rings; and the same begun by the host, whose kernels end at each message: by one copy,
// or staged in pinned memory, as MPI without CUDA needs it. And the halo of a cube of N^3 floats with corners, by one kernel or
// from the host. Two ranks, threads of this process, share the device. All data are checked.
//
//     gmpi_measure [-s THROWS] [-r REPEATS] [--most BYTES] [--by FACTOR] [--cube N] [--json FILE] [--html FILE]
#include "cube_exchange.hpp"
#include "two_ranks.hpp"

#include <sode/gmpi.hpp>
#include <sode/threads.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

using gmpi::code;
using clock_type = std::chrono::steady_clock;

double microseconds_since(clock_type::time_point began) {
    return std::chrono::duration<double, std::micro>(clock_type::now() - began).count();
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[v.size() / 2];
}

/// One thread raises a signal of its own rank, again and again, with a release for each `together` of them.
struct push {
    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, int count, int together, gmpi::word* ns) const {
        auto const one = t.thread();
        auto const began = one.platform().now();
        for (int i = 0; i < count; ++i) {
            if (i % together == 0) gmpi::release(one, ctx);
            if (gmpi::signal(one, ctx, 0, ctx.rank, gmpi::released()) != code::ok) return;
        }
        *ns = one.platform().now() - began;
    }
};

/// Rank 0 throws; rank 1 adds one to each element and throws back.
struct there_and_back {
    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, int* data, long n, int throws, int* wrong) const {
        auto const block = t.block();
        int const other = 1 - ctx.rank;
        auto const count = static_cast<gmpi::word>(n);
        for (int i = 0; i < throws; ++i) {
            if (ctx.rank == 0 && gmpi::send(block, ctx, data, count, other, 0) != code::ok) *wrong = 1;
            if (gmpi::recv(block, ctx, data, count, other, 0) != code::ok) *wrong = 1;
            for (long k = block.thread_rank(); k < n; k += block.size()) data[k] += 1;
            block.sync();
            if (ctx.rank == 1 && gmpi::send(block, ctx, data, count, other, 0) != code::ok) *wrong = 1;
        }
    }
};

/// What a kernel does between two messages of the host.
struct add_one {
    template <class Thread> SODE_GPU void operator()(Thread const& t, int* data, long n) const {
        auto const block = t.block();
        for (long k = block.thread_rank(); k < n; k += block.size()) data[k] += 1;
    }
};

/// All elements went to and fro so often: each throw adds 2.
struct are_right {
    template <class Thread> SODE_GPU void operator()(Thread const& t, int const* data, long n, int expected, int* wrong) const {
        auto const block = t.block();
        for (long k = block.thread_rank(); k < n; k += block.size())
            if (data[k] != expected) *wrong = 1;
    }
};

constexpr std::array ways{"one_hop", "two_hops", "words_on_device", "four_rings", "by_host", "staged_by_host"};
constexpr std::size_t by_host_way = 4, staged_way = 5;

struct row {
    long bytes;
    std::array<double, ways.size()> us{}; ///< there and back
};

/// One of the two ranks.
class player {
public:
    player(sode::runtime& rt, std::atomic<int*>* places, std::atomic<long>* turns)
        : rt_(rt), one_(rt), two_(rt, {.two_hops = true}), words_(rt, {.state_on_device = true}), rings_(rt, {.rings = 4}),
          places_(places), turns_(turns), wrong_(one_.allocate_mapped<int>(1)), ns_(one_.allocate_mapped<gmpi::word>(1)) {
        bool const on_gpu = std::string{one_.of_device().name()} == "CUDA";
        shape_ = {1, static_cast<std::uint32_t>(rt.arg("--threads", on_gpu ? 512 : 4))};
    }

    double push_ns(int count, int together, bool two_hops = false) {
        auto& ctx = two_hops ? two_ : one_;
        if (rt_.rank() == 0) gmpi::launch(ctx, {}, push{}, ctx.device_handle(), count, together, ns_.get()).wait();
        rt_.barrier();
        return static_cast<double>(ns_[0]) / count;
    }

    /// Large messages are thrown less often.
    row measure(long bytes, int most_throws, int repeats) {
        constexpr long large = 1 << 20;
        int const throws =
            std::max(2, static_cast<int>(most_throws * std::min(1.0, static_cast<double>(large) / static_cast<double>(bytes))));
        auto const n = bytes / static_cast<long>(sizeof(int));
        auto const data = one_.allocate<int>(static_cast<std::size_t>(n));
        std::array<std::vector<double>, ways.size()> times;
        std::array const contexts{&one_, &two_, &words_, &rings_};
        int thrown = 0;
        for (int r = 0; r < repeats; ++r)
            for (std::size_t way = 0; way < ways.size(); ++way) {
                rt_.barrier();
                auto const began = clock_type::now();
                if (way >= by_host_way)
                    by_host(data.get(), n, throws, way == staged_way);
                else
                    by_kernel(*contexts[way], data.get(), n, throws);
                rt_.barrier();
                times[way].push_back(microseconds_since(began) / throws);
                thrown += throws;
                if (rt_.rank() == 0) gmpi::launch(one_, shape_, are_right{}, data.get(), n, 2 * thrown, wrong_.get()).wait();
            }
        row found{bytes};
        for (std::size_t way = 0; way < ways.size(); ++way) found.us[way] = median(times[way]);
        return found;
    }
    [[nodiscard]] bool right() const { return wrong_[0] == 0; }
    [[nodiscard]] std::string device() const { return std::string{one_.of_device().name()}; }

private:
    void by_kernel(gmpi::context& ctx, int* data, long n, int throws) {
        gmpi::launch(ctx, shape_, there_and_back{}, ctx.device_handle(), data, n, throws, wrong_.get()).wait();
    }
    // The kernel ends, the host copies, and launches the next one: what programs do today, with peers' memory in reach; or
    // `staged`: each rank copies what it gives into pinned memory, and what it gets out of that of the other.
    void by_host(int* data, long n, int throws, bool staged) {
        auto const me = static_cast<std::size_t>(rt_.rank());
        auto const bytes = static_cast<std::size_t>(n) * sizeof(int);
        auto const stage = staged ? one_.allocate_mapped<int>(static_cast<std::size_t>(n)) : std::shared_ptr<int[]>{};
        places_[me] = staged ? stage.get() : data;
        if (staged && me == 0) copy(stage.get(), data, bytes);
        rt_.barrier();
        for (int i = 0; i < throws; ++i) {
            if (rt_.rank() == 1) {
                while (turns_[0] <= i + done_) std::this_thread::yield();
            } else {
                ++turns_[0];
                while (turns_[1] <= i + done_) std::this_thread::yield();
            }
            copy(data, places_[1 - me].load(), bytes);
            gmpi::launch(one_, shape_, add_one{}, data, n).wait();
            if (staged) copy(stage.get(), data, bytes);
            if (rt_.rank() == 1) ++turns_[1];
        }
        done_ += throws;
        rt_.barrier(); // before the stage goes
    }
    void copy(int* to, int const* from, std::size_t bytes) {
        auto& memory = one_.of_device();
        auto const begun = memory.begin_copy(to, from, bytes);
        while (begun != 0 && !memory.is_over(begun)) {
        }
    }

    sode::runtime& rt_;
    gmpi::context one_, two_, words_, rings_;
    gmpi::launch_shape shape_;
    std::atomic<int*>* places_;
    std::atomic<long>* turns_;
    std::shared_ptr<int[]> wrong_;
    std::shared_ptr<gmpi::word[]> ns_;
    long done_ = 0;
};

struct halo_row {
    std::string way;
    double us; ///< of one exchange
};

struct results : bench::result_facts {
    double push[3]{};       ///< ns, a release for 1, 8, 32
    double push_two_hops{}; ///< a release for 1
    std::vector<row> rows{};
    sode::index_t cube = 0;
    std::vector<halo_row> halo{};
};

/// One rank's half of a cube, periodic, with corners.
void measure_halo(sode::runtime& rt, int times, int repeats, results& all, bench::keep_results<results> const& keep) {
    auto const n = all.cube = rt.arg("--cube", sode::index_t{256});
    bench::cube_exchange<float> cube{rt, {2 * n, n, n}, {.nodes = {2, 1, 1}}, sode::shadow{1}, true};
    all.device = cube.device(); // by its maker's name, where the context says CUDA
    for (auto const& way : bench::exchange_ways()) {
        all.halo.push_back({way.name, cube.measure(way, times, repeats)});
        all.right = all.right && cube.right();
        keep(all);
    }
}

std::vector<bench::goal> goals_of(results const& r) {
    using bench::at_least, bench::at_most;
    std::vector<bench::goal> all{at_most("a push by one thread, us", r.push[0] * 1e-3, 1.0)};
    if (r.rows.empty()) return all;
    all.push_back(at_most("4 bytes there and back, us", r.rows.front().us[0], 12.0));
    constexpr long most = 64 << 20;
    row const* worst = &r.rows.front();
    auto const ratio = [](row const& x) { return x.us[by_host_way] / x.us[0]; };
    for (auto const& x : r.rows)
        if (x.bytes <= most && ratio(x) < ratio(*worst)) worst = &x;
    all.push_back(
        at_least("host / one hop, the least up to 64 MiB, at " + std::to_string(worst->bytes) + " bytes", ratio(*worst), 1.0));
    auto const of = [&](char const* name) {
        for (auto const& x : r.halo)
            if (x.way == name) return x.us;
        return 0.0;
    };
    if (double const one = of("stores, kernel"), copies = of("staged, host"); one > 0 && copies > 0)
        all.push_back(at_least("halo of a cube, pack kernels and copies / one kernel", copies / one, 3.0));
    return all;
}

void print(results const& all) {
    std::printf("device: %s; data %s; push %.0f ns (a release for 8: %.0f, for 32: %.0f; two hops: %.0f)\n%10s", all.device.c_str(),
                all.right ? "right" : "WRONG", all.push[0], all.push[1], all.push[2], all.push_two_hops, "bytes");
    for (auto const* const name : ways) std::printf(" %15s", name);
    std::printf(" %12s  (us)\n", "host/one hop");
    for (auto const& x : all.rows) {
        std::printf("%10ld", x.bytes);
        for (double const us : x.us) std::printf(" %15.1f", us);
        std::printf(" %12.2f\n", x.us[by_host_way] / x.us[0]);
    }
    std::printf("\nhalo of %ld^3 floats with corners, us\n", static_cast<long>(all.cube));
    for (auto const& x : all.halo) std::printf("%20s %12.1f\n", x.way.c_str(), x.us);
}

void write_json(results const& r, std::string const& file) {
    auto out = bench::begin_json(file, r);
    out << ",\n \"push_ns\": {\"1\": " << r.push[0] << ", \"8\": " << r.push[1] << ", \"32\": " << r.push[2]
        << "}, \"push_two_hops_ns\": " << r.push_two_hops << ",\n \"round_trip_us\": [";
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
        out << (i == 0 ? "\n" : ",\n") << "  {\"bytes\": " << r.rows[i].bytes;
        for (std::size_t way = 0; way < ways.size(); ++way) out << ", \"" << ways[way] << "\": " << r.rows[i].us[way];
        out << "}";
    }
    out << "\n ],\n \"halo\": {\"cube\": " << r.cube << ", \"us\": {";
    for (std::size_t i = 0; i < r.halo.size(); ++i) out << (i == 0 ? "" : ", ") << '"' << r.halo[i].way << "\": " << r.halo[i].us;
    out << "}}}\n";
}

void write_html(results const& r, std::string const& file) {
    using bench::rounded;
    auto out = bench::begin_section(file, "Messages", r);
    out << "<p>A push takes " << rounded(r.push[0]) << " ns with a release for each, " << rounded(r.push[1]) << " with one for 8, "
        << rounded(r.push[2]) << " with one for 32; in two hops " << rounded(r.push_two_hops)
        << " ns.</p>\n<table><tr><th>bytes<th>one hop, us there and back<th>two hops<th>words on the device<th>four rings<th>by "
           "the "
           "host<th>staged by the host<th>host / one hop<th>staged / one hop<th>two hops - one</tr>\n";
    for (auto const& x : r.rows) {
        out << "<tr><td>" << x.bytes;
        for (double const us : x.us) out << "<td>" << rounded(us);
        out << "<td>" << rounded(x.us[by_host_way] / x.us[0]) << "<td>" << rounded(x.us[staged_way] / x.us[0]) << "<td>"
            << rounded(x.us[1] - x.us[0]) << "</tr>\n";
    }
    out << "</table>\n<h2>Halo of " << r.cube << "<sup>3</sup> floats with corners</h2>\n<table><tr><th>way<th>us</tr>\n";
    for (auto const& x : r.halo) out << "<tr><td>" << x.way << "<td>" << rounded(x.us) << "</tr>\n";
    out << "</table>\n";
}

} // namespace

int main(int argc, char** argv) {
    std::atomic<int*> places[2]{};
    std::atomic<long> turns[2]{};
    return bench::two_ranks<results>(argc, argv, [&](sode::runtime& rt, auto const& keep) {
        auto const throws = static_cast<int>(rt.arg("-s", 20)), repeats = static_cast<int>(rt.arg("-r", 5));
        results all;
        {
            player me{rt, places, turns};
            all.device = me.device();
            for (int i = 0, together = 1; i < 3; ++i, together *= i == 1 ? 8 : 4) all.push[i] = me.push_ns(2000, together);
            all.push_two_hops = me.push_ns(2000, 1, true);
            long const least = sizeof(int), most = std::max<long>(least, rt.arg("--most", sode::index_t{1} << 20));
            long const factor = std::max<long>(2, rt.arg("--by", 8));
            for (long bytes = least;; bytes = std::min(factor * bytes, most)) {
                all.rows.push_back(me.measure(bytes, throws, repeats));
                all.right = me.right();
                keep(all);
                if (bytes == most) break;
            }
        }
        measure_halo(rt, throws, repeats, all, keep);
        return all;
    });
}
