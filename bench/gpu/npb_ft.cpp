// SPDX-License-Identifier: Apache-2.0
// NPB FT by kernels: a partial differential equation in three dimensions by Fourier transforms. Planes are dealt out to ranks: of z
// for transforms along x and y, of y for those along z. Between them all ranks send to all.
//
//     sode run -n 4 ./gmpi_npb_ft --class S            or --together 2: two ranks in this process
#include "npb_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

constexpr int moments = 6;

struct problem_class {
    char name;
    std::array<int, 3> powers; ///< of 2: points along x, y and z
    std::array<double, 2 * moments> checksums;
};
constexpr std::array classes{problem_class{'S',
                                           {6, 6, 6},
                                           {5.546087004964e+02, 4.845363331978e+02, 5.546385409189e+02, 4.865304269511e+02,
                                            5.546148406171e+02, 4.883910722336e+02, 5.545423607415e+02, 4.901273169046e+02,
                                            5.544255039624e+02, 4.917475857993e+02, 5.542683411902e+02, 4.932597244941e+02}},
                             problem_class{'W',
                                           {7, 7, 5},
                                           {5.673612178944e+02, 5.293246849175e+02, 5.631436885271e+02, 5.282149986629e+02,
                                            5.594024089970e+02, 5.270996558037e+02, 5.560698047020e+02, 5.260027904925e+02,
                                            5.530898991250e+02, 5.249400845633e+02, 5.504159734538e+02, 5.239212247086e+02}},
                             problem_class{'A',
                                           {8, 8, 7},
                                           {5.046735008193e+02, 5.114047905510e+02, 5.059412319734e+02, 5.098809666433e+02,
                                            5.069376896287e+02, 5.098144042213e+02, 5.077892868474e+02, 5.101336130759e+02,
                                            5.085233095391e+02, 5.104914655194e+02, 5.091487099959e+02, 5.107917842803e+02}}};

struct complex {
    double re, im;

    friend SODE_GPU complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
    friend SODE_GPU complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
    friend SODE_GPU complex operator*(complex a, complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
    friend SODE_GPU complex operator*(double a, complex b) { return {a * b.re, a * b.im}; }
};

enum class part {
    begin,     ///< random numbers
    transform, ///< one stage of the transforms along one dimension
    scatter,   ///< planes of z, in pieces for their ranks
    collect,   ///< pieces from all ranks, to planes of z
    keep,      ///< what has been transformed
    evolve,    ///< to time `time`
    checksum,
    gather ///< what threads have found
};

/// A rank has points (x, y, z), x the fastest: of its planes z, as `work[.][z][y][x]`; of its planes y, as `work[.][z][y][x]` too,
/// where y is one of its own and z is any.
struct fourier {
    static constexpr int added = 2;
    struct step {
        npb::deed does;
        int pattern;
        part what;
        int from;      ///< which of `work`; the result is in the other one
        int dimension; ///< 0: x
        int stage;     ///< of log2(points)
        bool back;     ///< the inverse transform
        int time;
    };
    /// Patterns.
    enum : int { to_planes_of_y, to_planes_of_z };

    std::array<int, 3> powers;
    int rank, size;
    std::array<complex*, 2> work;
    std::array<int, 2> sent_from; ///< by pattern: which of `work` has the data
    complex *pieces, *kept;
    complex const* roots; ///< exp(-2 pi i k / 2^root_power)
    int root_power;
    double *parts, *sums, *results;

    SODE_GPU int points(int dimension) const { return 1 << powers[static_cast<std::size_t>(dimension)]; }
    SODE_GPU int first_y(int of_rank) const { return npb::first_of(points(1), of_rank, size); }
    SODE_GPU int first_z(int of_rank) const { return npb::first_of(points(2), of_rank, size); }
    SODE_GPU unsigned own_y() const { return static_cast<unsigned>(first_y(rank + 1) - first_y(rank)); }
    SODE_GPU unsigned own_z() const { return static_cast<unsigned>(first_z(rank + 1) - first_z(rank)); }
    SODE_GPU unsigned points_of_z() const { return own_z() << (powers[0] + powers[1]); }
    SODE_GPU unsigned points_of_y() const { return own_y() << (powers[0] + powers[2]); }

