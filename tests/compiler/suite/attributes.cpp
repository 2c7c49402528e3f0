// SPDX-License-Identifier: Apache-2.0
// Attributes whose names are those of variables, too; variables are what may be an extent.
#include <cstdio>
#include <xmp.h>

int deprecated = 3, nodiscard = 4;
int extent = 6;
#pragma xmp nodes p[*]
#pragma xmp template t[12]
#pragma xmp distribute t[block] onto p
[[maybe_unused]] double u[12];
#pragma xmp align u[i] with t[i]

namespace field {
[[nodiscard]] int sum(int const (&a)[3]);
struct [[nodiscard]] result {
    int value;
};
[[deprecated]] int other(int const a[]);
} // namespace field

[[nodiscard]] int field::sum(int const (&a)[3]) {
    return a[0] + a[1] + a[2];
}

int main() {
    int const a[3] = {1, 2, 3};
    double s = 0;
#pragma xmp loop on t[i] reduction(+ : s)
    for (int i = 0; i < 12; i++) [[likely]]
        s += u[i] = i;
    return field::sum(a) != extent || s != 66 || deprecated + nodiscard != 7;
}
