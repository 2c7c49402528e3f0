// SPDX-License-Identifier: Apache-2.0
// NPB MG by kernels: cycles of a multigrid method for Poisson's equation on a cube with periodic boundaries. Planes are dealt out
// to ranks. Each smoothing, residual and change of grids is followed by an exchange of planes with both neighbours. Grids with few
// planes are whole on all ranks, and need no messages.
//
//     sode run -n 4 ./gmpi_npb_mg --class S            or --together 2: two ranks in this process
#include "npb_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

struct problem_class {
    char name;
    int power; ///< 2^power points in each direction
    double norm;
};
constexpr std::array classes{problem_class{'S', 5, 0.5307707005734e-04}, problem_class{'W', 7, 0.6467329375339e-05},
                             problem_class{'A', 8, 0.2433365309069e-05}};
constexpr int cycles = 4, most_powers = 9;

/// Of a point, its 6 neighbours at faces, 12 at edges and 8 at corners: values, or weights.
struct shells {
    double centre, faces, edges, corners;

    SODE_GPU double times(shells const& weights) const {
        return centre * weights.centre + faces * weights.faces + edges * weights.edges + corners * weights.corners;
    }
};

/// A grid of 2^power points in each direction, and the planes that this rank computes. `whole`: memory has all planes; else those
/// and one more on either side.
struct level {
    double *u, *r;
    int power, first, planes;
    bool whole;

    SODE_GPU int points() const { return 1 << power; }
    SODE_GPU std::size_t plane_points() const { return std::size_t{1} << (2 * power); }
    SODE_GPU double* plane(double* field, int k) const {
        auto const at = whole ? k & (points() - 1) : k - first + 1;
        return field + static_cast<std::size_t>(at) * plane_points();
    }
    SODE_GPU shells around(double* field, int i, int j, int k) const {
        int const last = points() - 1, left = (i - 1) & last, right = (i + 1) & last;
        shells s{0, 0, 0, 0};
        for (int dk = -1; dk <= 1; ++dk) {
            double const* const p = plane(field, k + dk);
            for (int dj = -1; dj <= 1; ++dj) {
                double const* const row = p + (static_cast<std::size_t>((j + dj) & last) << power);
                double const mid = row[i], sides = row[left] + row[right];
                switch ((dk != 0) + (dj != 0)) {
                case 0: s.centre = mid, s.faces += sides; break;
                case 1: s.faces += mid, s.edges += sides; break;
                default: s.edges += mid, s.corners += sides; break;
                }
            }
        }
        return s;
    }
};

/// The parts of a cycle, on a level.
enum class part {
    restrict,    ///< r of the next finer level to r of this one
    begin,       ///< u = S r
    interpolate, ///< u = Q u of the next coarser level
    correct,     ///< u += Q u of the next coarser level
    residual,    ///< r -= A u, or on the finest level r = v - A u
    smooth,      ///< u += S r
    weigh,       ///< squares of r
    gather       ///< what threads have found
};

struct multigrid {
    static constexpr int added = 1;
    struct step {
        npb::deed does;
        int pattern;
        part what;
        int on;
    };
    /// Numbers of patterns, from the level.
    enum : int { planes_of_u = 0, planes_of_r = most_powers, pieces_of_r = 2 * most_powers };

    std::array<level, most_powers> levels;
    double const* v; ///< of the planes that this rank computes
    int finest, rank, size;
    double *parts, *sums, *results;

    /// Where a rank's planes of a level begin: those of coarse level are at the odd planes of the next finer one.
    SODE_GPU int begins(int on, int of_rank) const { return npb::first_of(1 << finest, of_rank, size) >> (finest - on); }

