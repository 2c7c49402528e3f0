// SPDX-License-Identifier: Apache-2.0
#include "halo/geometry.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace sode::internal::bench {
namespace {

std::array<int, 3> coordinates(std::array<int, 3> const& grid, int rank) {
    return {rank / grid[2] / grid[1], rank / grid[2] % grid[1], rank % grid[2]};
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> result;
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t const end = std::min(text.find('_', at), text.size());
        result.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return result;
}

int number(std::string_view text, std::string_view whole) {
    int value = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || value < 1)
        throw std::invalid_argument{"halo case \"" + std::string{whole} + "\": \"" + std::string{text} +
                                    "\" is no positive number"};
    return value;
}

} // namespace

std::vector<direction> const& directions() {
    static std::vector<direction> const all = [] {
        std::vector<direction> result;
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z)
                    if (x != 0 || y != 0 || z != 0) result.push_back({x, y, z});
        return result;
    }();
    return all;
}

halo_case halo_case::parse(std::string_view name, int ranks) {
    halo_case c;
    c.name = name;
    auto const parts = words(name);
    bool const flat = parts[0].starts_with("2d");
    if (!flat && !parts[0].starts_with("3d"))
        throw std::invalid_argument{"halo case \"" + std::string{name} + "\" starts with neither 2d nor 3d"};
    int const n = number(parts[0].substr(2), name);
    int width = 1;
    bool placed = false;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        auto const part = parts[i];
        if (part == "per")
            c.periodic = true;
        else if (part.starts_with('h'))
            width = number(part.substr(1), name);
        else if (part.starts_with('f'))
            c.fields = number(part.substr(1), name);
        else if (part.size() == 1 && part[0] >= 'x' && part[0] <= 'z') {
            int const dimension = flat && part[0] == 'x' ? 1 : part[0] - 'x';
            c.grid[static_cast<std::size_t>(dimension)] = ranks;
            placed = true;
        } else if (part.size() == 3) {
            for (std::size_t d = 0; d < 3; ++d) c.grid[d] = number(part.substr(d, 1), name);
            placed = true;
        } else
            throw std::invalid_argument{"halo case \"" + std::string{name} + "\": cannot read \"" + std::string{part} + "\""};
    }
    c.n = {flat ? 1 : n, n, n};
    for (std::size_t d = 0; d < 3; ++d) c.width[d] = c.n[d] == 1 ? 0 : width;
    if (!placed || c.grid[0] * c.grid[1] * c.grid[2] != ranks || (flat && c.grid[0] != 1) || width > n)
        throw std::invalid_argument{"halo case \"" + std::string{name} + "\" does not fit " + std::to_string(ranks) + " ranks"};
    return c;
}

rank_block::rank_block(halo_case const& c, int rank) : case_(&c), rank_(rank), at_(coordinates(c.grid, rank)) {
    for (std::size_t d = 0; d < 3; ++d) allocated_[d] = c.n[d] + 2 * c.width[d];
}

std::optional<int> rank_block::neighbour(direction d) const {
    auto const& grid = case_->grid;
    std::array<int, 3> to{};
    for (std::size_t i = 0; i < 3; ++i) {
        if (d[i] != 0 && case_->width[i] == 0) return std::nullopt;
        to[i] = at_[i] + d[i];
        if (to[i] < 0 || to[i] >= grid[i]) {
            if (!case_->periodic) return std::nullopt;
            to[i] = (to[i] + grid[i]) % grid[i];
        }
    }
    return (to[0] * grid[1] + to[1]) * grid[2] + to[2];
}

std::vector<int> rank_block::peers() const {
    std::vector<int> result;
    for (auto const& d : directions())
        if (auto const p = neighbour(d); p && *p != rank_ && std::find(result.begin(), result.end(), *p) == result.end())
            result.push_back(*p);
    return result;
}

box rank_block::halo(direction d) const noexcept {
    box b;
    for (std::size_t i = 0; i < 3; ++i) {
        auto const w = case_->width[i], n = case_->n[i];
        b.from[i] = d[i] < 0 ? 0 : d[i] == 0 ? w : w + n;
        b.size[i] = d[i] == 0 ? n : w;
    }
    return b;
}

box rank_block::edge(direction d) const noexcept {
    box b;
    for (std::size_t i = 0; i < 3; ++i) {
        auto const w = case_->width[i], n = case_->n[i];
        b.from[i] = d[i] > 0 ? n : w;
        b.size[i] = d[i] == 0 ? n : w;
    }
    return b;
}

box rank_block::interior() const noexcept {
    return {case_->width, case_->n};
}

extent3 rank_block::global(extent3 const& at) const noexcept {
    extent3 g{};
    for (std::size_t i = 0; i < 3; ++i) {
        auto const all = case_->n[i] * case_->grid[i];
        g[i] = ((at_[i] * case_->n[i] + at[i] - case_->width[i]) % all + all) % all;
    }
    return g;
}

std::vector<std::pair<std::string, double>> sizes(halo_case const& c) {
    std::int64_t most_bytes = 0, its_directions = 0;
    for (int rank = 0; rank < c.grid[0] * c.grid[1] * c.grid[2]; ++rank) {
        rank_block const b{c, rank};
        std::int64_t bytes = 0, count = 0;
        for (auto const& d : directions())
            if (auto const from = b.neighbour(d); from && *from != rank) {
                bytes += b.halo(d).elements() * c.fields * static_cast<std::int64_t>(sizeof(double));
                ++count;
            }
        if (bytes > most_bytes) most_bytes = bytes, its_directions = count;
    }
    std::vector<std::pair<std::string, double>> all;
    auto const tell = [&](std::string key, auto value) { all.emplace_back(std::move(key), static_cast<double>(value)); };
    tell("x", c.n[0]), tell("y", c.n[1]), tell("z", c.n[2]);
    tell("ranks_x", c.grid[0]), tell("ranks_y", c.grid[1]), tell("ranks_z", c.grid[2]);
    tell("halo", c.width[2]), tell("fields", c.fields), tell("periodic", c.periodic ? 1 : 0);
    tell("bytes", most_bytes), tell("messages", its_directions);
    return all;
}

} // namespace sode::internal::bench
