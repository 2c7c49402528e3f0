// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sode::internal::windows {

/// What a letter between ranks is about. Behind its head there is a layout, as written_layout.hpp writes it, and then data.
enum class subject : std::uint32_t {
    put,     ///< data for the layout in the window; answered by done
    get,     ///< the bytes of the layout are wanted; answered by data
    word,    ///< an operation on a word of the window; answered by value
    done,    ///< a put is over
    data,    ///< what was to be got
    value,   ///< what the word was before
    refused, ///< there is no such window, or no such place in it
    absent,  ///< the memory behind the window is not there at present
    arrival  ///< the sender has come to a barrier; never answered
};

struct letter_head {
    subject about = subject::put;
    std::uint32_t window = 0;       ///< its number
    std::uint64_t ticket = 0;       ///< of the question, which the answer has, too
    std::uint64_t offset = 0;       ///< of a word; of an arrival the round of the barrier
    std::uint32_t operation = 0;    ///< on a word
    std::uint32_t word_bytes = 0;   ///< 4 or 8
    std::uint64_t operand = 0;      ///< of a word; or its value in an answer
    std::uint64_t expected = 0;     ///< what compare_exchange compares with
    std::uint32_t layout_words = 0; ///< behind the head
    std::uint32_t data_bytes = 0;   ///< behind them
};

/// All of a letter is at most this: what all MPIs send without asking the receiver, or not much more.
inline constexpr std::size_t most_letter = 32768;

[[nodiscard]] inline letter_head head_of(std::span<std::byte const> text) noexcept {
    letter_head head;
    std::memcpy(&head, text.data(), sizeof head);
    return head;
}

} // namespace sode::internal::windows
