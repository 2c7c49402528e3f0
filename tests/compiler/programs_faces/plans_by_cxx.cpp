// SPDX-License-Identifier: Apache-2.0
// The halos of plans_by_directives.c by the C++ face: plans_by_cxx FOLDER FIRST SECOND writes FOLDER/RANK.
#include <cstdlib>
#include <fstream>
#include <sode/sode.hpp>
#include <string>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    if (argc < 4) return 2;
    sode::grid<2> const lines{rt, {48, 32}, {.nodes = {rt.size(), 1}}};
    sode::array<double, 2> u{lines, sode::shadow{{2, 1}, {0, 0}}, 0.0, "u"};
    int const first = std::atoi(argv[2]), second = std::atoi(argv[3]);
    sode::grid<2> const blocks{rt, {48, second * 30}, {.nodes = {first, second}}};
    sode::array<float, 2> v{blocks, sode::shadow{1}, 0.0F, "v"};

    std::ofstream file{std::string{argv[1]} + "/" + std::to_string(rt.rank())};
    auto const tell = [&](char const* what, sode::reflection const& halo) {
        for (auto const* const format : {"text", "json"}) file << what << '\n' << halo.dump(format) << '\n';
    };
    tell("rows", sode::reflect_init({.corners = true}, u));
    tell("one layer", sode::reflect_init(sode::width(u, {{1, 1}, {0, 0}})));
    tell("periodic rows", sode::reflect_init({.corners = true, .periodic = {true, false}}, u));
    tell("blocks with corners", sode::reflect_init({.corners = true}, v));
    tell("blocks", sode::reflect_init(v));
    tell("periodic blocks", sode::reflect_init({.periodic = true}, v));
    return file.good() ? 0 : 1;
}
