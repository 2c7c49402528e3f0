// SPDX-License-Identifier: Apache-2.0
#include "tune/measure.hpp"

#include "tune/by_turns.hpp"

namespace sode::internal::tools {
namespace {

using namespace tune_shapes;

layout short_face() {
    return rows_of(short_rows, short_row_bytes, short_pitch);
}

// Rank 0 has just written what rank 1 then copies into its own array, box to box.
double pull(int rank, layout const& what, workplace const& here, turns& turn) {
    auto const program = compile(what, what);
    return by_turns(
        rank, 1, here, turn, [] {}, [&] { here.rewrite(what); }, [&] { run(program, here.own(), here.array(0)); });
}

// Rank 0 packs into its stage, rank 1 unpacks: the lines of the stage go from core to core.
void stage(int rank, pair_times& t, workplace const& here, turns& turn) {
    auto const face = short_face();
    auto const packing = compile_pack(face), unpacking = compile_unpack(face);
    std::vector<double> times;
    for (int i = 0; i < workplace::repetitions; ++i) {
        if (rank == 0) {
            here.rewrite(face);
            auto const begin = now_ns();
            run(packing, here.stage(0), here.own());
            times.push_back(here.since(begin));
            turn.say();
            turn.hear();
        } else {
            turn.hear();
            auto const begin = now_ns();
            run(unpacking, here.own(), here.stage(0));
            times.push_back(here.since(begin));
            turn.say();
        }
    }
    (rank == 0 ? t.pack_shared : t.unpack_shared) = median(times);
}

double pack(workplace const& here, layout const& what) {
    auto const program = compile_pack(what);
    return here.time([&] { here.rewrite(what); }, [&] { run(program, here.quiet(1), here.own()); });
}

// Out of a stage that this core has written.
double unpack(workplace const& here, layout const& what) {
    auto const packing = compile_pack(what), unpacking = compile_unpack(what);
    return here.time([&] { run(packing, here.quiet(1), here.own()); }, [&] { run(unpacking, here.own(), here.quiet(1)); });
}

double copy(workplace const& here, std::int64_t bytes) {
    auto const what = contiguous(0, bytes);
    auto const program = compile(what, what);
    return here.time([&] { here.rewrite(what); }, [&] { run(program, here.quiet(1), here.own()); });
}

} // namespace

pair_times measure_pair(int rank, workplace const& here, turns& turn) {
    pair_times t;
    for (std::size_t i = 0; i < pulled.size(); ++i) t.pulled[i] = pull(rank, contiguous(0, pulled[i]), here, turn);
    t.rows = pull(rank, rows_of(rows, row_bytes, row_pitch), here, turn);
    t.short_rows = pull(rank, short_face(), here, turn);
    stage(rank, t, here, turn);
    if (rank == 0)
        t.pack_private = pack(here, short_face());
    else
        t.unpack_private = unpack(here, short_face());
    return t;
}

local_times measure_local(workplace const& here) {
    local_times t;
    for (std::size_t i = 0; i < cached.size(); ++i) t.cached[i] = copy(here, cached[i]);
    for (std::size_t i = 0; i < big.size(); ++i) t.big[i] = copy(here, big[i]);
    t.pack = pack(here, short_face());
    t.unpack = unpack(here, short_face());
    t.far_rows = pack(here, rows_of(far_rows, short_row_bytes, far_pitch));
    return t;
}

} // namespace sode::internal::tools
