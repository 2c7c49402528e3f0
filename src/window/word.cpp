// SPDX-License-Identifier: Apache-2.0
#include "window/word.hpp"

#include <atomic>

namespace sode::internal::windows {
namespace {

template <class Word> std::int64_t operate_on(Word& word, word_operation what, Word operand, Word expected) noexcept {
    std::atomic_ref<Word> w{word};
    switch (what) {
    case word_operation::load: return w.load();
    case word_operation::store: return w.exchange(operand);
    case word_operation::add: return w.fetch_add(operand);
    case word_operation::bit_and: return w.fetch_and(operand);
    case word_operation::bit_or: return w.fetch_or(operand);
    case word_operation::bit_xor: return w.fetch_xor(operand);
    case word_operation::compare_exchange: w.compare_exchange_strong(expected, operand); return expected;
    }
    return 0;
}

} // namespace

std::int64_t operate(std::byte* word, std::size_t bytes, word_operation what, std::int64_t operand,
                     std::int64_t expected) noexcept {
    if (bytes == sizeof(std::int32_t))
        return operate_on(*reinterpret_cast<std::int32_t*>(word), what, static_cast<std::int32_t>(operand),
                          static_cast<std::int32_t>(expected));
    return operate_on(*reinterpret_cast<std::int64_t*>(word), what, operand, expected);
}

} // namespace sode::internal::windows