    template <class Thread> SODE_GPU void compute(npb::workers<Thread> const& w, step const& s) const {
        complex const* const from = work[static_cast<std::size_t>(s.from)];
        complex* const to = work[static_cast<std::size_t>(1 - s.from)];
        auto const nx = static_cast<unsigned>(points(0)), ny = static_cast<unsigned>(points(1));
        switch (s.what) {
        case part::begin:
            w.each(own_z() * ny, [&](unsigned row) { // of points along x
                auto const before = std::uint64_t{2} * nx * (static_cast<std::uint64_t>(first_z(rank)) * ny + row);
                npb::random_numbers random{npb::random_numbers::ahead(314159265, before)};
                for (unsigned x = 0; x < nx; ++x) {
                    double const re = random.next();
                    to[row * nx + x] = {re, random.next()};
                }
            });
            break;
        case part::transform: transform(w, s, from, to); break;
        case part::scatter:
            w.each(points_of_z(), [&](unsigned i) {
                unsigned const x = i % nx, y = i / nx % ny, z = i / nx / ny;
                int const owner = owner_of_y(y);
                if (owner == rank)
                    to[((static_cast<unsigned>(first_z(rank)) + z) * own_y() + y - static_cast<unsigned>(first_y(rank))) * nx + x] =
                        from[i];
                else
                    pieces[in_pieces(owner, x, y, z)] = from[i];
            });
            break;
        case part::collect:
            w.each(points_of_z(), [&](unsigned i) {
                unsigned const x = i % nx, y = i / nx % ny, z = i / nx / ny;
                int const owner = owner_of_y(y);
                to[i] =
                    owner == rank
                        ? from[((static_cast<unsigned>(first_z(rank)) + z) * own_y() + y - static_cast<unsigned>(first_y(rank))) *
                                   nx +
                               x]
                        : pieces[in_pieces(owner, x, y, z)];
            });
            break;
        case part::keep: w.each(points_of_y(), [&](unsigned i) { kept[i] = from[i]; }); break;
        case part::evolve: {
            constexpr double alpha = 1e-6, pi = 3.14159265358979323846;
            w.each(points_of_y(), [&](unsigned i) {
                unsigned const x = i % nx, y = i / nx % own_y() + static_cast<unsigned>(first_y(rank)), z = i / nx / own_y();
                double const kx = frequency(x, 0), ky = frequency(y, 1), kz = frequency(z, 2);
                to[i] = exp(-4 * alpha * pi * pi * (kx * kx + ky * ky + kz * kz) * s.time) * kept[i];
            });
            break;
        }
        case part::checksum: {
            complex sum{0, 0};
            w.each(1024, [&](unsigned i) {
                unsigned const j = i + 1, x = j % nx, y = 3 * j % ny, z = 5 * j % static_cast<unsigned>(points(2));
                if (auto const own = z - static_cast<unsigned>(first_z(rank)); own < own_z())
                    sum = sum + from[(own * ny + y) * nx + x];
            });
            parts[added * w.me] = sum.re;
            parts[added * w.me + 1] = sum.im;
            break;
        }
        case part::gather: npb::sum_of_threads<added>(w, parts, sums); break;
        }
    }

    /// Stockham's, in which neighbouring threads have neighbouring points. 2^(stage + 1) points have been transformed behind it.
    template <class Thread>
    SODE_GPU void transform(npb::workers<Thread> const& w, step const& s, complex const* from, complex* to) const {
        int const power = powers[static_cast<std::size_t>(s.dimension)];
        unsigned const stride = s.dimension == 0 ? 1 : s.dimension == 1 ? static_cast<unsigned>(points(0)) : own_y() << powers[0];
        unsigned const half = (1U << power) / 2, done = 1U << s.stage;
        unsigned const count = s.dimension == 2 ? points_of_y() : points_of_z();
        w.each(count / 2, [&](unsigned i) {
            unsigned const inner = i % stride, b = i / stride % half, outer = i / stride / half;
            unsigned const k = b & (done - 1), j = b >> s.stage, base = outer * stride * 2 * half + inner;
            complex const one = from[base + stride * (k + j * done)], two = from[base + stride * (k + j * done + half)];
            complex root = roots[j << (root_power - power + s.stage)];
            if (s.back) root.im = -root.im;
            to[base + stride * (k + 2 * j * done)] = one + two;
            to[base + stride * (k + 2 * j * done + done)] = root * (one - two);
        });
    }
    SODE_GPU double frequency(unsigned at, int dimension) const {
        int const n = points(dimension), k = static_cast<int>(at);
        return k < n / 2 ? k : k - n;
    }
    SODE_GPU int owner_of_y(unsigned y) const { return static_cast<int>(((y + 1) * static_cast<unsigned>(size) - 1) >> powers[1]); }
    /// The piece of a rank has all of this rank's planes z, and of them what has that rank's y.
    SODE_GPU std::size_t piece_of(int of_rank) const { return static_cast<std::size_t>(first_y(of_rank)) * own_z() << powers[0]; }
    SODE_GPU std::size_t in_pieces(int owner, unsigned x, unsigned y, unsigned z) const {
        auto const rows = static_cast<unsigned>(first_y(owner + 1) - first_y(owner));
        return piece_of(owner) + ((z * rows + y - static_cast<unsigned>(first_y(owner))) << powers[0]) + x;
    }