    template <class Thread> SODE_GPU void compute(npb::workers<Thread> const& w, step const& s) const {
        constexpr shells poisson{-8.0 / 3, 0, 1.0 / 6, 1.0 / 12}, smoother{-3.0 / 8, 1.0 / 32, -1.0 / 64, 0},
            average{1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16};
        auto const& l = levels[static_cast<std::size_t>(s.on)];
        if (s.what == part::gather) return npb::sum_of_threads<added>(w, parts, sums);
        // Of a whole grid below one that is dealt out, a rank restricts its part, and gets the others'.
        int first = l.first, planes = l.planes;
        if (s.what == part::restrict && l.whole && !levels[static_cast<std::size_t>(s.on) + 1].whole) {
            first = begins(s.on, rank);
            planes = begins(s.on, rank + 1) - first;
        }
        double squares = 0;
        w.each(static_cast<unsigned>(planes) << (2 * l.power), [&](unsigned point) {
            int const last = l.points() - 1, i = static_cast<int>(point) & last, j = static_cast<int>(point >> l.power) & last,
                      k = static_cast<int>(point >> (2 * l.power)) + first;
            auto const at = (static_cast<std::size_t>(j) << l.power) + static_cast<std::size_t>(i);
            auto& u = l.plane(l.u, k)[at];
            auto& r = l.plane(l.r, k)[at];
            switch (s.what) {
            case part::restrict: {
                auto const& fine = levels[static_cast<std::size_t>(s.on) + 1];
                r = fine.around(fine.r, 2 * i + 1, 2 * j + 1, 2 * k + 1).times(average);
                break;
            }
            case part::begin: u = l.around(l.r, i, j, k).times(smoother); break;
            case part::interpolate: u = interpolated(s.on, i, j, k); break;
            case part::correct: u += interpolated(s.on, i, j, k); break;
            case part::residual: {
                double const of = s.on == finest ? v[point] : r;
                r = of - l.around(l.u, i, j, k).times(poisson);
                break;
            }
            case part::smooth: u += l.around(l.r, i, j, k).times(smoother); break;
            case part::weigh: squares += r * r; break;
            default: break;
            }
        });
        if (s.what == part::weigh) parts[w.me] = squares;
    }
    /// The mean of the points around; a point that is in both grids is taken more than once.
    SODE_GPU double interpolated(int on, int i, int j, int k) const {
        auto const& coarse = levels[static_cast<std::size_t>(on) - 1];
        int const last = coarse.points() - 1;
        double sum = 0;
        for (int dk = 0; dk < 2; ++dk) {
            double const* const p = coarse.plane(coarse.u, (k - 1 + dk) >> 1);
            for (int dj = 0; dj < 2; ++dj) {
                double const* const row = p + (static_cast<std::size_t>(((j - 1 + dj) >> 1) & last) << coarse.power);
                for (int di = 0; di < 2; ++di) sum += row[((i - 1 + di) >> 1) & last];
            }
        }
        return sum / 8;
    }

    SODE_GPU int message_count(int pattern) const { return pattern >= pieces_of_r ? size - 1 : 2; }
    SODE_GPU npb::message message_of(int pattern, int number) const {
        auto const& l = levels[static_cast<std::size_t>(pattern % most_powers)];
        if (pattern >= pieces_of_r) {
            int const away = number + 1, to = (rank + away) % size, from = (rank + size - away) % size;
            auto const piece = [&](int of_rank) { return l.plane(l.r, begins(l.power, of_rank)); };
            auto const length = [&](int of_rank) {
                return static_cast<std::size_t>(begins(l.power, of_rank + 1) - begins(l.power, of_rank)) * l.plane_points();
            };
            return {to, from, 0, piece(rank), length(rank), piece(from), length(from)};
        }
        double* const field = pattern < planes_of_r ? l.u : l.r;
        int const above = (rank + 1) % size, below = (rank + size - 1) % size, behind = l.first + l.planes;
        auto const n = l.plane_points();
        if (number == 0) return {above, below, 0, l.plane(field, behind - 1), n, l.plane(field, l.first - 1), n};
        return {below, above, 1, l.plane(field, l.first), n, l.plane(field, behind), n};
    }
};

/// All cycles, and the norm of what is left.
std::vector<multigrid::step> all_steps(multigrid const& m) {
    std::vector<multigrid::step> all;
    auto const compute = [&](part what, int on) { all.push_back({npb::deed::compute, 0, what, on}); };
    auto const dealt_out = [&](int on) { return !m.levels[static_cast<std::size_t>(on)].whole; };
    auto const neighbours = [&](int patterns, int on) {
        if (dealt_out(on)) all.push_back({npb::deed::communicate, patterns + on, part::gather, on});
    };
    auto const residual = [&](int on) {
        compute(part::residual, on);
        neighbours(multigrid::planes_of_r, on);
    };
    residual(m.finest); // u = 0
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (int on = m.finest - 1; on >= 1; --on) {
            compute(part::restrict, on);
            if (!dealt_out(on) && dealt_out(on + 1))
                all.push_back({npb::deed::communicate, multigrid::pieces_of_r + on, part::gather, on});
            neighbours(multigrid::planes_of_r, on);
        }
        compute(part::begin, 1);
        neighbours(multigrid::planes_of_u, 1);
        for (int on = 2; on <= m.finest; ++on) {
            compute(on == m.finest ? part::correct : part::interpolate, on);
            neighbours(multigrid::planes_of_u, on);
            residual(on);
            compute(part::smooth, on);
            neighbours(multigrid::planes_of_u, on);
        }
        residual(m.finest);
    }
    compute(part::weigh, m.finest);
    compute(part::gather, m.finest);
    all.push_back({npb::deed::add_up, 0, part::gather, m.finest});
    return all;
}

