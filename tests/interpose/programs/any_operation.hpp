// SPDX-License-Identifier: Apache-2.0
#pragma once
// One collective call that chance has made.
#include "any_elements.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace any {

enum kind : int {
    barrier,
    bcast,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    alltoallw,
    reduce,
    allreduce,
    reduce_scatter,
    reduce_scatter_block,
    scan,
    exscan,
    neighbor_allgather,
    neighbor_allgatherv,
    neighbor_alltoall,
    neighbor_alltoallv,
    neighbor_alltoallw,
    kinds
};
constexpr std::array<char const*, kinds> names{"barrier",
                                               "bcast",
                                               "gather",
                                               "gatherv",
                                               "scatter",
                                               "scatterv",
                                               "allgather",
                                               "allgatherv",
                                               "alltoall",
                                               "alltoallv",
                                               "alltoallw",
                                               "reduce",
                                               "allreduce",
                                               "reduce_scatter",
                                               "reduce_scatter_block",
                                               "scan",
                                               "exscan",
                                               "neighbor_allgather",
                                               "neighbor_allgatherv",
                                               "neighbor_alltoall",
                                               "neighbor_alltoallv",
                                               "neighbor_alltoallw"};

// What comes again and again: equal on all ranks.
struct pattern {
    kind what;
    int n;       // elements of a block
    int root;    // in the group that has it
    bool here;   // intercommunicators: the root is in the first group
    unsigned of; // which element, operator; and lists
};

enum class mode { blocking, nonblocking, persistent, plain };

constexpr int margin = 256;

// A call, from its begin to its end.
class operation {
public:
    operation(place const& p, pattern const& t, element const& e, MPI_Op op, int call, chance& own, bool first_group,
              bool all_in_place)
        : p_(p), t_(t), e_(e), op_(op), call_(call) {
        int const blocks = std::max({p.size, p.others, static_cast<int>(p.sources.size()), static_cast<int>(p.targets.size())});
        auto const size = static_cast<std::size_t>(blocks * (t.n + 3) * e.extent * 3 + 2 * margin);
        from_.resize(size), to_.resize(size);
        combines_ = t.what >= reduce && t.what <= exscan;
        bool const alone = t.what == gather || t.what == gatherv || t.what == scatter || t.what == scatterv || t.what == reduce ||
                           t.what == scan || t.what == exscan;
        in_place_ = !p.inter && (alone ? pick(own, 0, 3) == 0 : all_in_place);
        send_ = combines_ ? 0 : pick(own, 0, lists() ? 2 : 7), recv_ = combines_ ? 0 : pick(own, 0, lists() ? 2 : 7);
        if (lists()) send_ *= 2, recv_ *= 2; // 0, 2, 4
#if !defined(OPEN_MPI)
        // MPI_Gather and MPI_Scatter of MPICH 4.0 between groups, of more than 8 KiB: ranks that describe a block as one element of
        // a derived datatype, and others as many elements, wait for each other for ever.
        if (p.inter && (t.what == gather || t.what == scatter)) send_ = send_ / 2 * 2, recv_ = recv_ / 2 * 2; // many elements each
        // MPI_Allgatherv of MPICH 4.0 by its ring, of blocks of more than 32 KiB: it goes in pieces of as many elements as the
        // extent of each rank's own receive type says, so ranks whose extents differ end with "Message truncated".
        if (t.what == allgatherv && 3 * t.n * e.extent > 32768)
            recv_ = static_cast<int>(2 * (t.of / 4 % 3)); // the same on all ranks
#endif
        bool const rooted = t.what == bcast || t.what == reduce || (t.what >= gather && t.what <= scatterv);
        if (p.inter && rooted)
            root_ = first_group == t.here ? (p.rank == t.root % p.size ? MPI_ROOT : MPI_PROC_NULL) : t.root % p.others;
        else
            root_ = t.root % p.size;
        at_root_ = p.inter ? root_ == MPI_ROOT : p.rank == root_;
        bool const may = t.what != barrier && t.what != bcast && t.what < neighbor_allgather;
        if (!may || (rooted && !at_root_)) in_place_ = false;
        if ((t.what == alltoallv || t.what == alltoallw) && !symmetric()) in_place_ = false;
        // MPICH 4.0 reads at MPI_IN_PLACE where the root of a longer reduction is not rank 0.
        if (t.what == reduce && root_ != 0) in_place_ = false;
        fill(from_, call, own), fill(to_, call + 1, own);
    }
    operation(operation&&) = default;
    operation(operation const&) = delete;
    operation& operator=(operation const&) = delete;
    operation& operator=(operation&&) = delete;
    ~operation() = default;

