// SPDX-License-Identifier: Apache-2.0
// The Himeno benchmark on a device, by who exchanges the halos: kernels that end at each exchange, by the host or in a stream, and
// one kernel for all steps, which exchanges itself, starts the plan of the host, or sends and receives. All have the same
// arithmetic, and all results have the same bits. Two ranks, threads of this process, share the device.
//
//     gmpi_himeno [-g XS,M] [-s STEPS] [-r REPEATS] [--blocks N] [--threads N] [--json FILE] [--html FILE]
#include "../../examples/gpu/himeno_flow.hpp"
#include "two_ranks.hpp"

#include <sode/error.hpp>
#include <sode/gmpi.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

using gmpi::code;
using himeno::points;
using sode::index_t;

enum class maker { host, stream, exchange, start, messages };
struct way {
    char const* name;
    maker by;
};
constexpr std::array ways{way{"host: kernels end", maker::host}, way{"host: all in a stream", maker::stream},
                          way{"one kernel: exchange", maker::exchange}, way{"one kernel: start", maker::start},
                          way{"one kernel: isend, irecv, waitall", maker::messages}};

struct grid_size {
    char const* name;
    sode::index<3> extents;
};
constexpr std::array sizes{grid_size{"XS", {32, 32, 64}}, grid_size{"S", {64, 64, 128}}, grid_size{"M", {128, 128, 256}},
                           grid_size{"L", {256, 256, 512}}};

/// All steps. Two ranks have a half each, by planes.
struct all_steps {
    int steps;
    maker by;
    points now, next;
    himeno::coefficients of;
    sode::box<3> own, inner;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::halo_handle halo, gmpi::plan_number plan,
                             int* failed) const {
        auto const block = t.block();
        auto p = now, q = next;
        for (int s = 1; s <= steps; ++s) {
            if (by == maker::exchange) {
                if (gmpi::exchange(t, ctx, halo, static_cast<gmpi::word>(s)) != code::ok) *failed = 1;
            } else {
                t.grid().sync();
                if (t.block_rank() == 0 && (by == maker::start ? gmpi::wait(block, ctx, gmpi::start(block, ctx, plan))
                                                               : planes(block, ctx, p)) != code::ok)
                    *failed = 1;
                t.grid().sync();
            }
            index_t const rows = inner.upper[1] - inner.lower[1];
            for (index_t r = t.block_rank(); r < (inner.upper[0] - inner.lower[0]) * rows; r += t.blocks())
                for (index_t k = inner.lower[2] + block.thread_rank(); k < inner.upper[2]; k += block.size()) {
                    index_t const i = inner.lower[0] + r / rows, j = inner.lower[1] + r % rows;
                    q(i, j, k) = himeno::relaxed(of, p, i, j, k);
                }
            auto const before = p;
            p = q;
            q = before;
        }
    }
    template <class Block> SODE_GPU code planes(Block const& block, gmpi::device_handle const& ctx, points const& p) const {
        bool const first = ctx.rank == 0; // its neighbour has greater i
        auto const count = static_cast<gmpi::word>(p.stride(0));
        auto const plane = [&](index_t i) { return &p(i, p.lower(1), p.lower(2)); };
        return gmpi::sendrecv(block, ctx, plane(first ? own.upper[0] - 1 : own.lower[0]), count, 1 - ctx.rank, 0,
                              plane(first ? own.upper[0] : own.lower[0] - 1), count, 1 - ctx.rank, 0);
    }
};

struct row {
    std::string grid, way;
    double us = 0; ///< of a step
};

struct results : bench::result_facts {
    std::vector<row> rows{};
};

class measurer {
public:
    measurer(sode::runtime& rt, grid_size const& size)
        : rt_(rt), size_(size), flow_{rt, size.extents, {.nodes = {2, 1, 1}}}, s_{rt},
          halo_{sode::reflect_init({.corners = true}, flow_.pressure)}, ctx_{rt}, failed_{ctx_.allocate_mapped<int>(1)} {
        bool const emulated = s_.emulated();
        shape_ = {static_cast<std::uint32_t>(rt.arg("--blocks", emulated ? 1 : 132)),
                  static_cast<std::uint32_t>(rt.arg("--threads", emulated ? 1 : 256))};
    }

    void measure(int steps, int repeats, results& all, bench::keep_results<results> const& keep) {
        all.device = s_.device_name();
        std::vector<float> wanted;
        auto const plan = ctx_.add(halo_);
        for (auto const& w : ways) {
            std::vector<double> times;
            for (int r = 0; r < repeats; ++r) {
                flow_.restart(s_);
                rt_.barrier();
                auto const began = std::chrono::steady_clock::now();
                run(w.by, steps, plan);
                rt_.barrier();
                times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count() /
                                steps);
            }
            std::sort(times.begin(), times.end());
            all.rows.push_back({size_.name, w.name, times[times.size() / 2]});
            auto const found = pressure();
            if (wanted.empty()) wanted = found;
            all.right = all.right && failed_[0] == 0 && wanted.size() == found.size() &&
                        std::memcmp(wanted.data(), found.data(), found.size() * sizeof(float)) == 0;
            keep(all);
        }
    }

