// SPDX-License-Identifier: Apache-2.0
// What a rank does with letters: it answers questions about its own memory, and takes answers to its own questions.
#include "window/full_fence.hpp"
#include "window/office.hpp"
#include "window/packed_memory.hpp"
#include "window/word.hpp"
#include "window/written_layout.hpp"

namespace sode::internal::windows {
namespace {

layout layout_in(letter_head const& head, std::span<std::byte const> rest) {
    std::vector<std::int64_t> words(head.layout_words);
    std::memcpy(words.data(), rest.data(), words.size() * sizeof(std::int64_t));
    return read_layout(words);
}

std::size_t layout_bytes(letter_head const& head) {
    return head.layout_words * sizeof(std::int64_t);
}

} // namespace

// Whoever asks has looked already, but its letter is not to be trusted with this rank's memory.
office::memory_block const* office::block_of(letter_head const& head, std::int64_t first, std::int64_t end) const noexcept {
    if (head.window >= windows_.size()) return nullptr;
    auto const& w = windows_[head.window];
    return (w.first || w.other) && first >= 0 && end <= static_cast<std::int64_t>(w.bytes) ? &w : nullptr;
}

void office::read(letter_box::letter const& l) {
    auto const head = head_of(l.text);
    auto const rest = l.text.subspan(sizeof head);
    switch (head.about) {
    case subject::put: return answer_put(l.from, head, rest);
    case subject::get: return answer_get(l.from, head, rest);
    case subject::word: return answer_word(l.from, head);
    case subject::arrival: ++arrivals_[head.offset]; return;
    default: return take_answer(l.from, head, rest);
    }
}

void office::answer_put(int from, letter_head const& head, std::span<std::byte const> rest) {
    auto const to = layout_in(head, rest);
    auto const [first, end] = to.extent();
    auto const* const block = block_of(head, first, end);
    auto const* const data = rest.data() + layout_bytes(head);
    auto answer = block ? subject::done : subject::refused;
    if (block && block->first)
        run(compile_sequence(contiguous(0, to.bytes()), to, target_overlap::excluded), block->first, data);
    else if (block && !store_packed(*block->other, to, data))
        answer = subject::absent;
    full_fence();
    send(from, {.about = answer, .window = head.window, .ticket = head.ticket}, {}, {});
}

void office::answer_get(int from, letter_head const& head, std::span<std::byte const> rest) {
    auto const what = layout_in(head, rest);
    auto const [first, end] = what.extent();
    auto const* const block = block_of(head, first, end);
    if (!block) return send(from, {.about = subject::refused, .ticket = head.ticket}, {}, {});
    full_fence();
    std::vector<std::byte> packed(static_cast<std::size_t>(what.bytes()));
    if (block->first)
        run(compile_sequence(what, contiguous(0, what.bytes()), target_overlap::excluded), packed.data(), block->first);
    else if (!load_packed(*block->other, what, packed.data()))
        return send(from, {.about = subject::absent, .window = head.window, .ticket = head.ticket}, {}, {});
    send(from, {.about = subject::data, .ticket = head.ticket}, {}, packed);
}

void office::answer_word(int from, letter_head const& head) {
    auto const first = static_cast<std::int64_t>(head.offset);
    auto const* const block = block_of(head, first, first + head.word_bytes);
    if (!block || !block->first) return send(from, {.about = subject::refused, .ticket = head.ticket}, {}, {});
    auto const before = operate(block->first + first, head.word_bytes, static_cast<word_operation>(head.operation),
                                static_cast<std::int64_t>(head.operand), static_cast<std::int64_t>(head.expected));
    send(from, {.about = subject::value, .ticket = head.ticket, .operand = static_cast<std::uint64_t>(before)}, {}, {});
}

void office::take_answer(int from, letter_head const& head, std::span<std::byte const> rest) {
    --questions_;
    auto const get = gets_.find(head.ticket);
    auto const word = words_.find(head.ticket);
    if (head.about == subject::refused) refused_ = true;
    if (head.about == subject::absent)
        absent_ =
            absent_memory((get != gets_.end() ? "a get from window \"" : "a put to window \"") + windows_[head.window].name + "\"",
                          "rank " + std::to_string(from) + " has no memory for the window at present");
    if (get != gets_.end()) {
        if (head.about == subject::data) run(get->second.program, get->second.data, rest.data());
        gets_.erase(get);
    }
    if (word != words_.end()) word->second = static_cast<std::int64_t>(head.operand);
}

} // namespace sode::internal::windows
