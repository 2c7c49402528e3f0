// SPDX-License-Identifier: Apache-2.0
// The faces of a cube of N^3 doubles, exchanged by two ranks in all ways that arrays of devices have: contiguous, rows, and single
// elements (paper P0, figures 6 to 9). Where the fastest way changes is marked. Two ranks, threads of this process, share the
// device. All data are checked.
//
//     [sode run -n 2] gmpi_faces [--processes] [-s TIMES] [-r REPEATS] [--most N] [--json FILE] [--html FILE]
#include "cube_exchange.hpp"
#include "two_ranks.hpp"

#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace {

using sode::index_t;

struct face_kind {
    char const* name;
    int dimension; ///< that is split between the ranks
    char const* paper;
};
constexpr std::array kinds{face_kind{"block", 0, "320 to 384"}, face_kind{"block-stride", 1, "576 to 640"},
                           face_kind{"stride", 2, "512"}};

struct row {
    face_kind kind;
    index_t n;
    std::vector<double> us; ///< by way
};

struct results : bench::result_facts {
    std::vector<row> rows{};
};

std::size_t fastest(row const& r) {
    return static_cast<std::size_t>(std::min_element(r.us.begin(), r.us.end()) - r.us.begin());
}

// One face in each direction: of a rank 2 leave and 2 arrive.
double gigabytes_per_second(row const& r, std::size_t way) {
    return 2.0 * static_cast<double>(r.n * r.n) * sizeof(double) / r.us[way] * 1e-3;
}

row measure(sode::runtime& rt, face_kind const& kind, index_t n, int times, int repeats, results& all) {
    auto const d = static_cast<std::size_t>(kind.dimension);
    sode::index<3> extents{n, n, n};
    extents[d] *= 2;
    sode::grid<3>::options how{.nodes = {1, 1, 1}};
    how.nodes[d] = 2;
    std::array<sode::shadow::layers, 3> widths{};
    widths[d] = {1, 1};
    bench::cube_exchange<double> cube{rt, extents, how, sode::shadow{std::span<sode::shadow::layers const>{widths}}, false};
    row r{kind, n, {}};
    for (auto const& way : bench::exchange_ways()) r.us.push_back(cube.measure(way, times, repeats));
    all.right = all.right && cube.right();
    all.device = cube.device();
    return r;
}

// Of a kind, the best over ways at the largest cube; a contiguous face is the first kind.
std::vector<bench::goal> goals_of(results const& all) {
    std::array<row const*, kinds.size()> largest{};
    for (auto const& r : all.rows) largest[static_cast<std::size_t>(r.kind.dimension)] = &r;
    std::vector<bench::goal> goals;
    for (std::size_t k = 1; k < kinds.size(); ++k) {
        if (!largest[0] || !largest[k] || largest[k]->n != largest[0]->n) continue;
        goals.push_back(bench::at_most(std::string{"time of "} + kinds[k].name +
                                           " faces / contiguous ones, N = " + std::to_string(largest[k]->n),
                                       largest[k]->us[fastest(*largest[k])] / largest[0]->us[fastest(*largest[0])], 1.5));
    }
    return goals;
}

void print(results const& all) {
    auto const ways = bench::exchange_ways();
    std::printf("device: %s; data %s; microseconds for one exchange of both faces\n", all.device.c_str(),
                all.right ? "right" : "WRONG");
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        auto const& r = all.rows[i];
        bool const first = i == 0 || all.rows[i - 1].kind.dimension != r.kind.dimension;
        if (first) {
            std::printf("\n%s (paper P0: DMA and MPI cross at N = %s)\n%5s", r.kind.name, r.kind.paper, "N");
            for (auto const& w : ways) std::printf(" %15s", w.name.c_str());
            std::printf("   GB/s, fastest\n");
        }
        std::printf("%5ld", static_cast<long>(r.n));
        for (double const us : r.us) std::printf(" %15.1f", us);
        auto const best = fastest(r);
        std::printf("   %6.2f, %s%s\n", gigabytes_per_second(r, best), ways[best].name.c_str(),
                    !first && fastest(all.rows[i - 1]) != best ? "  <- cross-over" : "");
    }
}

void write_json(results const& all, std::string const& file) {
    auto const ways = bench::exchange_ways();
    auto out = bench::begin_json(file, all);
    out << ", \"faces\": [";
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        auto const& r = all.rows[i];
        out << (i == 0 ? "\n" : ",\n") << "  {\"kind\": \"" << r.kind.name << "\", \"n\": " << r.n << ", \"us\": {";
        for (std::size_t w = 0; w < ways.size(); ++w) out << (w == 0 ? "" : ", ") << '"' << ways[w].name << "\": " << r.us[w];
        out << "}, \"fastest\": \"" << ways[fastest(r)].name << "\"}";
    }
    out << "\n ]}\n";
}

void write_html(results const& all, std::string const& file) {
    auto const ways = bench::exchange_ways();
    auto out = bench::begin_section(file, "Faces of cubes", all);
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        auto const& r = all.rows[i];
        if (i == 0 || all.rows[i - 1].kind.dimension != r.kind.dimension) {
            out << (i == 0 ? "" : "</table>\n") << "<h2>Faces of cubes of N<sup>3</sup> doubles: " << r.kind.name
                << "</h2>\n<p>Paper P0: DMA and MPI cross at N = " << r.kind.paper
                << ". Microseconds of an exchange of both faces; the least is bold.</p>\n<table><tr><th>N";
            for (auto const& w : ways) out << "<th>" << w.name;
            out << "<th>GB/s</tr>\n";
        }
        out << "<tr><td>" << r.n;
        for (std::size_t w = 0; w < ways.size(); ++w)
            out << (w == fastest(r) ? "<td><b>" : "<td>") << bench::rounded(r.us[w]) << (w == fastest(r) ? "</b>" : "");
        out << "<td>" << bench::rounded(gigabytes_per_second(r, fastest(r))) << "</tr>\n";
    }
    if (!all.rows.empty()) out << "</table>\n";
}

} // namespace

int main(int argc, char** argv) {
    return bench::two_ranks<results>(argc, argv, [](sode::runtime& rt, auto const& keep) {
        auto const times = static_cast<int>(rt.arg("-s", 20)), repeats = static_cast<int>(rt.arg("-r", 5));
        results mine;
        for (auto const& kind : kinds)
            for (index_t const n : {16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512, 576, 640})
                if (n <= rt.arg("--most", index_t{640})) {
                    mine.rows.push_back(measure(rt, kind, n, times, repeats, mine));
                    keep(mine);
                }
        return mine;
    });
}