private:
    void run(maker by, int steps, gmpi::plan_number plan) {
        auto& u = flow_.pressure;
        if (by == maker::host || by == maker::stream) {
            for (int n = 0; n < steps; ++n, u.flip()) {
                if (by == maker::host)
                    halo_();
                else
                    halo_.enqueue(s_);
                sode::loop(s_, flow_.g.inner(), himeno::step{u.now(), u.next(), flow_.of()});
                if (by == maker::host) s_.synchronize();
            }
            s_.synchronize();
            return;
        }
        all_steps const kernel{steps, by, u.now(), u.next(), flow_.of(), flow_.g.all().part(), flow_.g.inner().part()};
        auto const handle = by == maker::exchange ? ctx_.device_handle(halo_) : gmpi::halo_handle{};
        gmpi::launch(ctx_, shape_, kernel, ctx_.device_handle(), handle, plan, failed_.get()).wait();
        for (int n = 0; n < steps; ++n) u.flip();
    }
    // Of the rank's block, in the order of its points.
    [[nodiscard]] std::vector<float> pressure() const {
        sode::buffered<float, 3> got{flow_.g, sode::shadow{1}};
        download(flow_.pressure, got);
        std::vector<float> all;
        sode::loop(flow_.g.all(), [&all, v = got.now()](index_t i, index_t j, index_t k) { all.push_back(v(i, j, k)); });
        return all;
    }

    sode::runtime& rt_;
    grid_size size_;
    himeno::flow flow_;
    sode::stream s_;
    sode::reflection halo_;
    gmpi::context ctx_;
    std::shared_ptr<int[]> failed_;
    gmpi::launch_shape shape_;
};

double host_driven(results const& all, row const& of) {
    for (auto const& r : all.rows)
        if (r.grid == of.grid) return r.us; // the first way
    return 0;
}

// The best of the ways with one kernel.
std::vector<bench::goal> goals_of(results const& all) {
    std::vector<bench::goal> goals;
    for (auto const& size : sizes) {
        double best = 0;
        for (auto const& r : all.rows)
            if (r.grid == size.name && r.way.starts_with("one kernel")) best = std::max(best, host_driven(all, r) / r.us);
        if (best > 0) goals.push_back(bench::at_least("Himeno " + std::string{size.name} + ", host / one kernel", best, 1.0));
    }
    return goals;
}

void print(results const& all) {
    std::printf("device: %s; results %s\n%-4s %-36s %12s %12s\n", all.device.c_str(), all.right ? "equal" : "NOT EQUAL", "grid",
                "way", "us a step", "host / this");
    for (auto const& r : all.rows)
        std::printf("%-4s %-36s %12.1f %12.2f\n", r.grid.c_str(), r.way.c_str(), r.us, host_driven(all, r) / r.us);
}

void write_json(results const& all, std::string const& file) {
    auto out = bench::begin_json(file, all);
    out << ", \"himeno\": [";
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        auto const& r = all.rows[i];
        out << (i == 0 ? "\n" : ",\n") << "  {\"grid\": \"" << r.grid << "\", \"way\": \"" << r.way << "\", \"us\": " << r.us
            << "}";
    }
    out << "\n ]}\n";
}

void write_html(results const& all, std::string const& file) {
    auto out = bench::begin_section(file, "Himeno", all);
    out << "<p>Results of all ways are " << (all.right ? "equal" : "NOT EQUAL")
        << ".</p>\n<table><tr><th>grid<th>way<th>us a step<th>first way / this</tr>\n";
    for (auto const& r : all.rows)
        out << "<tr><td>" << r.grid << "<td>" << r.way << "<td>" << bench::rounded(r.us) << "<td>"
            << bench::rounded(host_driven(all, r) / r.us) << "</tr>\n";
    out << "</table>\n";
}

} // namespace

int main(int argc, char** argv) {
    return bench::two_ranks<results>(argc, argv, [](sode::runtime& rt, auto const& keep) {
        int const steps = rt.arg("-s", 20), repeats = rt.arg("-r", 5);
        auto const wanted = "," + rt.arg("-g", "M,L") + ",";
        results mine;
        for (auto const& size : sizes)
            if (wanted.find("," + std::string{size.name} + ",") != std::string::npos)
                measurer{rt, size}.measure(steps, repeats, mine, keep);
        if (mine.rows.empty())
            throw sode::error{sode::error_kind::usage, "there is no grid of that name", "grids are XS, S, M and L", "write -g M,L"};
        return mine;
    });
}