/// The right side: 1 where the report's generator has its ten greatest numbers, -1 where it has its ten least, else 0.
std::vector<double> right_side(int power, int first, int planes) {
    using place = std::pair<double, std::size_t>;
    constexpr std::size_t charges = 10;
    auto const points = std::size_t{1} << (3 * power), plane = std::size_t{1} << (2 * power);
    npb::random_numbers random{314159265};
    std::vector<place> all(points);
    for (std::size_t i = 0; i < points; ++i) all[i] = {random.next(), i};
    std::vector<double> v(static_cast<std::size_t>(planes) * plane);
    auto const charge = [&](double with) {
        for (std::size_t i = 0; i < charges; ++i)
            if (auto const at = all[i].second - static_cast<std::size_t>(first) * plane; at < v.size()) v[at] = with;
    };
    std::nth_element(all.begin(), all.begin() + charges, all.end());
    charge(-1);
    std::nth_element(all.begin(), all.begin() + charges, all.end(), std::greater<>{});
    charge(1);
    return v;
}

npb::outcome solve(sode::runtime& rt) {
    auto const& of = npb::wanted_class(rt, classes);
    if (2 * rt.size() > 1 << of.power)
        throw sode::error{sode::error_kind::usage, "class " + std::string{of.name} + " has too few planes for so many ranks",
                          "a rank needs two of its " + std::to_string(1 << of.power), "use fewer ranks, or --class A"};
    gmpi::context ctx{rt, npb::options_of(rt)};
    auto const shape = npb::shape_for(rt, ctx, {64, 128});
    multigrid m{};
    m.finest = of.power;
    m.rank = rt.rank();
    m.size = rt.size();
    std::vector<std::shared_ptr<double[]>> memory;
    auto const room = [&](std::size_t count) { return memory.emplace_back(ctx.allocate<double>(count)).get(); };
    auto const make_levels = [&] {
        for (int on = 1; on <= m.finest; ++on) {
            level l{nullptr, nullptr, on, 0, 1 << on, true};
            // With fewer than two planes a rank's messages would have as much as the grid.
            if (m.size > 1 && 1 << on >= 2 * m.size && on > 2) {
                l.first = m.begins(on, m.rank);
                l.planes = m.begins(on, m.rank + 1) - l.first;
                l.whole = false;
            }
            auto const points = static_cast<std::size_t>(l.planes + (l.whole ? 0 : 2)) * l.plane_points();
            l.u = room(points);
            l.r = room(points);
            m.levels[static_cast<std::size_t>(on)] = l;
        }
    };
    make_levels();
    auto const& top = m.levels[static_cast<std::size_t>(m.finest)];
    auto const v = npb::on_device(ctx, right_side(of.power, top.first, top.planes));
    m.v = v.get();
    m.parts = room(std::size_t{shape.blocks} * shape.threads);
    m.sums = room(std::size_t{2} * multigrid::added);
    m.results = room(multigrid::added);

    auto o = npb::outcome_of("MG class " + std::string{of.name}, ctx);
    auto const points = static_cast<double>(std::size_t{1} << (3 * of.power));
    auto const right = [&](std::vector<double> const& sums) {
        constexpr double tolerance = 1e-8;
        return npb::near(std::sqrt(sums[0] / points), of.norm, tolerance);
    };
    auto const clear_u = [&] { // each way begins with u = 0
        std::vector<double> const zeros(static_cast<std::size_t>(top.planes + (top.whole ? 0 : 2)) * top.plane_points());
        npb::bring(ctx, top.u, zeros.data(), zeros.size());
    };
    auto const values = npb::solve_in_both_ways(rt, ctx, shape, m, all_steps(m), 1, right, clear_u, o);
    char text[60];
    std::snprintf(text, sizeof text, "norm %.13e", std::sqrt(values[0] / points));
    o.values = text;
    return o;
}

} // namespace

int main(int argc, char** argv) {
    return npb::run(argc, argv, solve);
}
