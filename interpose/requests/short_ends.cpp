// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/short_ends.hpp"

#include "base/clock.hpp"
#include "interpose/calls/known_sizes.hpp"
#include "interpose/datatypes/packed_form.hpp"

#include <exception>
#include <new>

namespace sode::internal::interpose {

namespace {

/// A type that only MPI understands, the latest: it need not be read for each message. A later type of the same handle stays MPI's.
thread_local MPI_Datatype unreadable = MPI_DATATYPE_NULL;

} // namespace

alignas(64) thread_local std::array<std::byte, short_ends::most> short_ends::going_;
alignas(64) thread_local std::array<std::byte, short_ends::most> short_ends::coming_;

bool short_ends::end::times(bool is_request) noexcept {
    if (!trial.has_begun()) by_request = is_request;
    return by_request == is_request && !trial.is_over();
}

short_ends::end& short_ends::place_of(layout_id const& id, own_ends ours) noexcept {
    constexpr std::size_t ends = 64;
    thread_local std::array<end, ends> known;
    return known[(2 * id.serial + (ours == own_ends::source ? 0U : 1U)) % ends];
}

/// Null where the end is none of ours, whatever the trial says.
short_ends::end* short_ends::recall(MPI_Count count, MPI_Datatype type, own_ends ours) {
    if (surely_predefined(type) || type == unreadable) return nullptr;
    if (messages_.load(std::memory_order_relaxed) < packing_trial::first) {
        if (may_be_ours(length_of(count, type))) messages_.fetch_add(1, std::memory_order_relaxed);
        return nullptr;
    }
    try {
        auto const* known = on_.types().known(type, count);
        if (known == nullptr) {
            if (!may_be_ours(length_of(count, type)) || !on_.layout_pays(type, count) || !on_.is_committed(type, count))
                return nullptr;
            known = &on_.types().find(type, count);
        }
        if (!may_be_ours((*known)->bytes())) return nullptr;
        // Layouts are named for ever, so what is remembered stays true.
        end& e = place_of((*known)->id(), ours);
        if (e.owner != identity_ || e.id != (*known)->id() || e.ours != ours) e = end_of(*known, type, ours);
        return e.packable ? &e : nullptr;
    } catch (std::exception const&) { // or there is no memory
        unreadable = type;
        return nullptr;
    }
}

short_ends::end short_ends::end_of(std::shared_ptr<message_layout const> const& form, MPI_Datatype type, own_ends ours) {
    end e{identity_, form->id(), ours, false, false, form, {}, {}};
    e.only_here = ours == own_ends::source && !can_be_sent_packed(type);
    if (form->contiguous() || (e.only_here && form->bytes() > on_.mixed_bytes())) return e;
    message_layout const& bytes = packed_form(form->bytes());
    e.program = ours == own_ends::source ? programs_.find(*form, bytes) : programs_.find(bytes, *form);
    e.packable = true;
    return e;
}

bool short_ends::watches(MPI_Count count, MPI_Datatype type) {
    if (surely_predefined(type) || type == unreadable) return false;
    auto const* const known = on_.types().known(type, count);
    // Before there are ends, a type may be known because of other calls.
    if (known == nullptr || messages_.load(std::memory_order_relaxed) < packing_trial::first)
        return may_be_ours(length_of(count, type));
    return any_end(**known, [](end const& e) { return e.is_watched(); });
}

bool short_ends::may_ireceive(message_layout const& form) const noexcept {
    if (!may_be_ours(form.bytes()) || messages_.load(std::memory_order_relaxed) < packing_trial::first) return false;
    end const& e = place_of(form.id(), own_ends::target);
    bool const is_known = e.owner == identity_ && e.id == form.id() && e.ours == own_ends::target;
    return !is_known || (e.packable && e.received != end::requests::by_mpi);
}

template <class Test> bool short_ends::any_end(message_layout const& form, Test const& test) const {
    auto const is_one = [&](own_ends ours) {
        end const& e = place_of(form.id(), ours);
        return e.owner == identity_ && e.id == form.id() && e.ours == ours && e.packable && test(e);
    };
    return is_one(own_ends::source) || is_one(own_ends::target);
}

short_ends::end* short_ends::sending(send_arguments const& a) {
    end* const e = recall(a.count, a.type, own_ends::source);
    if (e == nullptr || a.destination == MPI_PROC_NULL || e->trial.is_lost()) return nullptr;
    if (e->only_here && !on_.here().neighbour(on_.communicators().in_world(a.communicator, a.destination))) return nullptr;
    return e;
}

template <class ByUs, class ByMpi>
std::optional<int> short_ends::tried(end& e, bool is_request, ByUs const& by_us, ByMpi const& by_mpi) {
    auto const way = e.trial.next();
    bool const timed = e.times(is_request);
    auto const begun = timed ? now_ns() : 0;
    std::optional<int> const result = way == packing_trial::way::by_us ? by_us() : by_mpi();
    if (timed && result == MPI_SUCCESS) e.trial.note(way, now_ns() - begun);
    return result;
}

void short_ends::pack(end const& e, void const* buffer, std::byte* room) {
    run(e.program->whole, room, static_cast<std::byte const*>(buffer));
    if (report* const told = on_.told()) told->pack_short(e.form->bytes());
}

std::optional<int> short_ends::send(entry const& call, send_arguments const& a, bool is_ready) {
    end* const e = sending(a);
    if (e == nullptr) return std::nullopt;
    auto const& with = is_ready ? call.next().rsend : call.next().send;
    auto const by_us = [&]() -> std::optional<int> {
        pack(*e, a.buffer, going_.data());
        return with(going_.data(), static_cast<int>(e->form->bytes()), MPI_PACKED, a.destination, a.tag, a.communicator);
    };
    auto const by_mpi = [&]() -> std::optional<int> {
        return with(a.buffer, static_cast<int>(a.count), a.type, a.destination, a.tag, a.communicator);
    };
    return tried(*e, false, by_us, by_mpi);
}

std::optional<int> short_ends::isend(entry const& call, send_arguments const& a, bool is_ready, MPI_Request* request) {
    end* const e = sending(a);
    if (e == nullptr) return std::nullopt;
    auto const by_us = [&] { return isend_packed(call, a, *e, is_ready, request); };
    auto const by_mpi = [&]() -> std::optional<int> {
        auto const& with = is_ready ? call.next().irsend : call.next().isend;
        return with(a.buffer, static_cast<int>(a.count), a.type, a.destination, a.tag, a.communicator, request);
    };
    return tried(*e, true, by_us, by_mpi);
}

/// Of a message in a room of so many bytes. Null: there is no memory.
std::unique_ptr<tracked_request> short_ends::entry_of(std::int64_t bytes) noexcept {
    try {
        auto t = std::make_unique<tracked_request>();
        t->packed = std::make_unique<packed_end>(packed_end{packer_.room_of(bytes), bytes, nullptr, 0, true});
        return t;
    } catch (std::bad_alloc const&) {
        return nullptr;
    }
}

std::optional<int> short_ends::isend_packed(entry const& call, send_arguments const& a, end const& e, bool is_ready,
                                            MPI_Request* request) {
    thread_local std::unique_ptr<tracked_request> spare;
    if (!spare) spare = entry_of(most);
    if (!spare) return std::nullopt;
    std::byte* const room = spare->packed->room.get();
    pack(e, a.buffer, room);
    auto const& with = is_ready ? call.next().irsend : call.next().isend;
    int const result = with(room, static_cast<int>(e.form->bytes()), MPI_PACKED, a.destination, a.tag, a.communicator, request);
    if (result != MPI_SUCCESS) return result;
    int is_over = 0; // the handle stays the user's
    mpi_itself().request_get_status(*request, &is_over, MPI_STATUS_IGNORE);
    if (is_over != 0) return result;
    spare->communicator = a.communicator;
    requests_.put(*request, std::move(spare));
    return result;
}

short_ends::end* short_ends::receiving(receive_arguments const& a) {
    if (a.source == MPI_PROC_NULL) return nullptr;
    end* const e = recall(a.count, a.type, own_ends::target);
    return e == nullptr || e->trial.is_lost() ? nullptr : e;
}

void short_ends::unpack(end const& e, void* buffer, std::int64_t bytes) {
    auto* const target = static_cast<std::byte*>(buffer);
    if (report* const told = on_.told()) told->unpack_short(bytes);
    if (bytes == e.form->bytes())
        run(e.program->whole, target, coming_.data());
    else if (bytes > 0)
        run(programs_.find(packed_form(bytes), *e.form)->whole, target, coming_.data());
}

std::optional<int> short_ends::ireceive(entry const& call, receive_arguments const& a, MPI_Request* request) {
    if (a.source == MPI_PROC_NULL) return std::nullopt;
    end* const e = recall(a.count, a.type, own_ends::target);
    if (e == nullptr) return std::nullopt;
    if (e->received == end::requests::untried) e->received = try_unpacking(*e, a.count, a.type);
    if (e->received == end::requests::by_mpi) return std::nullopt;
    auto t = entry_of(e->form->bytes());
    if (!t) return std::nullopt;
    int const result = call.next().irecv(t->packed->room.get(), static_cast<int>(e->form->bytes()), MPI_PACKED, a.source, a.tag,
                                         a.communicator, request);
    if (result != MPI_SUCCESS) return result;
    t->communicator = a.communicator;
    t->receives = true;
    t->match = {a.source, a.tag};
    t->where = {static_cast<std::byte*>(a.buffer), e->form};
    requests_.put(*request, std::move(t));
    return result;
}

auto short_ends::try_unpacking(end const& e, MPI_Count count, MPI_Datatype type) -> end::requests {
    // What it takes to remember a request, less what a receive of MPI takes longer than MPI_Unpack.
    constexpr std::int64_t remembering_ns = 80;
    constexpr std::int64_t least_received = 512;
    constexpr std::int64_t longest_extent = std::int64_t{1} << 20;
    auto const [first, last] = e.form->extent();
    if (e.form->bytes() < least_received || last - first > longest_extent) return end::requests::by_mpi;
    std::unique_ptr<std::byte[]> const there{new (std::nothrow) std::byte[static_cast<std::size_t>(last - first)]()};
    std::unique_ptr<std::byte[]> const together{new (std::nothrow) std::byte[static_cast<std::size_t>(e.form->bytes())]()};
    if (!there || !together) return end::requests::by_mpi;
    std::byte* const buffer = there.get() - first;
    packing_trial least;
    while (!least.is_over()) {
        auto const way = least.next();
        auto const begun = now_ns();
        if (way == packing_trial::way::by_us) {
            run(e.program->whole, buffer, together.get());
        } else {
            int at = 0;
            int const size = static_cast<int>(e.form->bytes());
            if (PMPI_Unpack(together.get(), size, &at, buffer, static_cast<int>(count), type, MPI_COMM_SELF) != MPI_SUCCESS)
                return end::requests::by_mpi;
        }
        least.note(way, now_ns() - begun + (way == packing_trial::way::by_us ? remembering_ns : 0));
    }
    return least.is_lost() ? end::requests::by_mpi : end::requests::by_us;
}

} // namespace sode::internal::interpose