    [[nodiscard]] std::string text() const {
        return std::string{names[static_cast<std::size_t>(t_.what)]} + " on " + p_.name + ", n " + std::to_string(t_.n) + " of " +
               e_.name + ", root " + std::to_string(root_) + (in_place_ ? ", in place" : "") + ", op " +
               std::to_string(t_.of / 8 % e_.ops.size()) + ", layouts " + std::to_string(send_) + " " + std::to_string(recv_);
    }
    // What the MPI makes of it, first.
    void begin(mode m, MPI_Request* request) {
        at_work = text() + ", call " + std::to_string(call_) + (m == mode::blocking ? ", blocking" : ", nonblocking");
        if (number_of("TEST_TRACE", 0)) std::fprintf(stderr, "%d: %s\n", world_rank, at_work.c_str());
        expected_ = to_;
        if (t_.what == bcast && at_root_) to_ = from_, expected_ = from_;
        if (call(mode::plain, from_.data(), expected_.data(), nullptr) != MPI_SUCCESS) fail("the MPI's own");
        if (call(m, from_.data(), to_.data(), request) != MPI_SUCCESS) fail("error");
    }
    void again(int call_number, chance& own, MPI_Request* request) {
        fill(from_, call_number, own), fill(to_, call_number + 1, own);
        if (t_.what == bcast && at_root_) to_ = from_;
        expected_ = to_;
        if (call(mode::plain, from_.data(), expected_.data(), nullptr) != MPI_SUCCESS) fail("the MPI's own");
        MPI_Start(request);
    }
    void expect(char const* how) {
        at_work = text() + ", " + how;
        if (t_.what == exscan && p_.rank == 0) return;
        if (t_.what == reduce && !at_root_) return;
        if (!combines_) {
            for (std::size_t i = 0; i < to_.size(); ++i)
                if (to_[i] != expected_[i])
                    fail("byte " + std::to_string(static_cast<long>(i) - margin) + ": " + std::to_string(to_[i]) + " for " +
                         std::to_string(expected_[i]));
            return;
        }
        int n = t_.n;
        if (t_.what == reduce_scatter) n = shares()[static_cast<std::size_t>(p_.rank)];
        for (int i = 0; i < n; ++i)
            for (auto const& [a, b] : e_.says)
                for (int k = a; k < b; ++k) {
                    auto const at = static_cast<std::size_t>(margin + i * e_.extent + k);
                    if (to_[at] != expected_[at]) fail("element " + std::to_string(i) + ", byte " + std::to_string(k));
                }
        bool const rest = in_place_ && (t_.what == reduce_scatter || t_.what == reduce_scatter_block);
        if (rest) n = t_.n * p_.size;
        for (std::size_t at = static_cast<std::size_t>(margin + n * e_.extent); at < to_.size(); ++at)
            if (to_[at] != expected_[at]) fail("behind the result, byte " + std::to_string(at));
    }

private:
    [[nodiscard]] bool lists() const {
        return t_.what == gatherv || t_.what == scatterv || t_.what == allgatherv || t_.what == alltoallv || t_.what == alltoallw ||
               t_.what == neighbor_allgatherv || t_.what == neighbor_alltoallv || t_.what == neighbor_alltoallw;
    }
    void fill(bytes& b, int call, chance& own) const {
        for (auto& one : b) one = static_cast<unsigned char>(own());
        if (!combines_) return;
        int const n = static_cast<int>(b.size() - 2 * margin) / e_.extent;
        for (int i = 0; i < n; ++i)
            e_.fill(b.data() + margin + i * e_.extent, static_cast<unsigned>(7 * p_.rank + 3 * call + i) + own() % 50);
    }
    // Elements that rank r gives in block b; of MPI_Allgatherv and so on: b is 0.
    [[nodiscard]] int share(int r, int b) const {
        return static_cast<int>((t_.of / 64 + static_cast<unsigned>(r * 31 + b * 17)) % static_cast<unsigned>(t_.n + 1));
    }
    [[nodiscard]] std::vector<int> shares() const {
        std::vector<int> s;
        for (int r = 0; r < p_.size; ++r) s.push_back(share(r, 0));
        if (p_.inter) { // both groups combine as many
            int const most = std::max(p_.size, p_.others);
            s.assign(static_cast<std::size_t>(p_.size), 0);
            for (int r = 0; r < most; ++r) s[static_cast<std::size_t>(r % p_.size)] += 1;
        }
        return s;
    }

