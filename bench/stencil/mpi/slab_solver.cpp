// SPDX-License-Identifier: Apache-2.0
#include "stencil/mpi/slab_solver.hpp"
#include "stencil/mpi/slab_place.hpp"
#include "stencil/mpi/with_fields.hpp"

#include <vector>

namespace sode::internal::bench {
namespace {

template <class Fields> slab_edges edges_of(MPI_Comm comm, Fields const& f, slab own) {
    auto const half = [&](int h) {
        return slab_edges::layers{f.layer(h, own.from - Fields::reach), f.layer(h, own.from), f.layer(h, own.to - Fields::reach),
                                  f.layer(h, own.to)};
    };
    return {comm, {half(0), half(1)}, Fields::reach * f.layer_bytes()};
}

/// What all problems do in a step; `Problem::sweep(t, layers, now)` computes, `Problem::end_of_step()` is thread 0's, after all.
template <class Fields, bool Reduces> class slab_solver final : public solver {
public:
    slab_solver(crew who, problem_size size)
        : who_(std::move(who)), size_(size), place_(who_.ranks), own_(own_part(place_, size, reach)),
          fields_(size, {own_.from - reach, own_.to + reach}), edges_(edges_of(who_.ranks, fields_, own_)),
          partial_(static_cast<std::size_t>(who_.threads.size())) {
        // Each thread is the first to touch what it will work on; the halos are filled with what lies on both sides.
        who_.threads.run([this](int t) {
            slab mine = part_of(own_, who_.threads.size(), t);
            if (t == 0) mine.from -= reach;
            if (t + 1 == who_.threads.size()) mine.to += reach;
            fields_.fill(mine);
        });
    }

    void steps(int n) override {
        who_.threads.run([this, n](int t) {
            for (int s = 0; s < n; ++s) step(t, (now_ + s) % 2);
        });
        now_ = (now_ + n) % 2;
    }

    [[nodiscard]] std::uint64_t fingerprint() const override {
        return fields_.fingerprint(with_ends(own_, size_.layers, reach), now_);
    }
    void meet() override { MPI_Barrier(who_.ranks); }
    void rest() override { who_.threads.rest(); }

private:
    static constexpr long reach = Fields::reach;
    struct alignas(128) partial {
        double sum = 0;
    };

    void step(int t, int now) {
        partial_[static_cast<std::size_t>(t)].sum = 0;
        slab const mine = part_of(own_, who_.threads.size(), t);
        if (!edges_.any())
            sweep(t, mine, now);
        else if (who_.how == overlap::no)
            after_the_halos(t, mine, now);
        else
            meanwhile(t, mine, now);
        who_.threads.barrier();
        if constexpr (Reduces) {
            if (t == 0) reduce();
            who_.threads.barrier();
        }
    }

    void after_the_halos(int t, slab mine, int now) {
        if (t == 0) {
            edges_.start(now);
            edges_.wait(now);
        }
        who_.threads.barrier();
        sweep(t, mine, now);
    }

    void meanwhile(int t, slab mine, int now) {
        // MPI moves bytes when it is called, so whoever computes meanwhile calls it now and then.
        constexpr int chunks = 4;
        bool const first = t == 0, last = t + 1 == who_.threads.size();
        bool const before = place_.rank > 0, behind = place_.rank + 1 < place_.ranks;
        slab const inner{mine.from + (first && before ? reach : 0), mine.to - (last && behind ? reach : 0)};
        if (t == 0) edges_.start(now);
        for (int c = 0; c < chunks; ++c) {
            sweep(t, part_of(inner, chunks, c), now);
            if (t == 0 && c + 1 < chunks) edges_.progress(now);
        }
        if (t == 0) edges_.wait(now);
        who_.threads.barrier();
        if (first && before) sweep(t, {own_.from, own_.from + reach}, now);
        if (last && behind) sweep(t, {own_.to - reach, own_.to}, now);
    }

    void sweep(int t, slab s, int now) {
        if (s.layers() <= 0) return;
        if constexpr (Reduces)
            partial_[static_cast<std::size_t>(t)].sum += fields_.sweep(s, now);
        else
            fields_.sweep(s, now);
    }

    void reduce() {
        double sum = 0;
        for (auto const& p : partial_) sum += p.sum;
        if (edges_.any()) MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, who_.ranks);
        change_ = sum;
    }

    crew who_;
    problem_size size_;
    slab_place place_;
    slab own_;
    Fields fields_;
    slab_edges edges_;
    std::vector<partial> partial_;
    double change_ = 0;
    int now_ = 0;
};

} // namespace

std::unique_ptr<solver> by_slabs(std::string const& problem, crew who, problem_size size) {
    return with_fields(problem, [&]<class Fields, bool Reduces>() -> std::unique_ptr<solver> {
        return std::make_unique<slab_solver<Fields, Reduces>>(std::move(who), size);
    });
}

} // namespace sode::internal::bench
