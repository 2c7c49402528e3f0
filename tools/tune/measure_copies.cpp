// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_sequence.hpp"
#include "model/message_path.hpp"
#include "tune/by_turns.hpp"
#include "tune/measure.hpp"

#include <atomic>
#include <cstring>

namespace sode::internal::tools {
namespace {

// Rank 0 has just written what rank 1 copies, into lines of its own.
double pull(int rank, layout const& what, workplace const& here, turns& turn) {
    auto const program = compile_sequence(what, what);
    return by_turns(
        rank, 1, here, turn, [] {}, [&] { here.rewrite(what); }, [&] { run(program, here.own(), here.array(0)); });
}

// The same by rank 0, into lines that rank 1 has written. They must have arrived, not just be on their way.
double push(int rank, layout const& what, workplace const& here, turns& turn) {
    auto const program = compile_sequence(what, what);
    auto const rewrite = [&] { here.rewrite(what); };
    return by_turns(rank, 0, here, turn, rewrite, rewrite, [&] {
        run(program, here.array(1), here.own());
        std::atomic_thread_fence(std::memory_order_seq_cst);
    });
}

// Rank 0 packs piece by piece, and rank 1 unpacks each as soon as it is there, as the MPI layer does it
// (interpose/transport/outbox.cpp): far, by wide copies.
class stage {
public:
    stage(layout const& what, distance apart)
        : packing_(pack_chunks(what, stage_piece(what.bytes(), apart))),
          unpacking_(unpack_chunks(what, stage_piece(what.bytes(), apart))), apart_(apart) {}

    void pack(std::byte* to, std::byte const* from, turns& turn) {
        for (auto const& piece : packing_) {
            bool const direct = apart_ == distance::near;
            run(piece.program, direct ? to + piece.begin : own_.data(), from);
            if (!direct) std::memcpy(to + piece.begin, own_.data(), static_cast<std::size_t>(piece.bytes));
            turn.say();
        }
    }
    void unpack(std::byte* to, std::byte const* from, turns& turn) {
        for (auto const& piece : unpacking_) {
            turn.hear();
            bool const direct = apart_ == distance::near;
            if (!direct) std::memcpy(own_.data(), from + piece.begin, static_cast<std::size_t>(piece.bytes));
            run(piece.program, to, direct ? from + piece.begin : own_.data());
        }
    }

private:
    std::vector<packed_chunk> packing_;
    std::vector<packed_chunk> unpacking_;
    distance apart_;
    alignas(64) std::array<std::byte, longest_stage_piece> own_{};
};

double by_stage(int rank, layout const& what, distance apart, workplace const& here, turns& turn) {
    stage through{what, apart};
    // When it began is told through memory, before the first piece.
    auto* const begun = reinterpret_cast<std::int64_t*>(here.stage(0));
    std::byte* const bytes = here.stage(0) + 4096;
    std::vector<double> times;
    for (int i = 0; i < workplace::repetitions; ++i) {
        if (rank == 0) {
            here.rewrite(what);
            turn.hear();
            *begun = now_ns();
            through.pack(bytes, here.own(), turn);
        } else {
            turn.say();
            through.unpack(here.own(), bytes, turn);
            auto const ended = now_ns();
            times.push_back(static_cast<double>(ended - *begun));
        }
    }
    return rank == 0 ? 0 : median(times);
}

} // namespace

copy_times measure_copies(int rank, distance apart, workplace const& here, turns& turn) {
    copy_times t{};
    for (std::size_t i = 0; i < t.size(); ++i) {
        auto const& [where, how] = copy_samples()[i];
        t[i] = how == message_path::direct ? pull(rank, where, here, turn)
               : how == message_path::push ? push(rank, where, here, turn)
                                           : by_stage(rank, where, apart, here, turn);
    }
    return t;
}

} // namespace sode::internal::tools