    int call(mode m, unsigned char* from_memory, unsigned char* to_memory, MPI_Request* request) {
        auto* const f = from_memory + margin;
        auto* const t = to_memory + margin;
        auto const s = lay(send_, t_.n, e_.type, e_.extent, f), r = lay(recv_, t_.n, e_.type, e_.extent, t);
        void* const from = in_place_ ? MPI_IN_PLACE : s.absolute ? MPI_BOTTOM : static_cast<void*>(f);
        void* const to = r.absolute ? MPI_BOTTOM : static_cast<void*>(t);
        auto const result = call(m, from, to, s, r, request);
        if (s.made) {
            auto x = s;
            x.free();
        }
        if (r.made) {
            auto x = r;
            x.free();
        }
        return result;
    }

    struct lists_of {
        std::vector<int> counts, at;
        std::vector<MPI_Aint> far;
        std::vector<MPI_Datatype> types;
    };
    lists_of& list(int parts, std::function<int(int)> const& n, MPI_Datatype type, bool in_bytes) {
        auto& l = *kept_.emplace_back(std::make_unique<lists_of>());
        MPI_Aint lower = 0, extent = 0;
        MPI_Type_get_extent(type, &lower, &extent);
        for (int i = 0; i < std::max(parts, 1); ++i) {
            l.counts.push_back(i < parts ? n(i) : 0);
            int const at = (parts - 1 - i) * (t_.n + 1); // the last one first, and room between them
            l.at.push_back(in_bytes ? at * static_cast<int>(extent) : at);
            l.far.push_back(at * extent);
            l.types.push_back(type);
        }
        return l;
    }

#ifdef TEST_PERSISTENT
#define CALL(NAME, INAME, ...)                                                                                                     \
    (m == mode::plain         ? PLAIN(NAME)(__VA_ARGS__)                                                                           \
     : m == mode::blocking    ? MPI_##NAME(__VA_ARGS__)                                                                            \
     : m == mode::nonblocking ? MPI_##INAME(__VA_ARGS__, request)                                                                  \
                              : (MPI_##NAME##_init(__VA_ARGS__, MPI_INFO_NULL, request), MPI_Start(request)))
#else
#define CALL(NAME, INAME, ...)                                                                                                     \
    (m == mode::plain      ? PLAIN(NAME)(__VA_ARGS__)                                                                              \
     : m == mode::blocking ? MPI_##NAME(__VA_ARGS__)                                                                               \
                           : MPI_##INAME(__VA_ARGS__, request))
#endif
    int call(mode m, void* from, void* to, layout const& s, layout const& r, MPI_Request* request) {
        auto const c = p_.communicator;
        int const parts = p_.others, n = t_.n, me = p_.rank;
        auto const gives = [&](int b) { return share(me, b); };
        auto const takes = [&](int b) { return share(b, me); };
        auto const each = [&](int b) { return share(b, 0); };
        switch (t_.what) {
        case barrier: return CALL(Barrier, Ibarrier, c);
        case bcast: return CALL(Bcast, Ibcast, to, r.count, r.type, root_, c);
        case gather: return CALL(Gather, Igather, from, s.count, s.type, to, r.count, r.type, root_, c);
        case gatherv: {
            auto& l = list(parts, each, r.type, false);
            return CALL(Gatherv, Igatherv, from, share(me, 0), s.type, to, l.counts.data(), l.at.data(), r.type, root_, c);
        }
        case scatter:
            if (in_place_)
                return CALL(Scatter, Iscatter, s.absolute ? MPI_BOTTOM : from_.data() + margin, s.count, s.type, MPI_IN_PLACE,
                            r.count, r.type, root_, c);
            return CALL(Scatter, Iscatter, from, s.count, s.type, to, r.count, r.type, root_, c);
        case scatterv: {
            auto& l = list(parts, each, s.type, false);
            if (in_place_)
                return CALL(Scatterv, Iscatterv, from_.data() + margin, l.counts.data(), l.at.data(), s.type, MPI_IN_PLACE,
                            share(me, 0), r.type, root_, c);
            return CALL(Scatterv, Iscatterv, from, l.counts.data(), l.at.data(), s.type, to, share(me, 0), r.type, root_, c);
        }
        case allgather: return CALL(Allgather, Iallgather, from, s.count, s.type, to, r.count, r.type, c);
        case allgatherv: {
            auto& l = list(parts, each, r.type, false);
            return CALL(Allgatherv, Iallgatherv, from, share(me, 0), s.type, to, l.counts.data(), l.at.data(), r.type, c);
        }
        case alltoall: return CALL(Alltoall, Ialltoall, from, s.count, s.type, to, r.count, r.type, c);
        case alltoallv:
        case alltoallw: {
            bool const w = t_.what == alltoallw;
            // In place both directions are equal.
            auto const both = [&](int b) { return share(std::min(me, b), std::max(me, b)); };
            auto& g = list(parts, symmetric() ? std::function<int(int)>{both} : gives, s.type, w);
            auto& l = list(parts, symmetric() ? std::function<int(int)>{both} : takes, r.type, w);
            if (w)
                return CALL(Alltoallw, Ialltoallw, from, g.counts.data(), g.at.data(), g.types.data(), to, l.counts.data(),
                            l.at.data(), l.types.data(), c);
            return CALL(Alltoallv, Ialltoallv, from, g.counts.data(), g.at.data(), s.type, to, l.counts.data(), l.at.data(), r.type,
                        c);
        }
        case reduce: return CALL(Reduce, Ireduce, from, to, n, e_.type, op_, root_, c);
        case allreduce: return CALL(Allreduce, Iallreduce, from, to, n, e_.type, op_, c);
        case reduce_scatter: {
            auto& l = *kept_.emplace_back(std::make_unique<lists_of>());
            l.counts = shares();
            return CALL(Reduce_scatter, Ireduce_scatter, from, to, l.counts.data(), e_.type, op_, c);
        }
        case reduce_scatter_block: return CALL(Reduce_scatter_block, Ireduce_scatter_block, from, to, n, e_.type, op_, c);
        case scan: return CALL(Scan, Iscan, from, to, n, e_.type, op_, c);
        case exscan: return CALL(Exscan, Iexscan, from, to, n, e_.type, op_, c);
        case neighbor_allgather:
            return CALL(Neighbor_allgather, Ineighbor_allgather, from, s.count, s.type, to, r.count, r.type, c);
        case neighbor_alltoall: return CALL(Neighbor_alltoall, Ineighbor_alltoall, from, s.count, s.type, to, r.count, r.type, c);
        case neighbor_allgatherv: {
            auto const from_whom = [&](int b) { return share(p_.sources[static_cast<std::size_t>(b)], 0); };
            auto& l = list(static_cast<int>(p_.sources.size()), from_whom, r.type, false);
            return CALL(Neighbor_allgatherv, Ineighbor_allgatherv, from, share(me, 0), s.type, to, l.counts.data(), l.at.data(),
                        r.type, c);
        }
        default: {
            bool const w = t_.what == neighbor_alltoallw;
            auto const to_whom = [&](int b) { return share(me, p_.targets[static_cast<std::size_t>(b)]); };
            auto const from_whom = [&](int b) { return share(p_.sources[static_cast<std::size_t>(b)], me); };
            auto& g = list(static_cast<int>(p_.targets.size()), to_whom, s.type, w);
            auto& l = list(static_cast<int>(p_.sources.size()), from_whom, r.type, w);
            if (w)
                return CALL(Neighbor_alltoallw, Ineighbor_alltoallw, from, g.counts.data(), g.far.data(), g.types.data(), to,
                            l.counts.data(), l.far.data(), l.types.data(), c);
            return CALL(Neighbor_alltoallv, Ineighbor_alltoallv, from, g.counts.data(), g.at.data(), s.type, to, l.counts.data(),
                        l.at.data(), r.type, c);
        }
        }
    }
    // Some ranks may work in place, and others not.
    [[nodiscard]] bool symmetric() const {
        return t_.of % 2 == 0;
    }

    place const& p_;
    pattern t_;
    element const& e_;
    MPI_Op op_;
    int call_;
    bool combines_ = false, in_place_ = false, at_root_ = false;
    int send_ = 0, recv_ = 0, root_ = 0;
    bytes from_, to_, expected_;
    std::vector<std::unique_ptr<lists_of>> kept_;
};

} // namespace any
