// SPDX-License-Identifier: Apache-2.0
// One line of a picture from each rank, at rank 0.     sode run -n 4 ./collective_gather
#include <sode/sode.hpp>

#include <cstdio>
#include <span>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    sode::runtime rt{argc, argv};
    constexpr std::size_t width = 12;
    std::vector<char> line(width), picture(rt.root() ? width * static_cast<std::size_t>(rt.size()) : 0);
    auto take = sode::gather_init(rt, std::span<char const>{line}, std::span{picture});
    for (int t = 0; t < 3; ++t) {
        for (std::size_t x = 0; x < width; ++x)
            line[x] = static_cast<char>('a' + (static_cast<std::size_t>(rt.rank() + t) + x) % 26);
        take();
    }
    for (std::size_t y = 0; y < picture.size() / width; ++y) std::printf("%s\n", std::string(&picture[y * width], width).c_str());
    return rt.root() && picture.back() != static_cast<char>('a' + (static_cast<std::size_t>(rt.size()) + width) % 26) ? 1 : 0;
}
