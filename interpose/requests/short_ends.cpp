// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/short_ends.hpp"

#include "base/clock.hpp"
#include "interpose/calls/known_sizes.hpp"
#include "interpose/datatypes/packed_form.hpp"

#include <exception>

namespace sode::internal::interpose {

namespace {

// Messages of fewer rows are packed in no time by anybody.
constexpr index_t few_rows = 4;
constexpr index_t long_row = 512;

/// A type that only MPI understands, the latest: it need not be read for each message. A later type of the same handle stays MPI's.
thread_local MPI_Datatype unreadable = MPI_DATATYPE_NULL;

} // namespace

alignas(64) thread_local std::array<std::byte, short_ends::most> short_ends::going_;
alignas(64) thread_local std::array<std::byte, short_ends::most> short_ends::coming_;

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
    end e{identity_, form->id(), ours, false, {}, form, {}};
    shape const& how = form->how();
    bool const in_pieces = !form->contiguous() && how.rows >= few_rows && how.row_bytes < long_row;
    if (!in_pieces || (ours == own_ends::source && !can_be_sent_packed(type))) return e;
    message_layout const& bytes = packed_form(form->bytes());
    e.program = ours == own_ends::source ? programs_.find(*form, bytes) : programs_.find(bytes, *form);
    e.packable = true;
    return e;
}

bool short_ends::watches(MPI_Count count, MPI_Datatype type) {
    if (surely_predefined(type) || type == unreadable) return false;
    auto const* const known = on_.types().known(type, count);
    if (known == nullptr) return may_be_ours(length_of(count, type));
    return any_end(**known, [](end const& e) { return !e.trial.is_lost(); });
}

bool short_ends::packs(MPI_Count count, MPI_Datatype type) {
    if (surely_predefined(type)) return false;
    auto const* const known = on_.types().known(type, count);
    return known != nullptr && any_end(**known, [](end const& e) { return e.trial.has_begun() && !e.trial.is_lost(); });
}

template <class Test> bool short_ends::any_end(message_layout const& form, Test const& test) const {
    auto const is_one = [&](own_ends ours) {
        end const& e = place_of(form.id(), ours);
        return e.owner == identity_ && e.id == form.id() && e.ours == ours && e.packable && test(e);
    };
    return is_one(own_ends::source) || is_one(own_ends::target);
}

std::optional<int> short_ends::send(entry const& call, send_arguments const& a, bool is_ready) {
    end* const e = recall(a.count, a.type, own_ends::source);
    if (e == nullptr || a.destination == MPI_PROC_NULL || e->trial.is_lost()) return std::nullopt;
    using enum packing_trial::way;
    auto const way = e->trial.next();
    bool const timed = !e->trial.is_over();
    auto const begun = timed ? now_ns() : 0;
    auto const& with = is_ready ? call.next().rsend : call.next().send;
    int result = MPI_SUCCESS;
    if (way == by_us) {
        run(e->program->whole, going_.data(), static_cast<std::byte const*>(a.buffer));
        if (report* const told = on_.told()) told->pack_short(e->form->bytes());
        result = with(going_.data(), static_cast<int>(e->form->bytes()), MPI_PACKED, a.destination, a.tag, a.communicator);
    } else {
        result = with(a.buffer, static_cast<int>(a.count), a.type, a.destination, a.tag, a.communicator);
    }
    if (timed && result == MPI_SUCCESS) e->trial.note(way, now_ns() - begun);
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

} // namespace sode::internal::interpose
