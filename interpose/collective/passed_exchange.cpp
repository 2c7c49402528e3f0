// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/passed_exchange.hpp"

#include "interpose/collective/neighbourhood.hpp"

#include <sode/mpi_datatype.hpp>

#include <algorithm>
#include <limits>

namespace sode::internal::interpose {

namespace {

// What goes to one rank each, or comes from it.
class parts {
public:
    parts(void const* memory, MPI_Count count, MPI_Datatype type, persistent_lists const& lists)
        : memory_(static_cast<std::byte const*>(memory)), count_(count), type_(type), lists_(lists) {
        MPI_Aint lower = 0;
        if (type != MPI_DATATYPE_NULL) PMPI_Type_get_extent(type, &lower, &extent_);
    }
    [[nodiscard]] passed_memory of(std::size_t i) const {
        if (!lists_.types.empty()) return at(lists_.places[i], lists_.counts[i], lists_.types[i]);
        if (!lists_.counts.empty()) return at(lists_.places[i] * extent_, lists_.counts[i], type_);
        return at(static_cast<MPI_Aint>(i) * static_cast<MPI_Aint>(count_) * extent_, count_, type_);
    }
    [[nodiscard]] passed_memory of(int i) const { return of(static_cast<std::size_t>(i)); }

private:
    // Of nothing there may be no memory, and MPI_BOTTOM is a null pointer.
    [[nodiscard]] passed_memory at(MPI_Aint offset, MPI_Count count, MPI_Datatype type) const {
        auto const base = reinterpret_cast<std::uintptr_t>(memory_) + static_cast<std::uintptr_t>(offset);
        return memory_of(reinterpret_cast<void const*>(base), count, type); // NOLINT(performance-no-int-to-ptr)
    }
    std::byte const* memory_;
    MPI_Count count_;
    MPI_Datatype type_;
    persistent_lists const& lists_;
    MPI_Aint extent_ = 0;
};

struct placed {
    std::byte* memory;
    sode::datatype what;
};
placed placed_at(passed_memory const& m) {
    auto what = datatype_of(m.type, m.count);
    auto const first = what.extent().first; // absolute, where the buffer is MPI_BOTTOM
    auto const base = reinterpret_cast<std::uintptr_t>(m.memory) + static_cast<std::uintptr_t>(first);
    return {reinterpret_cast<std::byte*>(base), what.moved(-first)}; // NOLINT(performance-no-int-to-ptr)
}

class reader {
public:
    reader(persistent_arguments const& call, calling_rank const& who, MPI_Comm communicator)
        : a_(call), me_(who.rank), size_(who.size), communicator_(communicator) {}

    [[nodiscard]] bool read() {
        using enum planned_function;
        switch (a_.what) {
        case bcast: return broadcasts();
        case gather:
        case gatherv: return gathers();
        case scatter:
        case scatterv: return scatters();
        case allgather:
        case allgatherv: return all_gather();
        case alltoall:
        case alltoallv:
        case alltoallw: return all_to_all();
        case neighbor_allgather:
        case neighbor_allgatherv:
        case neighbor_alltoall:
        case neighbor_alltoallv:
        case neighbor_alltoallw: return neighbours();
        case reduce:
        case allreduce:
        case reduce_scatter:
        case reduce_scatter_block:
        case scan:
        case exscan: return reduces();
        default: return false;
        }
    }
    [[nodiscard]] passed_exchange& result() noexcept { return result_; }

private:
    [[nodiscard]] bool rooted() const noexcept { return a_.root >= 0 && a_.root < size_; }
    [[nodiscard]] passed_memory sent() const { return memory_of(a_.from, a_.count, a_.type); }
    [[nodiscard]] bool give(passed_memory const& m, int peer, int tag = 0) {
        if (is_sound(m)) result_.give(m, peer, tag);
        return is_sound(m);
    }
    [[nodiscard]] bool take(passed_memory const& m, int peer, int tag = 0) {
        if (is_sound(m)) result_.take(m, peer, tag);
        return is_sound(m);
    }

    bool broadcasts() {
        auto const all = memory_of(a_.to, a_.count, a_.type);
        if (!rooted()) return false;
        if (me_ != a_.root) return take(all, a_.root);
        bool sound = true;
        for (int r = 0; r < size_; ++r) sound = sound && (r == me_ || give(all, r));
        return sound;
    }
    bool gathers() {
        bool const at_root = me_ == a_.root, in_place = a_.from == MPI_IN_PLACE;
        if (!rooted() || (in_place && !at_root)) return false;
        bool sound = in_place || give(sent(), a_.root);
        if (!at_root) return sound;
        parts const into{a_.to, a_.room, a_.into, a_.got};
        for (int r = 0; r < size_; ++r)
            if (r != me_ || !in_place) sound = sound && take(into.of(r), r);
        return sound;
    }
    bool scatters() {
        bool const at_root = me_ == a_.root, in_place = a_.to == MPI_IN_PLACE;
        if (!rooted() || (in_place && !at_root)) return false;
        bool sound = in_place || take(memory_of(a_.to, a_.room, a_.into), a_.root);
        if (!at_root) return sound;
        parts const from{a_.from, a_.count, a_.type, a_.given};
        for (int r = 0; r < size_; ++r)
            if (r != me_ || !in_place) sound = sound && give(from.of(r), r);
        return sound;
    }
    bool all_gather() {
        bool const in_place = a_.from == MPI_IN_PLACE;
        parts const into{a_.to, a_.room, a_.into, a_.got};
        bool sound = true;
        for (int i = 0; i < size_; ++i) {
            int const r = (me_ + i) % size_;
            if (r == me_ && in_place) continue;
            sound = sound && give(in_place ? into.of(me_) : sent(), r) && take(into.of(r), r);
        }
        return sound;
    }
    bool all_to_all() {
        bool const in_place = a_.from == MPI_IN_PLACE;
        parts const into{a_.to, a_.room, a_.into, a_.got}, from{a_.from, a_.count, a_.type, a_.given};
        for (int i = 0; i < size_; ++i) {
            int const r = (me_ + i) % size_;
            auto const comes = into.of(r);
            if (!is_sound(comes)) return false;
            if (in_place && r == me_) continue;
            if (in_place)
                result_.give_aside(comes, r);
            else if (!give(from.of(r), r))
                return false;
            result_.take(comes, r);
        }
        return true;
    }
    bool neighbours() {
        neighbourhood around;
        if (!around.find(communicator_) || a_.from == MPI_IN_PLACE) return false;
        bool const one = a_.what == planned_function::neighbor_allgather || a_.what == planned_function::neighbor_allgatherv;
        parts const into{a_.to, a_.room, a_.into, a_.got}, from{a_.from, a_.count, a_.type, a_.given};
        bool sound = true;
        for (std::size_t i = 0; i < around.destinations().size(); ++i)
            if (auto const& to = around.destinations()[i]; to.rank != MPI_PROC_NULL)
                sound = sound && give(one ? sent() : from.of(i), to.rank, to.tag);
        for (std::size_t i = 0; i < around.sources().size(); ++i)
            if (auto const& of = around.sources()[i]; of.rank != MPI_PROC_NULL) sound = sound && take(into.of(i), of.rank, of.tag);
        return sound;
    }

