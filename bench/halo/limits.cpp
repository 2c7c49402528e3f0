// SPDX-License-Identifier: Apache-2.0
#include "halo/limits.hpp"
#include "halo/copies.hpp"
#include "layout/copy_program.hpp"
#include "support/limit.hpp"

#include <algorithm>
#include <utility>

namespace sode::internal::bench {
namespace {

/// A box, copied by the library's kernel for it.
class kernel_copy {
public:
    kernel_copy(place const& to, place const& from, extent3 const& size)
        : to_(reinterpret_cast<std::byte*>(to.origin)), from_(reinterpret_cast<std::byte const*>(from.origin)),
          program_(compile(layout_of(from, size), layout_of(to, size))) {}
    void run() const noexcept { sode::internal::run(program_, to_, from_); }

private:
    static layout layout_of(place const& p, extent3 const& size) {
        layout l;
        l.block = sizeof(double);
        for (std::size_t d = 0; d < 3; ++d) l.loops.push_back({size[d], p.strides[d]});
        return normalised(std::move(l));
    }

    std::byte* to_;
    std::byte const* from_;
    copy_program program_;
};

/// Half a cache line, as the library's chooser has it.
constexpr std::int64_t short_row = 48;

bool is_short(box const& b) {
    return b.size[2] * static_cast<std::int64_t>(sizeof(double)) < short_row;
}

/// Of one rank: the packed boxes that it sends, one behind the other; `use(direction, field, bytes before it)`.
template <class Use> std::int64_t for_each_packed(rank_block const& b, Use use) {
    std::int64_t at = 0;
    for (int field = 0; field < b.shape().fields; ++field)
        for (auto const& d : directions()) {
            auto const to = b.neighbour(d);
            if (!to || *to == b.rank() || !is_short(b.edge(d))) continue;
            use(d, field, at);
            at += (bytes(b.edge(d)) + 63) / 64 * 64;
        }
    return at;
}

/// In one go, or packing first.
template <class Copy> class bare_exchange final : public field_subject {
public:
    bare_exchange(std::string const& name, rank_block const& b, std::vector<fields> const& everywhere)
        : field_subject(limit_prefix + name, everywhere[static_cast<std::size_t>(b.rank())]) {
        copy_within(b);
        for (int peer : b.peers()) copy_from(b, everywhere[static_cast<std::size_t>(peer)], false);
    }
    /// `stages`: where each rank packs, as this rank reaches it.
    bare_exchange(std::string const& name, rank_block const& b, std::vector<fields> const& everywhere,
                  std::vector<char*> const& stages)
        : field_subject(limit_prefix + name, everywhere[static_cast<std::size_t>(b.rank())]) {
        copy_within(b);
        packs_ = true;
        for_each_packed(b, [&](direction d, int field, std::int64_t at) {
            add(pack_, place::packed(stages[static_cast<std::size_t>(b.rank())] + at, b.edge(d).size),
                place::in(data(), field, b.edge(d)), b.edge(d).size);
        });
        for (int peer : b.peers()) {
            fields const& theirs = everywhere[static_cast<std::size_t>(peer)];
            copy_from(b, theirs, true);
            for_each_packed(theirs.where(), [&](direction d, int field, std::int64_t at) {
                if (theirs.where().neighbour(d) != b.rank()) return;
                box const to = b.halo(opposite(d));
                add(copy_, place::in(data(), field, to), place::packed(stages[static_cast<std::size_t>(peer)] + at, to.size),
                    to.size);
            });
        }
    }

    void exchange() override {
        for (int p = 0; p < phases(); ++p) phase(p);
    }
    [[nodiscard]] double timed(tick_rate const& rate, control& shared) override {
        return timed_phases(rate, shared, phases(), [this](int p) { phase(p); });
    }

private:
    using copies = std::vector<Copy>;

    [[nodiscard]] int phases() const noexcept { return packs_ ? 2 : 1; }
    void phase(int p) const {
        if (p == 0)
            for (auto const* list : {&pack_, &within_})
                for (auto const& c : *list) c.run();
        if (p == phases() - 1)
            for (auto const& c : copy_) c.run();
    }

    static void add(copies& list, place const& to, place const& from, extent3 const& size) { list.emplace_back(to, from, size); }
    void copy_within(rank_block const& b) {
        for (int field = 0; field < data().count(); ++field)
            for (auto const& d : directions())
                if (b.neighbour(d) == b.rank()) add_box(within_, b, data(), field, d);
    }
    void copy_from(rank_block const& b, fields const& theirs, bool long_rows_only) {
        for (int field = 0; field < data().count(); ++field)
            for (auto const& d : directions())
                if (b.neighbour(d) == theirs.where().rank() && !(long_rows_only && is_short(b.halo(d))))
                    add_box(copy_, b, theirs, field, d);
    }
    void add_box(copies& list, rank_block const& b, fields const& theirs, int field, direction d) {
        box const to = b.halo(d);
        add(list, place::in(data(), field, to), place::in(theirs, field, theirs.where().edge(opposite(d))), to.size);
    }

    bool packs_ = false;
    copies pack_, within_, copy_;
};

} // namespace

halo_limits::halo_limits(mpi_world const& world, rank_block const& b, reachable_arrays const& arrays) {
    for (int r = 0; r < world.size(); ++r) blocks_.emplace_back(b.shape(), r);
    everywhere_ = arrays.in_every_memory(blocks_);
    rank_block const& mine = blocks_[static_cast<std::size_t>(b.rank())];
    subjects_.push_back(std::make_unique<bare_exchange<box_copy>>("rows", mine, everywhere_));
    subjects_.push_back(std::make_unique<bare_exchange<kernel_copy>>("kernels", mine, everywhere_));

    std::int64_t packed = 0; // of the rank with most: all ranks must come to the same answer
    for (auto const& block : blocks_) packed = std::max(packed, for_each_packed(block, [](direction, int, std::int64_t) {}));
    if (packed == 0) return;
    stages_ = std::make_unique<shared_window>(world.communicator(), static_cast<std::size_t>(packed));
    std::vector<char*> stages;
    for (int r = 0; r < world.size(); ++r) stages.push_back(stages_->of(r));
    subjects_.push_back(std::make_unique<bare_exchange<box_copy>>("packed", mine, everywhere_, stages));
    subjects_.push_back(std::make_unique<bare_exchange<kernel_copy>>("kernels-packed", mine, everywhere_, stages));
}

halo_limits::~halo_limits() = default;

} // namespace sode::internal::bench
