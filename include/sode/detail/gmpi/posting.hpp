// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/groups.hpp>
#include <sode/detail/gmpi/handle.hpp>
#include <sode/detail/gmpi/requests.hpp>
#include <sode/detail/gmpi/ring.hpp>

namespace sode::gmpi::detail {

/// All messages to one peer in one communicator use the same ring, so the messages keep their order.
[[nodiscard]] SODE_GPU constexpr std::uint32_t ring_for(device_handle const& h, entry const& e) {
    return (e.communicator * 31U + e.peer) % h.ring_count;
}

/// The steps with which one thread starts an operation.
template <class P> class poster {
public:
    SODE_GPU poster(P const& p, device_handle const& h) : p_(p), handle_(h) {}

    /// Orders earlier writes, by this thread or by threads that synchronised with it, before the entries that follow. One call is
    /// sufficient for a batch of entries. In release(), the thread waits for its last store to host memory.
    SODE_GPU void release() const {
        if (handle_.two_hops)
            p_.template fence_release<ordering::publish, scope::device>();
        else
            p_.template fence_release<ordering::publish, scope::system>();
    }

    [[nodiscard]] SODE_GPU request begin(entry e) const {
        request r;
        if (r.begun = slot_table<P>{p_, handle_.requests}.take(handle_.alarm, r.handle); r.begun != code::ok) return r;
        e.request = r.handle;
        note_target(e);
        r.begun = tell(e);
        return r;
    }
    /// Posts an entry without a request, so that nobody waits for the entry.
    [[nodiscard]] SODE_GPU code tell(entry const& e) const {
        ring_writer<P> const to{p_, handle_.rings[ring_for(handle_, e)]};
        word position = 0;
        auto const c = to.claim(units_of(e), handle_.alarm, position);
        if (c == code::ok) to.write(position, e);
        return c;
    }
    /// Like begin(), but fails unless there is a free slot and room in the ring now.
    [[nodiscard]] SODE_GPU request try_begin(entry e) const {
        request r;
        slot_table<P> const table{p_, handle_.requests};
        if (r.begun = table.try_take(r.handle); r.begun != code::ok) return r;
        e.request = r.handle;
        ring_writer<P> const to{p_, handle_.rings[ring_for(handle_, e)]};
        word position = 0;
        r.begun = to.try_claim(units_of(e), position);
        if (r.begun == code::ok)
            to.write(position, e);
        else
            table.give_back(r.handle);
        return r;
    }

private:
    SODE_GPU void note_target(entry const& e) const {
        if (e.op == operation::receive && handle_.requests.target)
            p_.store_device(handle_.requests.target[slot_of(e.request)], e.address);
    }

    P const& p_;
    device_handle const& handle_;
};

/// Synchronises all threads of `g` before thread 0 acts for the group. \return true in thread 0
template <class P, class G> SODE_GPU bool gathers_to_lead(P const& p, G const& g) {
    if (g.size() > 1 && p.template meets<ordering::gather>()) g.sync();
    return leads(g);
}
/// Gives all threads of `g` the result of thread 0.
template <class P, class G> [[nodiscard]] SODE_GPU code scattered(P const& p, G const& g, code c) {
    if (g.size() == 1 || !p.template meets<ordering::scatter>()) return c;
    return static_cast<code>(shared_by(g, static_cast<std::uint32_t>(c)));
}

/// Called by the host: sets a counter for which threads of the device wait.
template <class P> SODE_GPU void raise(P const& p, word_table const& t, std::uint32_t which, word value) {
    p.template store_release<ordering::raise, scope::system>(t.words[which], value);
}

/// Waits until `counter` is at least `least`. The host writes the counter, which never decreases.
template <class P> [[nodiscard]] SODE_GPU code await(P const& p, alarm const& a, site where, word const& counter, word least) {
    patience<P> wait{p, a, where, least};
    while (true) {
        word const seen = p.template load_acquire<ordering::hear, scope::system>(counter);
        if (seen >= least) return code::ok;
        if (auto const c = wait.step(seen, least); c != code::ok) return c;
    }
}

} // namespace sode::gmpi::detail