    // A reduction: what each rank gives goes to those who combine it.
    struct share {
        int first, last; // ranks that give to this one
        MPI_Count at, count;
    };
    [[nodiscard]] share share_of(int rank) const {
        using enum planned_function;
        auto const r = static_cast<std::size_t>(rank);
        switch (a_.what) {
        case reduce: return rank == a_.root ? share{0, size_, 0, a_.count} : share{0, 0, 0, 0};
        case scan: return {0, rank + 1, 0, a_.count};
        case exscan: return {0, rank, 0, a_.count};
        case reduce_scatter_block: return {0, size_, rank * a_.count, a_.count};
        case reduce_scatter: {
            MPI_Count at = 0;
            for (std::size_t i = 0; i < r; ++i) at += a_.given.counts[i];
            return {0, size_, at, a_.given.counts[r]};
        }
        default: return {0, size_, 0, a_.count};
        }
    }
    bool reduces() {
        bool const in_place = a_.from == MPI_IN_PLACE;
        if (a_.count != 0 && !only_mpi_combines(a_.op, a_.type)) return false;
        if (a_.what == planned_function::reduce && (!rooted() || (in_place && me_ != a_.root))) return false;
        MPI_Aint lower = 0, extent = 0;
        PMPI_Type_get_extent(a_.type, &lower, &extent);
        auto const* const memory = static_cast<std::byte const*>(in_place ? a_.to : a_.from);
        for (int i = 0; i < size_; ++i) {
            int const r = (me_ + i) % size_;
            auto const s = share_of(r);
            if (s.count < 0 || s.count > std::numeric_limits<int>::max()) return false;
            if (s.first <= me_ && me_ < s.last && !give(memory_of(memory + s.at * extent, s.count, a_.type), r)) return false;
        }
        auto const mine = share_of(me_);
        if (mine.first == mine.last || mine.count == 0) return true;
        if (a_.to == nullptr || a_.to == MPI_IN_PLACE) return false;
        auto& fold = result_.after.emplace(a_.op, a_.type, static_cast<int>(mine.count));
        for (int r = mine.first; r < mine.last; ++r) {
            bool const straight = r + 1 == mine.last && !in_place;
            if (straight) fold.add_result(a_.to);
            result_.take(memory_of(straight ? a_.to : fold.add(), mine.count, a_.type), r);
        }
        if (in_place) fold.deliver_to(a_.to);
        result_.bytes += fold.bytes();
        return true;
    }

    persistent_arguments const& a_;
    int me_, size_;
    MPI_Comm communicator_;
    passed_exchange result_;
};

} // namespace

void passed_exchange::give(passed_memory const& what, int peer, int tag) {
    auto const [memory, form] = placed_at(what);
    if (form.bytes() == 0) return; // nor is it received
    ends.push_back(send_init(memory, form, peer, tag));
    bytes += form.bytes();
    longest = std::max<std::int64_t>(longest, form.bytes());
}

void passed_exchange::take(passed_memory const& what, int peer, int tag) {
    auto const [memory, form] = placed_at(what);
    if (form.bytes() == 0) return;
    ends.push_back(recv_init(memory, form, peer, tag));
    bytes += form.bytes();
    longest = std::max<std::int64_t>(longest, form.bytes());
}

void passed_exchange::give_aside(passed_memory const& what, int peer) {
    auto const [memory, form] = placed_at(what);
    if (form.bytes() == 0) return;
    auto const dense = sode::datatype::contiguous(form.bytes());
    rooms.push_back(std::make_unique<std::byte[]>(static_cast<std::size_t>(form.bytes())));
    before.push_back({{dense, form}, rooms.back().get(), memory});
    ends.push_back(send_init(rooms.back().get(), dense, peer));
    bytes += 2 * form.bytes();
    longest = std::max<std::int64_t>(longest, form.bytes());
}

std::optional<passed_exchange> passed_as_exchange(persistent_arguments const& call, calling_rank const& who,
                                                  MPI_Comm communicator) {
    reader r{call, who, communicator};
    if (!r.read()) return std::nullopt;
    return std::move(r.result());
}

} // namespace sode::internal::interpose
