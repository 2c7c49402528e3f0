// SPDX-License-Identifier: Apache-2.0
#include "evaluation/topology.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <array>
#include <functional>
#include <numeric>

namespace sode::internal {
namespace {

int product(std::span<int const> list) {
    return std::accumulate(list.begin(), list.end(), 1, std::multiplies<>{});
}

class torus final : public topology {
public:
    explicit torus(std::span<int const> extents) : extents_(extents.begin(), extents.end()), machines_(product(extents)) {}
    [[nodiscard]] int machines() const noexcept override { return machines_; }
    [[nodiscard]] std::uint32_t links() const noexcept override { return static_cast<std::uint32_t>(machines_) * per_machine(); }
    void route(int from, int to, std::vector<std::uint32_t>& path) const override {
        int stride = 1;
        for (std::size_t d = extents_.size(); d-- > 0; stride *= extents_[d]) {
            int const n = extents_[d], target = to / stride % n;
            for (int at = from / stride % n; at != target;) {
                bool const up = (target - at + n) % n <= n / 2;
                path.push_back(static_cast<std::uint32_t>(from) * per_machine() + 2 * static_cast<std::uint32_t>(d) + (up ? 1 : 0));
                int const next = (at + (up ? 1 : n - 1)) % n;
                from += (next - at) * stride;
                at = next;
            }
        }
    }

private:
    [[nodiscard]] std::uint32_t per_machine() const noexcept { return 2 * static_cast<std::uint32_t>(extents_.size()); }
    std::vector<int> extents_;
    int machines_;
};

class fat_tree final : public topology {
public:
    explicit fat_tree(std::span<int const> extents) : extents_(extents.begin(), extents.end()), machines_(product(extents)) {}
    [[nodiscard]] int machines() const noexcept override { return machines_; }
    [[nodiscard]] std::uint32_t links() const noexcept override {
        return 2 * static_cast<std::uint32_t>(machines_) * static_cast<std::uint32_t>(extents_.size());
    }
    void route(int from, int to, std::vector<std::uint32_t>& path) const override {
        if (from == to) return;
        std::size_t top = 0; // the level of the switch that is above both
        for (int group = extents_[0]; from / group != to / group; ++top) group *= extents_[top + 1];
        int group = 1; // below a link of that level
        for (std::size_t level = 0; level <= top; group *= extents_[level++])
            path.push_back(link(level, from / group * group + to % group, 0));
        for (std::size_t level = top + 1; level-- > 0;) path.push_back(link(level, to, 1));
    }

private:
    [[nodiscard]] std::uint32_t link(std::size_t level, int which, std::uint32_t down) const noexcept {
        return 2 * (static_cast<std::uint32_t>(level) * static_cast<std::uint32_t>(machines_) + static_cast<std::uint32_t>(which)) +
               down;
    }
    std::vector<int> extents_;
    int machines_;
};

class dragonfly final : public topology {
public:
    explicit dragonfly(std::span<int const> extents) : here_(extents[0]), routers_(extents[1]), groups_(extents[2]) {}
    [[nodiscard]] int machines() const noexcept override { return here_ * routers_ * groups_; }
    [[nodiscard]] std::uint32_t links() const noexcept override { return first_global() + number(groups_ * groups_); }
    void route(int from, int to, std::vector<std::uint32_t>& path) const override {
        if (from == to) return;
        path.push_back(number(2 * from));
        int at = from / here_;
        int const last = to / here_, group = at / routers_, other = last / routers_;
        if (group != other) {
            local(at, group * routers_ + other % routers_, path);
            path.push_back(first_global() + number(group * groups_ + other));
            at = other * routers_ + group % routers_;
        }
        local(at, last, path);
        path.push_back(number(2 * to + 1));
    }

private:
    static std::uint32_t number(int n) noexcept { return static_cast<std::uint32_t>(n); }
    [[nodiscard]] std::uint32_t first_local() const noexcept { return number(2 * machines()); }
    [[nodiscard]] std::uint32_t first_global() const noexcept { return first_local() + number(groups_ * routers_ * routers_); }
    void local(int from, int to, std::vector<std::uint32_t>& path) const {
        if (from != to) path.push_back(first_local() + number(from * routers_ + to % routers_));
    }
    int here_, routers_, groups_;
};

class crossbar final : public topology {
public:
    explicit crossbar(std::span<int const> extents) : machines_(product(extents)) {}
    [[nodiscard]] int machines() const noexcept override { return machines_; }
    [[nodiscard]] std::uint32_t links() const noexcept override { return 2 * static_cast<std::uint32_t>(machines_); }
    void route(int from, int to, std::vector<std::uint32_t>& path) const override {
        if (from == to) return;
        path.push_back(2 * static_cast<std::uint32_t>(from));
        path.push_back(2 * static_cast<std::uint32_t>(to) + 1);
    }

private:
    int machines_;
};

template <class T> std::unique_ptr<topology> make(std::span<int const> extents) {
    return std::make_unique<T>(extents);
}
struct named {
    std::string_view name;
    std::size_t least, most; // extents
    std::unique_ptr<topology> (*made)(std::span<int const>);
};
constexpr std::array known{named{"torus", 1, 7, make<torus>}, named{"fat-tree", 1, 7, make<fat_tree>},
                           named{"dragonfly", 3, 3, make<dragonfly>}, named{"crossbar", 1, 7, make<crossbar>}};

} // namespace

std::string names_of_topologies() {
    return "torus, fat-tree, dragonfly and crossbar";
}

std::unique_ptr<topology> make_topology(std::string_view kind, std::span<int const> extents) {
    for (auto const& k : known) {
        if (k.name != kind) continue;
        if (extents.size() < k.least || extents.size() > k.most)
            throw error{error_kind::usage, fmt::format("a {} cannot have {} extents", kind, extents.size()),
                        kind == "dragonfly" ? "a dragonfly has 3 extents: machines on a router, routers in a group, and groups"
                                            : "this network has 1 to 7 extents",
                        "write, for example, --machines 16x8x4"};
        return k.made(extents);
    }
    throw error{error_kind::usage, fmt::format("there is no network \"{}\"", kind),
                fmt::format("the networks are {}", names_of_topologies()), "choose one of these networks"};
}

} // namespace sode::internal
