// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/protocol_memory.hpp"
#include "gmpi/weak_memory.hpp"

#include <sode/detail/gmpi/forwarder.hpp>
#include <sode/detail/gmpi/halo_crew.hpp>
#include <sode/detail/gmpi/posting.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace sode::internal::testing {

/// Small programs on weak memory, each with what must be true of it. They return true if it is.
namespace scenario {

using gmpi::code;
using gmpi::request;
using gmpi::word;
using gmpi::detail::await;
using gmpi::detail::complete;
using gmpi::detail::deliver;
using gmpi::detail::entry;
using gmpi::detail::failed_wait;
using gmpi::detail::forwarder;
using gmpi::detail::gathers_to_lead;
using gmpi::detail::leads;
using gmpi::detail::operation;
using gmpi::detail::poster;
using gmpi::detail::raise;
using gmpi::detail::report_in;
using gmpi::detail::ring_reader;
using gmpi::detail::scattered;
using gmpi::detail::scope;
using gmpi::detail::site;
using gmpi::detail::slot_table;
using gmpi::detail::whole_grid;

constexpr std::uint64_t most_steps = 20000;
constexpr int host = 0, device = 1;

inline entry letter(word* data, std::uint32_t tag = 0) {
    return {.op = operation::send, .tag = tag, .address = reinterpret_cast<word>(data), .bytes = 2 * sizeof(word)};
}

/// The host's side: takes `expected` entries, hands each to f, and completes it.
template <class P, class F> void serve(P p, gmpi::device_handle const& h, std::uint32_t expected, F const& f) {
    ring_reader<P> from{p, h.rings[0]};
    std::array<entry, 4> batch;
    for (std::uint32_t served = 0, polls = 0; served < expected;) {
        auto const n = from.take(batch.data(), batch.size());
        for (std::uint32_t i = 0; i < n; ++i) {
            f(batch[i]);
            complete(p, h.requests, batch[i].request, code::ok, batch[i].bytes);
        }
        served += n;
        if (n == 0) p.pause(++polls);
    }
}

/// A thread writes, and sends; the host reads that, writes an answer beside it, and says so; the thread reads the answer.
template <class P> bool message(std::uint64_t seed, bool narrow = false) {
    weak_memory m{seed};
    P const p{&m, narrow};
    protocol_memory memory{1, 2};
    std::array<word, 4> data{};
    bool sent_right = false, answered_right = false;
    m.add(device, [&] {
        for (std::size_t i = 0; i < 2; ++i) p.store(data[i], 11 + i);
        poster<P> const post{p, memory.handle()};
        post.release();
        auto const r = post.begin(letter(data.data()));
        gmpi::status how;
        if (slot_table<P>{p, memory.handle().requests}.wait(r, memory.handle().alarm, how) != code::ok) return;
        answered_right = p.load(data[2]) == 21 && p.load(data[3]) == 22 && how.bytes == 16;
    });
    m.add(host, [&] {
        serve(p, memory.handle(), 1, [&](entry const& e) {
            auto* const at = reinterpret_cast<word*>(e.address);
            sent_right = p.load(at[0]) == 11 && p.load(at[1]) == 12;
            for (std::size_t i = 0; i < 2; ++i) p.store(at[2 + i], 21 + i);
        });
    });
    return m.run(most_steps) && sent_right && answered_right;
}

/// A message that is part of its request, and one that comes with the word that says so.
template <class P> bool short_message(std::uint64_t seed) {
    weak_memory m{seed};
    P const p{&m};
    protocol_memory memory{1, 2};
    constexpr std::array<word, 4> given{~word{0}, 2, word{1} << 63, 4}, answer{5, ~word{0}, 7, 8};
    std::array<word, 4> got{};
    bool sent_right = false, answered_right = false;
    m.add(device, [&] {
        poster<P> const post{p, memory.handle()};
        auto question = letter(nullptr);
        question.holds_data = true;
        std::copy(given.begin(), given.end(), question.data);
        auto const asked = post.begin(question);
        auto const answered =
            post.begin({.op = operation::receive, .address = reinterpret_cast<word>(got.data()), .bytes = sizeof got});
        slot_table<P> const table{p, memory.handle().requests};
        gmpi::status how;
        if (table.wait(asked, memory.handle().alarm, how) != code::ok) return;
        if (table.wait(answered, memory.handle().alarm, how) != code::ok) return;
        answered_right = got == answer && how.bytes == sizeof got;
    });
    m.add(host, [&] {
        ring_reader<P> from{p, memory.handle().rings[0]};
        entry e;
        for (std::uint32_t served = 0, polls = 0; served < 2;) {
            if (from.take(&e, 1) == 0) {
                p.pause(++polls);
                continue;
            }
            ++served;
            if (e.op == operation::send) {
                sent_right = e.holds_data && std::equal(given.begin(), given.end(), e.data);
                complete(p, memory.handle().requests, e.request, code::ok, e.bytes);
            } else {
                deliver(p, memory.handle().requests, e.request, code::ok, answer.data(), sizeof answer);
            }
        }
    });
    return m.run(most_steps) && sent_right && answered_right;
}

/// Threads of a device share a ring of a few entries, some of which are brief. Nothing is lost, comes twice, or is another's; what
/// one thread sends comes in order.
template <class P> bool crowd(std::uint64_t seed) {
    weak_memory m{seed};
    P const p{&m};
    auto const threads = static_cast<std::uint32_t>(2 + m.pick(2)), each = std::uint32_t{3};
    protocol_memory memory{word{1} << m.pick(2), 1};
    std::vector<std::uint32_t> next(threads, 0);
    bool right = true;
    for (std::uint32_t t = 0; t < threads; ++t)
        m.add(device, [&, t] {
            poster<P> const post{p, memory.handle()};
            for (std::uint32_t i = 0; i < each; ++i)
                right &=
                    post.tell({.op = operation::send, .brief = (t + i) % 2 == 0, .tag = t * each + i, .bytes = 7 * i}) == code::ok;
        });
    m.add(host, [&] {
        ring_reader<P> from{p, memory.handle().rings[0]};
        std::array<entry, 4> batch;
        for (std::uint32_t taken = 0; taken < threads * each;) {
            auto const n = from.take(batch.data(), batch.size());
            for (std::uint32_t i = 0; i < n; ++i) {
                auto const t = batch[i].tag / each;
                right &= t < threads && batch[i].tag % each == next[t]++ &&
                         (batch[i].brief || batch[i].bytes == 7 * (batch[i].tag % each));
            }
            taken += n;
            if (n == 0) p.pause(0);
        }
    });
    return m.run(most_steps) && right;
}

/// Two threads take turns at one slot; each answer is written before its request is over.
template <class P> bool one_slot(std::uint64_t seed) {
    weak_memory m{seed};
    P const p{&m};
    protocol_memory memory{2, 1};
    constexpr std::uint32_t threads = 2, each = 2;
    std::array<word, threads * each> answers{};
    bool right = true;
    for (std::uint32_t t = 0; t < threads; ++t)
        m.add(device, [&, t] {
            for (std::uint32_t i = 0; i < each; ++i) {
                auto const r = poster<P>{p, memory.handle()}.begin(letter(&answers[t * each + i]));
                gmpi::status how;
                auto const c = slot_table<P>{p, memory.handle().requests}.wait(r, memory.handle().alarm, how);
                right &= c == code::ok && p.load(answers[t * each + i]) == 5;
            }
        });
    m.add(host, [&] {
        serve(p, memory.handle(), threads * each, [&](entry const& e) { p.store(*reinterpret_cast<word*>(e.address), 5); });
    });
    return m.run(most_steps) && right;
}

/// The host writes, and raises a signal.
template <class P> bool signalled(std::uint64_t seed) {
    weak_memory m{seed};
    P const p{&m};
    protocol_memory memory{1, 1};
    word data = 0;
    bool right = false;
    m.add(device, [&] {
        auto const& h = memory.handle();
        right = await(p, h.alarm, site::signal, h.signals.words[1], 3) == code::ok && p.load(data) == 9;
    });
    m.add(host, [&] {
        p.store(data, 9);
        raise(p, memory.handle().signals, 1, 3);
    });
    return m.run(most_steps) && right;
}

/// A thread waits in vain; the host hears where, and what for.
template <class P> bool reported(std::uint64_t seed) {
    weak_memory m{seed};
    P const p{&m};
    protocol_memory memory{1, 1, 1, 20};
    bool right = false;
    auto const& h = memory.handle();
    m.add(device, [&] { right = await(p, h.alarm, site::signal, h.signals.words[1], 77) == code::timeout; });
    failed_wait found;
    m.add(host, [&] {
        while ((found = report_in(p, h.alarm)).why == code::ok) p.pause(0);
    });
    return m.run(most_steps) && right && found.why == code::timeout && found.where == site::signal && found.what == 77 &&
           found.expected == 77;
}

/// All threads of a group write, one sends for all, and all read the answer.
template <class P> bool group(std::uint64_t seed) {
    weak_memory m{seed};
    P const p{&m};
    protocol_memory memory{1, 1};
    weak_memory::meeting place;
    constexpr std::uint32_t size = 3;
    std::array<word, size + 1> data{};
    bool right = true;
    for (std::uint32_t t = 0; t < size; ++t)
        m.add(device, [&, t] {
            weak_group<P> const g{p, place, t, size};
            p.store(data[t], 30 + t);
            request r;
            if (gathers_to_lead(p, g)) {
                poster<P> const post{p, memory.handle()};
                post.release();
                r = post.begin(letter(data.data()));
            }
            gmpi::status how;
            code c = code::ok;
            if (leads(g)) c = slot_table<P>{p, memory.handle().requests}.wait(r, memory.handle().alarm, how);
            right &= scattered(p, g, c) == code::ok && p.load(data[size]) == 4;
        });
    m.add(host, [&] {
        serve(p, memory.handle(), 1, [&](entry const& e) {
            auto* const at = reinterpret_cast<word*>(e.address);
            for (std::uint32_t t = 0; t < size; ++t) right &= p.load(at[t]) == 30 + t;
            p.store(at[size], 4);
        });
    });
    return m.run(most_steps) && right;
}

/// A resident kernel stands between a thread and the host.
template <class P> bool two_hops(std::uint64_t seed) {
    weak_memory m{seed};
    P const p{&m};
    protocol_memory first{1, 2}, second{2, 1};
    first.handle().two_hops = true;
    constexpr std::uint32_t count = 3;
    std::array<word, count> data{};
    bool right = true;
    m.add(device, [&] {
        poster<P> const post{p, first.handle()};
        for (std::uint32_t i = 0; i < count; ++i) {
            p.store(data[i], 40 + i);
            post.release();
            right &= post.tell(letter(&data[i], i)) == code::ok;
        }
    });
    m.add(device, [&] {
        forwarder<P> f{p, first.handle().rings[0], second.handle().rings[0], second.handle().alarm};
        code how = code::ok;
        for (std::uint32_t n = 0; n < count && how == code::ok;) {
            auto const some = f.step(how);
            n += some;
            if (some == 0) p.pause(0);
        }
    });
    m.add(host, [&] {
        ring_reader<P> from{p, second.handle().rings[0]};
        entry e;
        for (std::uint32_t i = 0; i < count;) {
            if (from.take(&e, 1) == 0) {
                p.pause(0);
                continue;
            }
            right &= e.tag == i && p.load(*reinterpret_cast<word*>(e.address)) == 40 + i;
            ++i;
        }
    });
    return m.run(most_steps) && right;
}

/// Blocks of a device write one face each. The last one tells another device, which reads all of them; and blocks go on when all
/// are done, and read each other's.
template <class P> bool last_block(std::uint64_t seed, bool narrow = false) {
    weak_memory m{seed};
    P const p{&m, narrow};
    protocol_memory memory{1, 1};
    constexpr std::uint32_t blocks = 3, rounds = 2;
    std::array<std::array<word, blocks>, rounds> faces{};
    std::array<word, 1> counts{};
    word flag = 0;
    bool right = true;
    auto const& a = memory.handle().alarm;
    auto const is_of = [&](word round) {
        for (std::uint32_t b = 0; b < blocks; ++b)
            if (p.load(faces[round - 1][b]) != 100 * round + b) return false;
        return true;
    };
    for (std::uint32_t b = 0; b < blocks; ++b)
        m.add(device, [&, b] {
            gmpi::thread_group const g;
            for (word round = 1; round <= rounds; ++round) {
                whole_grid const crew{p, g, b, blocks, counts.data(), round};
                p.store(faces[round - 1][b], 100 * round + b);
                if (crew.speaks_for_all(0)) p.template store_release<gmpi::detail::ordering::raise, scope::system>(flag, round);
                while (!crew.is_done(0)) p.pause(0);
                right &= is_of(round);
            }
        });
    m.add(2, [&] {
        for (word round = 1; round <= rounds; ++round) {
            right &= await(p, a, site::exchange, flag, round) == code::ok && is_of(round);
        }
    });
    return m.run(most_steps) && right;
}

/// A device writes into its own halo, then lets another one store there; blocks of that one do, and the last of them says so.
template <class Target, class Source> bool stored_halo(std::uint64_t seed, bool narrow = false) {
    weak_memory m{seed};
    Target const target{&m, narrow};
    Source const source{&m, narrow};
    protocol_memory memory{1, 1};
    constexpr std::uint32_t blocks = 2, rounds = 2;
    std::array<word, blocks> halo{};
    std::array<word, 1> counts{};
    word ready = 0, stored = 0;
    bool right = true;
    auto const& a = memory.handle().alarm;
    m.add(1, [&] {
        for (word round = 1; round <= rounds; ++round) {
            for (auto& h : halo) target.store(h, 7);
            target.template store_release<gmpi::detail::ordering::raise, scope::system>(ready, round);
            right &= await(target, a, site::exchange, stored, round) == code::ok;
            for (std::uint32_t b = 0; b < blocks; ++b) right &= target.load(halo[b]) == 100 * round + b;
        }
    });
    for (std::uint32_t b = 0; b < blocks; ++b)
        m.add(2, [&, b] {
            gmpi::thread_group const g;
            for (word round = 1; round <= rounds; ++round) {
                whole_grid const crew{source, g, b, blocks, counts.data(), round};
                right &= await(source, a, site::exchange, ready, round) == code::ok;
                source.store(halo[b], 100 * round + b);
                if (crew.speaks_for_all(0))
                    source.template store_release<gmpi::detail::ordering::raise, scope::system>(stored, round);
                while (!crew.is_done(0)) source.pause(0);
            }
        });
    return m.run(most_steps) && right;
}

} // namespace scenario
} // namespace sode::internal::testing
