// SPDX-License-Identifier: Apache-2.0
// Coarrays in C++: in namespaces, lambdas, templates, and beside what else has colons.
#include <cstdio>
#include <xmp.h>

namespace image {
int x[3] : [*], count : [*];
}
struct particle {
    double place[2];
    int kind;
};
particle mine[2] : [*];

template <class T> T of_next(int next) {
    return static_cast<T>(image::count : [next]);
}

int main() {
    int failures = 0;
    int const me = xmpc_this_image(), all = xmp_num_images(), next = (me + 1) % all;
    {
        using image::count;
        count = me;
    }
    for (int& k : image::x) k = me;
    mine[1] = particle{{1.0 * me, 2}, me};
    xmp_sync_all(nullptr);
    auto const kind = [](int of) { return mine[1] : [of].kind; };
    failures += image::count : [next] != next || image::x[1] : [0] != 0 || of_next<long>(next) != next || kind(next) != next;
    failures += ::mine[1] : [next].place[0] != next;
    int const way = all > 0 ? [] { return 3; }() : 4;
    failures += way != 3;
    xmp_sync_all(nullptr);
    image::x [0:2] : [next] = 10 + me;
    xmp_sync_all(nullptr);
    failures += image::x[1] != 10 + (me + all - 1) % all || image::x[2] != me;
    if (failures != 0) std::printf("image %d of %d: %d failures\n", me, all, failures);
    return failures != 0;
}
