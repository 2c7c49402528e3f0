// SPDX-License-Identifier: Apache-2.0
// Loops of MPI collectives, as programs that time an MPI write them: a warm-up, then calls with the same buffers. The program knows
// nothing of Sode; whoever wants to know what the layer does for it runs it with and without (`compare.py`).
//
//     mpirun -n 2 bench_loops_openmpi --style each --only allreduce --sizes 8,65536
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct options {
    std::vector<std::string> only{"barrier", "bcast",   "reduce",    "allreduce", "reduce_scatter_block", "scan", "exscan",
                                  "gather",  "scatter", "allgather", "alltoall"};
    std::vector<int> sizes{8, 64, 512, 1024, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20};
    std::vector<std::string> forms{"blocking", "nonblocking"};
    std::vector<std::string> styles{"each", "row"};
    int warm_up = 0, calls = 0, blocks = 1;
    double seconds = 0.5;
    bool rewrite = false, rotate = false;
};

/// The arguments of one case; of floats where they are combined, as that is what programs combine.
struct buffers {
    MPI_Comm comm;
    int rank, ranks, bytes;
    std::vector<float> in, out;

    void rewrite(int round) {
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(round + rank) + static_cast<float>(i & 7U);
    }
};

using call = std::function<void(int root, MPI_Request* request)>;

call call_of(std::string const& op, buffers& b) {
    auto* const in = b.in.data();
    auto* const out = b.out.data();
    int const n = b.bytes / static_cast<int>(sizeof(float)), c = b.bytes;
    if (op == "barrier") return [&b](int, MPI_Request* r) { r == nullptr ? MPI_Barrier(b.comm) : MPI_Ibarrier(b.comm, r); };
#define LOOP_CALL(NAME, LOWER, ...)                                                                                                \
    return [&b, in, out, n, c](int root, MPI_Request* r) {                                                                         \
        static_cast<void>(root), static_cast<void>(n), static_cast<void>(c), static_cast<void>(in), static_cast<void>(out);        \
        r == nullptr ? MPI_##NAME(__VA_ARGS__, b.comm) : MPI_I##LOWER(__VA_ARGS__, b.comm, r);                                     \
    }
    if (op == "bcast") LOOP_CALL(Bcast, bcast, in, c, MPI_CHAR, root);
    if (op == "reduce") LOOP_CALL(Reduce, reduce, in, out, n, MPI_FLOAT, MPI_SUM, root);
    if (op == "allreduce") LOOP_CALL(Allreduce, allreduce, in, out, n, MPI_FLOAT, MPI_SUM);
    if (op == "reduce_scatter_block") LOOP_CALL(Reduce_scatter_block, reduce_scatter_block, in, out, n, MPI_FLOAT, MPI_SUM);
    if (op == "scan") LOOP_CALL(Scan, scan, in, out, n, MPI_FLOAT, MPI_SUM);
    if (op == "exscan") LOOP_CALL(Exscan, exscan, in, out, n, MPI_FLOAT, MPI_SUM);
    if (op == "gather") LOOP_CALL(Gather, gather, in, c, MPI_CHAR, out, c, MPI_CHAR, root);
    if (op == "scatter") LOOP_CALL(Scatter, scatter, in, c, MPI_CHAR, out, c, MPI_CHAR, root);
    if (op == "allgather") LOOP_CALL(Allgather, allgather, in, c, MPI_CHAR, out, c, MPI_CHAR);
    if (op == "alltoall") LOOP_CALL(Alltoall, alltoall, in, c, MPI_CHAR, out, c, MPI_CHAR);
    throw std::runtime_error{"no such collective: " + op};
}

