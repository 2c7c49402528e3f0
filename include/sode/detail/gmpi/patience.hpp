// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/code.hpp>
#include <sode/detail/gmpi/ordering.hpp>
#include <sode/detail/gmpi/parts.hpp>

namespace sode::gmpi::detail {

/// Why the context has ended: `ok` if it has not.
template <class P> [[nodiscard]] SODE_GPU code ended(P const& p, alarm const& a) {
    if (word const why = p.template load_acquire<ordering::heed, scope::system>(*a.host); why != 0) return static_cast<code>(why);
    return p.template load_acquire<ordering::heed, scope::device>(*a.device) != 0 ? code::aborted : code::ok;
}

/// One wait of a device thread: `patience<P> wait{p, alarm, site::request, handle}; while (!over) if (auto c = wait.step(seen,
/// expected); c != code::ok) return c;`. A wait reads the clock, and the words that end all waits, only after several polls. A poll
/// is one load; any other work between polls adds latency.
template <class P> class patience {
public:
    SODE_GPU patience(P const& p, alarm const& a, site where, word what) : p_(p), alarm_(a), where_(where), what_(what) {}

    [[nodiscard]] SODE_GPU code step(word seen, word expected) {
        p_.pause(++polls_);
        if (polls_ % P::polls_between_looks != 0) return code::ok;
        return look(seen, expected);
    }

private:
    [[nodiscard]] SODE_GPU code look(word seen, word expected) {
        if (code const why = ended(p_, alarm_); why != code::ok) return why;
        if (alarm_.deadline == 0) return code::ok;
        word const now = p_.now();
        if (started_ == 0) started_ = now == 0 ? 1 : now;
        if (now - started_ < alarm_.deadline) return code::ok;
        give_up(seen, expected);
        return code::timeout;
    }

    SODE_GPU void give_up(word seen, word expected) {
        if (!p_.template compare_exchange<ordering::report, scope::device>(*alarm_.device, 0, static_cast<word>(code::timeout)))
            return;
        p_.store(alarm_.report[report_site], static_cast<word>(where_));
        p_.store(alarm_.report[report_request], what_);
        p_.store(alarm_.report[report_seen], seen);
        p_.store(alarm_.report[report_expected], expected);
        p_.template store_release<ordering::report, scope::system>(alarm_.report[report_told], static_cast<word>(code::timeout));
    }

    P const& p_;
    alarm const& alarm_;
    site where_;
    word what_;
    word started_ = 0;
    std::uint32_t polls_ = 0;
};

/// Description of the first failed wait.
struct failed_wait {
    code why = code::ok; ///< ok: no wait has failed
    site where = site::none;
    word what = 0; ///< the request, or the expected number
    word seen = 0;
    word expected = 0;
};

/// Called by the host.
template <class P> [[nodiscard]] failed_wait report_in(P const& p, alarm const& a) {
    word const told = p.template load_acquire<ordering::heed, scope::system>(a.report[report_told]);
    if (told == 0) return {};
    return {static_cast<code>(told), static_cast<site>(p.load(a.report[report_site])), p.load(a.report[report_request]),
            p.load(a.report[report_seen]), p.load(a.report[report_expected])};
}

} // namespace sode::gmpi::detail
