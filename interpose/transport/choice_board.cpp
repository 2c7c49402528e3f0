// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/choice_board.hpp"

namespace sode::internal::interpose {

void choice_board::put(measured_choice const& c) noexcept {
    for (std::size_t step = 0; step < most_steps && !shared_.empty(); ++step) {
        entry& e = shared_[(c.pattern + step) % places];
        std::uint64_t seen = 0;
        if (!e.pattern.compare_exchange_strong(seen, c.pattern, std::memory_order_acq_rel) && seen != c.pattern) continue;
        auto revision = e.revision.load(std::memory_order_relaxed);
        if (revision % 2 != 0 || !e.revision.compare_exchange_strong(revision, revision + 1, std::memory_order_acquire)) return;
        std::atomic_thread_fence(std::memory_order_release);
        std::atomic_ref{e.far}.store(c.far ? 1U : 0U, std::memory_order_relaxed);
        std::atomic_ref{e.bytes}.store(c.bytes, std::memory_order_relaxed);
        std::atomic_ref{e.rows}.store(c.rows, std::memory_order_relaxed);
        for (std::size_t i = 0; i < e.ns.size(); ++i) e.ns[i].store(static_cast<float>(c.ns[i]), std::memory_order_relaxed);
        e.revision.store(revision + 2, std::memory_order_release);
        return;
    }
}

std::optional<measured_choice> choice_board::read(entry const& e) noexcept {
    auto const before = e.revision.load(std::memory_order_acquire);
    if (before == 0 || before % 2 != 0) return std::nullopt;
    measured_choice c;
    c.pattern = e.pattern.load(std::memory_order_relaxed);
    auto& shared = const_cast<entry&>(e); // an atomic_ref of what is const there is none
    c.far = std::atomic_ref{shared.far}.load(std::memory_order_relaxed) != 0;
    c.bytes = std::atomic_ref{shared.bytes}.load(std::memory_order_relaxed);
    c.rows = std::atomic_ref{shared.rows}.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < e.ns.size(); ++i) c.ns[i] = static_cast<double>(e.ns[i].load(std::memory_order_relaxed));
    std::atomic_thread_fence(std::memory_order_acquire);
    return e.revision.load(std::memory_order_relaxed) == before ? std::optional{c} : std::nullopt;
}

std::optional<measured_choice> choice_board::find(std::uint64_t pattern) const noexcept {
    for (std::size_t step = 0; step < most_steps && !shared_.empty(); ++step) {
        entry const& e = shared_[(pattern + step) % places];
        auto const there = e.pattern.load(std::memory_order_acquire);
        if (there == 0) return std::nullopt;
        if (there == pattern) return read(e);
    }
    return std::nullopt;
}

std::vector<measured_choice> choice_board::all() const {
    std::vector<measured_choice> list;
    for (entry const& e : shared_)
        if (e.pattern.load(std::memory_order_acquire) != 0)
            if (auto const c = read(e)) list.push_back(*c);
    return list;
}

} // namespace sode::internal::interpose
