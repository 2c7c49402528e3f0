/* SPDX-License-Identifier: Apache-2.0 */
/* FLAGS: -std=gnu++20 */
// C++20 by option: abbreviated templates, concepts, spaceship, ranges, designated initializers, lambdas with template parameters, constexpr, char8_t.
#include <algorithm>
#include <compare>
#include <concepts>
#include <cstdio>
#include <span>
#include <xmp.h>
constexpr int N = 22;
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
struct pair_ { int key; double weight; auto operator<=>(pair_ const&) const = default; };
static pair_ table_[N];
#pragma xmp align table_[i] with t[i]
#pragma xmp shadow table_[1]
constexpr int twice(int k) { return 2 * k; }
auto total(std::integral auto from, std::integral auto to) {
    double s = 0;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = from; i < to; ++i) s += table_[i].weight;
    return s;
}
int main() {
    int bad = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) table_[i] = {.key = twice(i), .weight = i / 2.0};
#pragma xmp reflect (table_)
    auto ordered = [](auto a, auto b) { return (a <=> b) < 0; };
#pragma xmp loop on t[i] reduction(+:bad)
    for (int i = 1; i < N; i++) if (!ordered(table_[i - 1], table_[i])) bad++;
    bad += total(2, 6L) != 7.0;
    pair_ own[N];
#pragma xmp gmove
    own[:] = table_[:];
    std::span<pair_ const> const all{own};
    bad += !std::ranges::is_sorted(all) || std::ranges::max(all).key != 2 * (N - 1);
    auto const pick = []<class T>(T k) { return table_[k].key; };
#pragma xmp task on t[3]
    bad += pick(3) != 6 || pick(3L) != 6;
    if (bad) std::printf("bad %d\n", bad);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
