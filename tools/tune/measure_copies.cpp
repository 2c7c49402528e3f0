// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_sequence.hpp"
#include "model/message_path.hpp"
#include "tune/by_turns.hpp"
#include "tune/measure.hpp"

#include <algorithm>
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

// How a stage is filled and emptied: by wide copies out of memory of one's own and into it, or not.
struct staging {
    std::int64_t piece = 0;
    bool wide = false;
};

// Rank 0 packs piece by piece, and rank 1 unpacks each as soon as it is there.
class stage {
public:
    stage(layout const& what, staging how)
        : packing_(pack_chunks(what, how.piece)), unpacking_(unpack_chunks(what, how.piece)), wide_(how.wide),
          own_(how.wide ? static_cast<std::size_t>(std::min(how.piece, what.bytes())) : 0) {}

    void pack(std::byte* to, std::byte const* from, turns& turn) {
        for (auto const& piece : packing_) {
            run(piece.program, wide_ ? own_.data() : to + piece.begin, from);
            if (wide_) std::memcpy(to + piece.begin, own_.data(), static_cast<std::size_t>(piece.bytes));
            turn.say();
        }
    }
    void unpack(std::byte* to, std::byte const* from, turns& turn) {
        for (auto const& piece : unpacking_) {
            turn.hear();
            if (wide_) std::memcpy(own_.data(), from + piece.begin, static_cast<std::size_t>(piece.bytes));
            run(piece.program, to, wide_ ? own_.data() : from + piece.begin);
        }
    }

private:
    std::vector<packed_chunk> packing_;
    std::vector<packed_chunk> unpacking_;
    bool wide_;
    std::vector<std::byte> own_;
};

double by_stage(int rank, layout const& what, staging how, workplace const& here, turns& turn) {
    stage through{what, how};
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

// As the MPI layer does it (interpose/transport/outbox.cpp): far, by wide copies.
staging of_messages(layout const& what, distance apart) {
    return {.piece = stage_piece(what.bytes(), apart), .wide = apart != distance::near};
}

double message(int rank, copy_sample const& sample, distance apart, workplace const& here, turns& turn) {
    switch (sample.how) {
    case message_path::direct: return pull(rank, sample.where, here, turn);
    case message_path::push: return push(rank, sample.where, here, turn);
    default: return by_stage(rank, sample.where, of_messages(sample.where, apart), here, turn);
    }
}

} // namespace

copy_times measure_copies(int rank, distance apart, workplace const& here, turns& turn) {
    copy_times t{};
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = message(rank, copy_samples()[i], apart, here, turn);
    return t;
}

check_times measure_checks(int rank, distance apart, workplace const& here, turns& turn) {
    check_times t{};
    for (std::size_t i = 0; i < checks().size(); ++i) {
        auto const& what = checks()[i].where;
        if (checks()[i].of == checked::message) {
            for (std::size_t k = 0; k < checked_ways; ++k) t[i][k] = message(rank, {what, checked_paths[k]}, apart, here, turn);
        } else {
            t[i] = {pull(rank, what, here, turn), by_stage(rank, what, {.piece = what.bytes()}, here, turn),
                    by_stage(rank, what, {.piece = what.bytes(), .wide = true}, here, turn)};
        }
    }
    return t;
}

} // namespace sode::internal::tools