/// Microseconds a call, of the slowest rank.
double timed(call const& f, buffers& b, MPI_Comm apart, std::string const& style, bool nonblocking, options const& o) {
    auto const once = [&](int i) {
        MPI_Request r = MPI_REQUEST_NULL;
        f(o.rotate ? i % b.ranks : 0, nonblocking ? &r : nullptr);
        if (nonblocking) MPI_Wait(&r, MPI_STATUS_IGNORE);
    };
    bool const loop = style == "loop", each = style == "each" || loop, is_long = b.bytes > 8192;
    int const warm_up = o.warm_up > 0 ? o.warm_up : is_long ? 10 : 100;
    int calls = o.calls > 0 ? o.calls : is_long ? 200 : 1000;
    double const born = MPI_Wtime();
    int done = 0;
    for (; done < warm_up; ++done) {
        if (o.rewrite) b.rewrite(done);
        once(done);
        if (each) MPI_Barrier(b.comm);
    }
    double used = (MPI_Wtime() - born) / warm_up;
    MPI_Bcast(&used, 1, MPI_DOUBLE, 0, apart);
    calls = std::clamp(static_cast<int>(o.seconds / used), std::min(calls, 20), calls);
    int const in_block = std::max(calls / o.blocks, 1);
    std::vector<double> took(static_cast<std::size_t>(o.blocks), 0.0), slowest(took.size());
    for (auto& block : took) {
        MPI_Barrier(b.comm);
        double const begin = MPI_Wtime();
        for (int i = 0; i < in_block; ++i) {
            if (o.rewrite) b.rewrite(++done);
            if (!each) {
                once(i);
                continue;
            }
            double const since = MPI_Wtime();
            once(i);
            block += MPI_Wtime() - since;
            MPI_Barrier(b.comm);
        }
        if (loop || !each) block = MPI_Wtime() - begin;
    }
    MPI_Allreduce(took.data(), slowest.data(), o.blocks, MPI_DOUBLE, MPI_MAX, apart);
    return *std::ranges::min_element(slowest) / in_block * 1e6;
}

/// Of a short message between the first two ranks: tells how far apart their cores are.
double round_trip(MPI_Comm comm, int rank) {
    constexpr int n = 1000;
    int token = 0;
    double const since = MPI_Wtime();
    for (int i = 0; i < n && rank < 2; ++i) {
        if (rank == 0) MPI_Send(&token, 1, MPI_INT, 1, 0, comm);
        MPI_Recv(&token, 1, MPI_INT, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(&token, 1, MPI_INT, 0, 0, comm);
    }
    return (MPI_Wtime() - since) / n * 1e6;
}

void run(options const& o) {
    MPI_Comm apart = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &apart);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(apart, &rank);
    MPI_Comm_size(apart, &ranks);
    if (ranks > 1)
        if (double const t = round_trip(apart, rank); rank == 0) fmt::print("round_trip {:.3f}\n", t);
    for (auto const& op : o.only)
        for (int const bytes : op == "barrier" ? std::vector{0} : o.sizes) {
            bool const many = op != "bcast" && op != "reduce" && op != "allreduce" && op != "scan" && op != "exscan";
            constexpr std::size_t most = std::size_t{1} << 31;
            std::size_t const elements =
                static_cast<std::size_t>(bytes) / sizeof(float) * (many ? static_cast<std::size_t>(ranks) : 1);
            if (2 * elements * sizeof(float) * static_cast<std::size_t>(ranks) > most) continue;
            buffers b{MPI_COMM_WORLD, rank, ranks, bytes, std::vector<float>(elements + 16), std::vector<float>(elements + 16)};
            b.rewrite(0);
            for (auto const& form : o.forms)
                for (auto const& style : o.styles) {
                    if (op == "barrier" && style != "row") continue;
                    double const us = timed(call_of(op, b), b, apart, style, form == "nonblocking", o);
                    if (rank == 0) fmt::print("{} {} {} {} {:.3f}\n", op, form, style, bytes, us);
                    std::fflush(stdout);
                }
        }
    if (ranks > 1)
        if (double const t = round_trip(apart, rank); rank == 0) fmt::print("round_trip {:.3f}\n", t);
    MPI_Comm_free(&apart);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    options o;
    CLI::App app{"Loops of MPI collectives, timed as programs do that know of no layer"};
    app.add_option("--only", o.only, "Collectives")->delimiter(',');
    app.add_option("--sizes", o.sizes, "Bytes")->delimiter(',');
    app.add_option("--forms", o.forms, "blocking, nonblocking")->delimiter(',');
    app.add_option("--styles", o.styles,
                   "each: a barrier after each call, which is timed alone; loop: both are timed, as what one leaves to the other "
                   "shows only so; "
                   "row: calls in a row")
        ->delimiter(',');
    app.add_option("--warm-up", o.warm_up, "Calls before (0: 100, of more than 8 KiB 10)");
    app.add_option("--calls", o.calls, "Calls that are timed (0: 1000, of more than 8 KiB 200)");
    app.add_option("--blocks", o.blocks,
                   "Parts of the timed calls, each after a barrier; the fastest one counts, where others use the machine");
    app.add_option("--seconds", o.seconds, "Fewer calls where they would take longer than this");
    app.add_flag("--rewrite", o.rewrite, "What is given changes before each call, outside of the time if each is timed");
    app.add_flag("--rotate", o.rotate, "Another root each call");
    CLI11_PARSE(app, argc, argv);
    run(o);
    MPI_Finalize();
    return 0;
}
