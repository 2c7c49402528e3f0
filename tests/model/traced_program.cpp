// SPDX-License-Identifier: Apache-2.0
#include "model/traced_program.hpp"

#include <sode/sode.hpp>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

namespace sode::internal::testing {

void traced_program(runtime& rt, int dies_at) {
    grid<2> g{rt, {24, 24}};
    array<double, 2> u{g, shadow{1}, 1.0, "u"}, v{g, shadow{1}, 1.0, "v \"quoted\""};
    auto one = reflect_init({.periodic = true}, u);
    auto other = reflect_init({.corners = true}, v);
    for (int i = 0; i < traced_exchanges; ++i) {
        if (i == dies_at && rt.rank() == rt.size() - 1) std::raise(SIGKILL);
        one();
    }
    // Two at a time, and the first ends first.
    one.start();
    other.start();
    one.wait();
    other.wait();
}

} // namespace sode::internal::testing

#ifdef TRACED_PROGRAM_MAIN
int main(int argc, char** argv) {
    try {
        sode::runtime rt{argc, argv};
        sode::internal::testing::traced_program(rt, rt.arg("--dies-at", -1));
    } catch (std::exception const& e) {
        std::fprintf(stderr, "traced_program: %s\n", e.what());
        return 3;
    }
}
#endif