    SODE_GPU int message_count(int) const { return size - 1; }
    SODE_GPU npb::message message_of(int pattern, int number) const {
        int const away = number + 1, to = (rank + away) % size, from = (rank + size - away) % size;
        // By rank: where its planes z begin where this rank has its planes y of all z.
        auto const of_z = [&](int of_rank) { return static_cast<std::size_t>(first_z(of_rank)) * own_y() << powers[0]; };
        auto const piece = [&](int r) { return reinterpret_cast<double*>(pieces + piece_of(r)); };
        auto const planes = [&](int r) {
            auto const at =
                static_cast<std::size_t>(pattern == to_planes_of_y ? 1 - sent_from[to_planes_of_y] : sent_from[to_planes_of_z]);
            return reinterpret_cast<double*>(work[at] + of_z(r));
        };
        auto const in_piece = [&](int r) { return 2 * (piece_of(r + 1) - piece_of(r)); };
        auto const in_planes = [&](int r) { return 2 * (of_z(r + 1) - of_z(r)); };
        if (pattern == to_planes_of_y) return {to, from, 0, piece(to), in_piece(to), planes(from), in_planes(from)};
        return {to, from, 0, planes(to), in_planes(to), piece(from), in_piece(from)};
    }
};

/// The whole problem, and which of `work` messages are in.
std::vector<fourier::step> all_steps(fourier& f) {
    std::vector<fourier::step> all;
    int in = 1; // begin() writes into 0
    auto const compute = [&](part what, int dimension = 0, int stage = 0, bool back = false, int time = 0) {
        all.push_back({npb::deed::compute, 0, what, in, dimension, stage, back, time});
        in = 1 - in;
    };
    auto const transform = [&](int dimension, bool back) {
        for (int stage = 0; stage < f.powers[static_cast<std::size_t>(dimension)]; ++stage)
            compute(part::transform, dimension, stage, back);
    };
    auto const communicate = [&](npb::deed how, int pattern) { all.push_back({how, pattern, part::gather, in, 0, 0, false, 0}); };
    auto const reads = [&](part what) { // and writes elsewhere
        compute(what);
        in = 1 - in;
    };
    compute(part::begin);
    transform(0, false);
    transform(1, false);
    f.sent_from[fourier::to_planes_of_y] = in;
    compute(part::scatter);
    communicate(npb::deed::communicate, fourier::to_planes_of_y);
    transform(2, false);
    reads(part::keep);
    for (int time = 1; time <= moments; ++time) {
        in = 1;
        compute(part::evolve, 0, 0, false, time);
        transform(2, true);
        f.sent_from[fourier::to_planes_of_z] = in;
        communicate(npb::deed::communicate, fourier::to_planes_of_z);
        compute(part::collect);
        transform(1, true);
        transform(0, true);
        reads(part::checksum);
        reads(part::gather);
        communicate(npb::deed::add_up, time - 1);
    }
    return all;
}

npb::outcome solve(sode::runtime& rt) {
    auto const& of = npb::wanted_class(rt, classes);
    fourier f{};
    f.powers = of.powers;
    f.rank = rt.rank();
    f.size = rt.size();
    if (f.size > std::min(f.points(1), f.points(2)))
        throw sode::error{sode::error_kind::usage, "class " + std::string{of.name} + " has too few planes for so many ranks",
                          "each rank needs one of its " + std::to_string(std::min(f.points(1), f.points(2))), "use fewer ranks"};
    gmpi::context ctx{rt, npb::options_of(rt)};
    auto const shape = npb::shape_for(rt, ctx, {64, 128});
    std::size_t const most = std::max(f.points_of_y(), f.points_of_z());
    std::array<std::shared_ptr<complex[]>, 4> memory;
    for (auto& m : memory) m = ctx.allocate<complex>(most);
    f.work = {memory[0].get(), memory[1].get()};
    f.pieces = memory[2].get();
    f.kept = memory[3].get();
    f.root_power = std::max({of.powers[0], of.powers[1], of.powers[2]});
    std::vector<complex> roots(std::size_t{1} << f.root_power);
    for (std::size_t k = 0; k < roots.size(); ++k) {
        auto const angle = -2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(roots.size());
        roots[k] = {std::cos(angle), std::sin(angle)};
    }
    auto const on_device = npb::on_device(ctx, roots);
    f.roots = on_device.get();
    constexpr std::size_t results = fourier::added * moments;
    auto const parts = ctx.allocate<double>(std::size_t{fourier::added} * shape.blocks * shape.threads),
               sums = ctx.allocate<double>(std::size_t{2} * fourier::added), sums_of_all = ctx.allocate<double>(results);
    f.parts = parts.get();
    f.sums = sums.get();
    f.results = sums_of_all.get();

    auto o = npb::outcome_of("FT class " + std::string{of.name}, ctx);
    auto const points = static_cast<double>(std::size_t{1} << (of.powers[0] + of.powers[1] + of.powers[2]));
    auto const right = [&](std::vector<double> const& found) {
        constexpr double tolerance = 1e-12;
        for (std::size_t i = 0; i < results; ++i)
            if (!npb::near(found[i] / points, of.checksums[i], tolerance)) return false;
        return true;
    };
    auto const steps = all_steps(f);
    auto const values = npb::solve_in_both_ways(
        rt, ctx, shape, f, steps, results, right, [] {}, o);
    char text[80];
    std::snprintf(text, sizeof text, "last checksum %.12e %.12e", values[results - 2] / points, values[results - 1] / points);
    o.values = text;
    return o;
}

} // namespace

int main(int argc, char** argv) {
    return npb::run(argc, argv, solve);
}
