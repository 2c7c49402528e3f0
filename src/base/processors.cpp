// SPDX-License-Identifier: Apache-2.0
#include "base/processors.hpp"

#include "base/cpu_quota.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <sched.h>

namespace sode::internal {

namespace {

constexpr int word_bits = 64;
constexpr int most_processors = 1 << 16;
static_assert(sizeof(unsigned long) == sizeof(std::uint64_t), "the kernel's masks are unsigned long words");

} // namespace

processor_set processor_set::of_this_thread() {
    // The kernel refuses masks that are shorter than its own, whose length it does not tell.
    processor_set set;
    for (std::size_t words = 16; words * word_bits <= most_processors; words *= 2) {
        set.words_.assign(words, 0);
        if (sched_getaffinity(0, words * sizeof(std::uint64_t), reinterpret_cast<cpu_set_t*>(set.words_.data())) == 0) break;
        if (errno != EINVAL) break;
    }
    if (set.count() == 0) set.insert(0);
    return set;
}

processor_set processor_set::parse(std::string_view list) {
    processor_set set;
    auto const wrong = [&] {
        return error{error_kind::usage, fmt::format("\"{}\" is not a list of processors", list), "", "write a list such as 0-3,8"};
    };
    char const* at = list.data();
    char const* const end = at + list.size();
    auto const number = [&] {
        int n = -1;
        auto const [after, failure] = std::from_chars(at, end, n);
        if (failure != std::errc{} || n < 0 || n >= most_processors) throw wrong();
        at = after;
        return n;
    };
    while (true) {
        int const first = number();
        int last = first;
        if (at != end && *at == '-') {
            ++at;
            last = number();
            if (last < first) throw wrong();
        }
        for (int p = first; p <= last; ++p) set.insert(p);
        if (at == end) return set;
        if (*at++ != ',') throw wrong();
    }
}

void processor_set::insert(int processor) {
    auto const word = static_cast<std::size_t>(processor / word_bits);
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= std::uint64_t{1} << (processor % word_bits);
}

bool processor_set::contains(int processor) const noexcept {
    auto const word = static_cast<std::size_t>(processor / word_bits);
    return processor >= 0 && word < words_.size() && (words_[word] >> (processor % word_bits) & 1) != 0;
}

int processor_set::count() const noexcept {
    int n = 0;
    for (std::uint64_t const word : words_) n += std::popcount(word);
    return n;
}

std::vector<int> processor_set::numbers() const {
    std::vector<int> list;
    for (int p = 0; p < static_cast<int>(words_.size()) * word_bits; ++p)
        if (contains(p)) list.push_back(p);
    return list;
}

processor_set& processor_set::operator|=(processor_set const& other) {
    words_.resize(std::max(words_.size(), other.words_.size()));
    for (std::size_t w = 0; w < other.words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
}

std::string processor_set::to_string() const {
    std::string text;
    std::vector<int> const list = numbers();
    for (std::size_t first = 0, last = 0; first < list.size(); first = ++last) {
        while (last + 1 < list.size() && list[last + 1] == list[last] + 1) ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ",", list[first]);
        if (last > first) text += fmt::format("-{}", list[last]);
    }
    return text;
}

bool processor_set::bind_this_thread() const noexcept {
    return sched_setaffinity(0, words_.size() * sizeof(std::uint64_t), reinterpret_cast<cpu_set_t const*>(words_.data())) == 0;
}

processor_set processor_set::from_words(std::vector<std::uint64_t> words) {
    processor_set set;
    set.words_ = std::move(words);
    return set;
}

int usable_processors(processor_set const& where) {
    int const processors = std::max(1, where.count());
    auto const quota = cpu_quota();
    return quota ? std::clamp(static_cast<int>(*quota), 1, processors) : processors;
}

int usable_processors() {
    return usable_processors(processor_set::of_this_thread());
}

} // namespace sode::internal
