// SPDX-License-Identifier: Apache-2.0
#include "datatypes/orders.hpp"
#include "support/gate.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>

namespace sode::internal::bench {

struct orders::letter {
    gate arrived;
    std::array<char, 256> line{};
};

orders::orders(mpi_world const& world, std::string const& from, std::string const& to)
    : world_(world), letters_(world.communicator(), sizeof(letter)) {
    new (letters_.of(world.rank())) letter;
    MPI_Barrier(world.communicator());
    if (world.rank() != 0) return;
    from_.reset(std::fopen(from.c_str(), "r"));
    to_.reset(std::fopen(to.c_str(), "w"));
    if (!from_ || !to_) throw std::runtime_error{"cannot open " + (from_ ? to : from) + ": " + std::strerror(errno)};
}

orders::letter& orders::of(int rank) const {
    return *reinterpret_cast<letter*>(letters_.of(rank));
}

std::string orders::read() {
    std::array<char, sizeof(letter::line)> line{};
    if (std::fgets(line.data(), static_cast<int>(line.size()), from_.get()) == nullptr) return {};
    std::string text{line.data()};
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

std::string orders::next() {
    if (world_.rank() != 0) {
        of(world_.rank()).arrived.pass();
        return of(world_.rank()).line.data();
    }
    auto const text = read();
    for (int r = 1; r < world_.size(); ++r) {
        std::strncpy(of(r).line.data(), text.c_str(), of(r).line.size() - 1);
        of(r).arrived.open();
    }
    return text;
}

void orders::answer(std::string const& line) {
    if (world_.rank() != 0) return;
    std::fputs((line + '\n').c_str(), to_.get());
    std::fflush(to_.get());
}

} // namespace sode::internal::bench
