// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/ring.hpp>

namespace sode::gmpi::detail {

/// The second hop of GMPI (docs/references.md): a resident kernel moves requests from a ring in device memory, which other kernels
/// fill, to the host's ring. The resident kernel uses one thread for each ring. The second hop exists only for comparison with the
/// default, one hop.
template <class P> class forwarder {
public:
    SODE_GPU forwarder(P const& p, ring const& from, ring const& to, alarm const& a)
        : p_(p), to_ring_(to), alarm_(a), from_(p_, from), to_(p_, to_ring_) {}

    /// Forwards at most one batch of the requests in the ring. \return the number of requests; `how`: the error of a failed call
    [[nodiscard]] SODE_GPU std::uint32_t step(code& how) {
        entry batch[most];
        std::uint32_t const n = from_.take(batch, most);
        if (n != 0) p_.template fence_release<ordering::forward, scope::system>();
        for (std::uint32_t i = 0; i < n; ++i) {
            word position = 0;
            how = to_.claim(units_of(batch[i]), alarm_, position);
            if (how != code::ok) return i;
            to_.write(position, batch[i]);
        }
        return n;
    }

private:
    static constexpr std::uint32_t most = 8;
    P p_;
    ring to_ring_;
    alarm alarm_;
    ring_reader<P, scope::device> from_;
    ring_writer<P> to_;
};

} // namespace sode::gmpi::detail
