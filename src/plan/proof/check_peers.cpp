// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/well_formed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sode::internal::proof {
namespace {

/// Who uses which counter line, stage and payload.
class usage {
public:
    explicit usage(job const& all) {
        for (std::size_t r = 0; r < all.ranks(); ++r)
            for (auto const& d : all.of(r).descriptors)
                for_each_object(all.of(r), d, [&](std::uint64_t object) {
                    users_.insert({object, static_cast<std::int32_t>(r)});
                    if (is_end(d.op)) users_.insert({object, d.peer}); // whoever waits for its end waits for that rank
                });
    }

    /// The other side is whose memory is touched, or who writes the flag that is waited for. Where all that is this rank's own, it
    /// is one of those who use the same line, stage or payload.
    [[nodiscard]] bool takes_part(plan const& p, descriptor const& d, stream const& in, std::int32_t peer) const {
        bool found = false, remote = false;
        auto const ask = [&](std::int32_t other) {
            if (other == p.rank || other == -1) return;
            remote = true;
            found = found || other == peer;
        };
        for (auto const c : {d.trigger, d.signal})
            if (c != 0) {
                ask(p.counters[c].host);
                ask(p.counters[c].writer);
            }
        if (moves_data(d.op)) {
            ask(p.buffers[d.src].host);
            ask(p.buffers[d.dst].host);
            if (d.operand != 0) ask(p.buffers[p.operands[d.operand].buffer].host);
        }
        if (remote) return found;
        for_each_object(p, d, [&](std::uint64_t object) { found = found || users_.contains({object, peer}); });
        return found || in.peer == peer;
    }

private:
    // Arrays are left out: all neighbours use them.
    template <class F> static void for_each_object(plan const& p, descriptor const& d, F&& f) {
        auto const name = [](std::int32_t host, buffer_role role, std::uint32_t ordinal) {
            return std::uint64_t{static_cast<std::uint32_t>(host)} << 35U | std::uint64_t{ordinal} << 3U |
                   static_cast<std::uint64_t>(role);
        };
        for (auto const c : {d.trigger, d.signal})
            if (c != 0) f(name(p.counters[c].host, buffer_role::payload, p.counters[c].index));
        if (!moves_data(d.op)) return;
        for (auto const i : {d.src, d.dst, d.operand != 0 ? p.operands[d.operand].buffer : d.dst})
            if (auto const& b = p.buffers[i]; b.role != buffer_role::array && b.role != buffer_role::constant)
                f(name(b.host, b.role, b.ordinal));
    }

    std::set<std::pair<std::uint64_t, std::int32_t>> users_;
};

} // namespace

void check_peers(job const& all, report& findings) {
    usage const users{all};
    for (std::size_t r = 0; r < all.ranks(); ++r) {
        auto const& p = all.of(r);
        auto const streams = streams_of(p);
        for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
            auto const& d = p.descriptors[i];
            if (is_end(d.op)) {
                if (d.peer >= 0 && d.peer < p.ranks && d.peer != p.rank) continue;
            } else if (d.peer == -1 || (d.peer >= 0 && d.peer < p.ranks && d.peer != p.rank &&
                                        users.takes_part(p, d, p.streams[streams[i]], d.peer)))
                continue;
            findings.add(finding::type::malformed, r, i, [&] {
                return fmt::format("{} names rank {} as its peer (that rank has no part in it) name the other side, or -1",
                                   name_of(p, i), d.peer);
            });
        }
    }
}

} // namespace sode::internal::proof
