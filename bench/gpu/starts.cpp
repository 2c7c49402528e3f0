// SPDX-License-Identifier: Apache-2.0
// A halo that was planned on the host, exchanged by a kernel: the kernel starts the plan by one request of 16 bytes, and the rank,
// a thread, or a network interface made of a thread runs it (SODE_ENGINE; paper P2 wants a kernel to start the chains of TCA's
// interface); against isend, irecv and wait of the same rows in the kernel. Arrays of the host, so kernels run on the emulated
// device. Two ranks are threads of this process. All data are checked.
//
//     gmpi_starts [-s STEPS] [-r REPEATS] [--json FILE] [--html FILE]
#include "two_ranks.hpp"

#include <sode/gmpi.hpp>
#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using gmpi::code;
using sode::index_t;
using plate = sode::view<double, 2>;

struct way {
    char const* name;
    char const* engine;
    bool starts; ///< the plan, or messages
};
constexpr std::array ways{way{"isend, irecv, waitall", "inline", false}, way{"start, by the rank", "inline", true},
                          way{"start, by a thread", "thread", true}, way{"start, by an interface", "triggered", true}};
constexpr std::array widths{index_t{8}, index_t{512}, index_t{8192}}; ///< elements of a row

struct row {
    std::string way;
    index_t bytes;
    double us = 0; ///< of an exchange
    std::string requests;
};

struct results : bench::result_facts {
    std::vector<row> rows{};
};

SODE_GPU inline double value_of(int rank, int step, index_t j) {
    return 1000.0 * rank + step + 1e-6 * static_cast<double>(j);
}

/// Two rows of this rank go to the other, and two come.
struct exchanges {
    int steps;
    bool starts;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::plan_number plan, plate u, sode::box<2> own,
                             int* wrong) const {
        auto const block = t.block();
        auto const rank = block.thread_rank();
        for (int s = 1; s <= steps; ++s) {
            for (index_t j = own.lower[1] + rank; j < own.upper[1]; j += block.size())
                u(own.lower[0], j) = u(own.upper[0] - 1, j) = value_of(ctx.rank, s, j);
            if ((starts ? gmpi::wait(block, ctx, gmpi::start(block, ctx, plan)) : by_messages(block, ctx, u, own)) != code::ok)
                *wrong = 1;
            for (index_t j = own.lower[1] + rank; j < own.upper[1]; j += block.size())
                for (index_t const i : {own.lower[0] - 1, own.upper[0]})
                    if (u(i, j) != value_of(1 - ctx.rank, s, j)) *wrong = 1;
            block.sync();
        }
    }
    template <class Block>
    SODE_GPU static code by_messages(Block const& block, gmpi::device_handle const& ctx, plate u, sode::box<2> const& own) {
        auto const n = static_cast<gmpi::word>(own.upper[1] - own.lower[1]);
        auto const at = [&](index_t i) { return &u(i, own.lower[1]); };
        int const other = 1 - ctx.rank;
        gmpi::release(block, ctx);
        gmpi::request const all[] = {gmpi::irecv(block, ctx, at(own.upper[0]), n, other, 0, gmpi::released()),
                                     gmpi::irecv(block, ctx, at(own.lower[0] - 1), n, other, 1, gmpi::released()),
                                     gmpi::isend(block, ctx, at(own.lower[0]), n, other, 0, gmpi::released()),
                                     gmpi::isend(block, ctx, at(own.upper[0] - 1), n, other, 1, gmpi::released())};
        return gmpi::waitall(block, ctx, all, 4);
    }
};

row measure(sode::runtime& rt, way const& w, index_t width, results& all) {
    int const steps = rt.arg("-s", 200), repeats = rt.arg("-r", 5);
    sode::grid<2> const g{rt, {8, width}, {.nodes = {2, 1}}};
    sode::array<double, 2> u{g, sode::shadow{1, 0}};
    auto halo = sode::reflect_init({.periodic = true, .credits = true}, u);
    gmpi::context ctx{rt};
    auto const plan = ctx.add(halo);
    auto const wrong = ctx.allocate_mapped<int>(1);
    std::vector<double> times;
    for (int r = 0; r < repeats; ++r) {
        rt.barrier();
        auto const began = std::chrono::steady_clock::now();
        gmpi::launch(ctx, {}, exchanges{steps, w.starts}, ctx.device_handle(), plan, u.view(), g.all().part(), wrong.get()).wait();
        rt.barrier();
        times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count() / steps);
    }
    std::sort(times.begin(), times.end());
    if (wrong[0] != 0) all.right = false;
    auto const said = ctx.describe();
    return {w.name, width * static_cast<index_t>(sizeof(double)), times[times.size() / 2], said.substr(said.rfind(';') + 2)};
}

void print(results const& all) {
    std::printf("emulated device; data %s\n%-24s %10s %14s\n", all.right ? "right" : "WRONG", "way", "bytes", "us an exchange");
    for (auto const& r : all.rows)
        std::printf("%-24s %10ld %14.2f   %s\n", r.way.c_str(), static_cast<long>(r.bytes), r.us, r.requests.c_str());
}

void write_json(results const& all, std::string const& file) {
    auto out = bench::begin_json(file, all);
    out << ", \"starts\": [";
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        auto const& r = all.rows[i];
        out << (i == 0 ? "\n" : ",\n") << "  {\"way\": \"" << r.way << "\", \"bytes\": " << r.bytes << ", \"us\": " << r.us << "}";
    }
    out << "\n ]}\n";
}

void write_html(results const& all, std::string const& file) {
    auto out = bench::begin_section(file, "Halos of the host that a kernel starts", all);
    out << "<p>On the emulated device.</p>\n<table><tr><th>way<th>bytes<th>us an "
           "exchange</tr>\n";
    for (auto const& r : all.rows) out << "<tr><td>" << r.way << "<td>" << r.bytes << "<td>" << bench::rounded(r.us) << "</tr>\n";
    out << "</table>\n";
}

} // namespace

int main(int argc, char** argv) try {
    ::setenv("SODE_DEVICE", "emulated", 1);
    results all;
    std::atomic<bool> right{true};
    all.device = "emulated device";
    bench::result_files files;
    for (auto const& w : ways) {
        ::setenv("SODE_ENGINE", w.engine, 1);
        sode::run_threads(
            2,
            [&](sode::runtime& rt) {
                results mine;
                for (index_t const width : widths) mine.rows.push_back(measure(rt, w, width, mine));
                if (!mine.right) right = false;
                if (rt.rank() != 0) return;
                all.rows.insert(all.rows.end(), mine.rows.begin(), mine.rows.end());
                files = bench::result_files{rt};
            },
            argc, argv);
        all.right = right;
        files.write(all);
    }
    return files.report(all);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
