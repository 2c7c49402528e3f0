// SPDX-License-Identifier: Apache-2.0
#include <sode/sode.hpp>
#include <sode/window.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>

// Steps from n to 1: halve an even number; multiply an odd one by 3 and add 1.
static std::int64_t steps_from(std::int64_t n) {
    std::int64_t steps = 0;
    for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return steps;
}

int main(int argc, char** argv) {
    sode::runtime rt{sode::join_with_windows(), argc, argv}; // as usual, but also ready for accesses from other machines
    std::int64_t const chunks = 100, numbers = 1000, word = sizeof(std::int64_t);

    // Rank 0 has a counter, then one result for each chunk of numbers.
    sode::window table{rt, rt.root() ? static_cast<std::size_t>((1 + chunks) * word) : 0, "table"};
    for (;;) {
        auto const chunk = table.word(0, 0, word, sode::word_operation::add, 1); // take the next chunk
        if (chunk >= chunks) break;
        std::int64_t longest = 0;
        for (auto n = chunk * numbers + 1; n <= (chunk + 1) * numbers; ++n) longest = std::max(longest, steps_from(n));
        table.put(0, {.offset = (1 + chunk) * word, .bytes = word}, &longest, {.bytes = word});
    }
    table.barrier(); // all results have arrived

    if (rt.root()) {
        auto const* const results = reinterpret_cast<std::int64_t const*>(table.memory(0)) + 1;
        auto const longest = *std::max_element(results, results + chunks);
        std::printf("of %lld numbers, one needs %lld steps\n", static_cast<long long>(chunks) * numbers,
                    static_cast<long long>(longest));
    }
}
