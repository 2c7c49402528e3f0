// SPDX-License-Identifier: Apache-2.0
// What a rank asks of others, and how it waits for the answers.
#include "layout/layout_algebra.hpp"
#include "window/office.hpp"
#include "window/packed_memory.hpp"
#include "window/written_layout.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <utility>

namespace sode::internal::windows {
namespace {

// Parts of a layout, one after another, that fit into letters with a description and with the bytes themselves.
template <class Act> void in_letters(layout const& l, Act act) {
    constexpr auto room = static_cast<index_t>(most_letter - sizeof(letter_head));
    for (index_t begin = 0, all = l.bytes(); begin < all;) {
        index_t bytes = std::min(all - begin, room);
        for (;; bytes = (bytes + 1) / 2) {
            auto const part = bytes == all ? l : slice(l, begin, begin + bytes);
            auto const words = written(part);
            if (bytes > 1 && static_cast<index_t>(words.size() * sizeof(std::int64_t)) + bytes > room) continue;
            act(part, words, begin, begin + bytes);
            break;
        }
        begin += bytes;
    }
}

} // namespace

error absent_memory(std::string const& doing, std::string const& why) {
    return {error_kind::usage, doing + " finds no memory", why, "allocate the memory of the window on that rank first"};
}

template <class Ready> void office::wait_until(int peer, std::string const& doing, Ready ready) {
    patience p{job_, peer, doing};
    for (;;) {
        {
            std::lock_guard const l{lock_};
            require_open();
            carry();
            if (ready()) break;
        }
        p.wait();
    }
    if (absent_) throw error{*std::exchange(absent_, std::nullopt)}; // also of something put before
    if (!std::exchange(refused_, false)) return;
    throw error{error_kind::usage, "another rank has rejected " + doing, "the rank has destroyed the window",
                "call a barrier before a rank destroys a window"};
}

template <class Done>
void office::ask(target const& t, letter_head const& head, std::span<std::int64_t const> layout_words,
                 std::span<std::byte const> data, Done asked) {
    wait_until(t.rank, t.doing, [&] {
        if (questions_ >= most_questions) return false;
        auto whole = head;
        whole.window = t.window;
        whole.ticket = next_ticket_++;
        send(t.rank, whole, layout_words, data);
        ++questions_;
        asked(whole.ticket);
        return true;
    });
}

void office::put(target const& t, layout const& to, std::byte const* data, layout const& from) {
    std::vector<std::byte> packed;
    in_letters(to, [&](layout const& part, std::span<std::int64_t const> words, index_t begin, index_t end) {
        packed.resize(static_cast<std::size_t>(end - begin));
        run(compile_sequence(slice(from, begin, end), contiguous(0, end - begin), target_overlap::excluded), packed.data(), data);
        static_cast<void>(part);
        ask(t, {.about = subject::put}, words, packed, [](std::uint64_t) {});
    });
}

void office::get(target const& t, layout const& from, std::byte* data, layout const& to) {
    try {
        in_letters(from, [&](layout const&, std::span<std::int64_t const> words, index_t begin, index_t end) {
            auto place = compile_sequence(contiguous(0, end - begin), slice(to, begin, end), target_overlap::excluded);
            ask(t, {.about = subject::get}, words, {}, [&](std::uint64_t ticket) {
                gets_.emplace(ticket, wanted{data, std::move(place)});
            });
        });
        wait_until(t.rank, t.doing, [&] { return gets_.empty(); });
    } catch (...) {
        std::lock_guard const l{lock_};
        gets_.clear(); // an answer that comes late must not reach memory of the caller
        throw;
    }
}

void office::load(target const& t, layout const& from, std::byte* data, layout const& to) {
    std::vector<std::byte> packed(static_cast<std::size_t>(from.bytes()));
    {
        std::lock_guard const l{lock_};
        require_open();
        if (!load_packed(*windows_[t.window].other, from, packed.data()))
            throw absent_memory(t.doing, "this rank has no memory for the window at present");
    }
    run(compile_sequence(contiguous(0, to.bytes()), to, target_overlap::excluded), data, packed.data());
}

void office::store(target const& t, layout const& to, std::byte const* data, layout const& from) {
    std::vector<std::byte> packed(static_cast<std::size_t>(from.bytes()));
    run(compile_sequence(from, contiguous(0, from.bytes()), target_overlap::excluded), packed.data(), data);
    std::lock_guard const l{lock_};
    require_open();
    if (!store_packed(*windows_[t.window].other, to, packed.data()))
        throw absent_memory(t.doing, "this rank has no memory for the window at present");
}

std::int64_t office::word(target const& t, std::size_t offset, std::size_t bytes, word_operation what, std::int64_t operand,
                          std::int64_t expected) {
    std::uint64_t ticket = 0;
    ask(t,
        {.about = subject::word,
         .offset = offset,
         .operation = static_cast<std::uint32_t>(what),
         .word_bytes = static_cast<std::uint32_t>(bytes),
         .operand = static_cast<std::uint64_t>(operand),
         .expected = static_cast<std::uint64_t>(expected)},
        {}, {}, [&](std::uint64_t as) { words_[ticket = as]; });
    std::int64_t before = 0;
    wait_until(t.rank, t.doing, [&] {
        auto const found = words_.find(ticket);
        if (!found->second) return false;
        before = *found->second;
        words_.erase(found);
        return true;
    });
    return before;
}

void office::flush(std::string const& doing) {
    wait_until(-1, doing, [&] { return questions_ == 0; });
}

// Dissemination: after round k a rank knows of the 2^(k+1) ranks up to itself. Arrivals are counted, as a rank may be one barrier
// ahead. Source: Hensgen, Finkel, Manber 1988.
void office::barrier(std::string const& doing) {
    flush(doing);
    int const rank = job_.boot->rank(), size = job_.boot->size();
    ++barriers_;
    std::size_t round = 0;
    for (int distance = 1; distance < size; distance *= 2, ++round) {
        {
            std::lock_guard const l{lock_};
            require_open();
            send((rank + distance) % size, {.about = subject::arrival, .offset = round}, {}, {});
        }
        int const from = (rank + size - distance) % size;
        wait_until(from, doing, [&] { return arrivals_[round] >= barriers_; });
    }
}

} // namespace sode::internal::windows
