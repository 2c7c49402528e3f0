// SPDX-License-Identifier: Apache-2.0
// Programs with a mistake that SODE_CHECK=halo must find; `right` has none.
#include <sode/sode.hpp>

#include <cstdio>
#include <exception>
#include <string_view>

int main(int argc, char** argv) try {
    sode::runtime rt{argc, argv};
    std::string_view const mistake = argc > 1 ? argv[1] : "";
    bool const corner = mistake == "corner";
    sode::grid<2> g{rt, {24, 24}, {.nodes = {sode::any, corner ? 2 : 1}}};
    sode::array<double, 2> t{g, sode::shadow{1}, 1.0, "temperature"}, next{g, sode::shadow{1}, 0.0, "next"};
    auto exchange = sode::reflect_init(t);

    if (mistake != "missing") exchange();
    sode::index_t const reach = mistake == "wide" ? 2 : 1;
    for (int step = 0; step < 2; ++step) {
        sode::loop(g.on({{2, 2}, {22, 22}}), [=, a = *t, b = *next](auto i, auto j) {
            b(i, j) = 0.25 * (a(i - reach, j) + a(i + reach, j) + a(i, j - 1) + a(i, j + 1));
            if (corner) b(i, j) += a(i + 1, j + 1);
        });
        sode::loop(g.inner(), [a = *t, b = *next](auto i, auto j) { a(i, j) = b(i, j) + 1; });
        if (mistake != "stale") exchange();
    }
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
