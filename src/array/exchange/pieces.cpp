// SPDX-License-Identifier: Apache-2.0
#include <sode/collectives.hpp>

#include <sode/error.hpp>

#include <fmt/format.h>

#include <optional>

namespace sode {
using namespace internal;

namespace {

void require_root(runtime const& rt, int root, std::string_view what) {
    if (root < 0 || root >= rt.size())
        throw error{error_kind::usage, fmt::format("{} cannot be planned: there is no rank {}", what, root),
                    fmt::format("the job has ranks 0 to {}", rt.size() - 1), "choose one of these ranks as the root"};
}

std::optional<error> not_one_each(runtime const& rt, std::span<piece const> list, std::string_view what) {
    if (list.size() == static_cast<std::size_t>(rt.size())) return {};
    return error{error_kind::usage, fmt::format("{} cannot be planned: rank {} passes {} pieces", what, rt.rank(), list.size()),
                 fmt::format("the job has {} ranks, and each rank needs one piece", rt.size()),
                 "pass one piece for every rank; a piece may have 0 bytes"};
}

// What is already where it belongs need not move.
bool stays(piece const& from, piece const& to) {
    return from.memory == to.memory && from.what == to.what;
}

class end_list {
public:
    explicit end_list(int rank) : rank_(rank) {}
    void give(piece const& p, int to) { ends_.push_back(send_init(p.memory, p.what, to)); }
    void get(piece const& p, int from) { ends_.push_back(recv_init(p.memory, p.what, from)); }
    // Of a rank and itself.
    void keep(piece const& from, piece const& to) {
        if (stays(from, to)) return;
        give(from, rank_);
        get(to, rank_);
    }
    [[nodiscard]] std::span<message_end const> all() const noexcept { return ends_; }

private:
    int rank_;
    std::vector<message_end> ends_;
};

// `trouble` is one rank's alone: the others hear of it when they meet.
exchange planned_for(runtime& rt, std::string_view what, collective_options const& options, std::optional<error> const& trouble,
                     auto const& list_ends) {
    end_list ends{rt.rank()};
    if (!trouble) list_ends(ends);
    return {rt,
            ends.all(),
            {.channel = options.algorithm, .name = options.name.empty() ? std::string{what} : options.name},
            trouble ? &*trouble : nullptr};
}

} // namespace

exchange gather_init(runtime& rt, piece const& mine, std::span<piece const> all, int root, collective_options const& options) {
    require_root(rt, root, "gather");
    auto const trouble = rt.rank() == root ? not_one_each(rt, all, "gather") : std::nullopt;
    return planned_for(rt, "gather", options, trouble, [&](end_list& ends) {
        if (rt.rank() != root) return ends.give(mine, root);
        for (int r = 0; r < rt.size(); ++r)
            if (auto const& part = all[static_cast<std::size_t>(r)]; r == root)
                ends.keep(mine, part);
            else
                ends.get(part, r);
    });
}

exchange scatter_init(runtime& rt, std::span<piece const> all, piece const& mine, int root, collective_options const& options) {
    require_root(rt, root, "scatter");
    auto const trouble = rt.rank() == root ? not_one_each(rt, all, "scatter") : std::nullopt;
    return planned_for(rt, "scatter", options, trouble, [&](end_list& ends) {
        if (rt.rank() != root) return ends.get(mine, root);
        for (int r = 0; r < rt.size(); ++r)
            if (auto const& part = all[static_cast<std::size_t>(r)]; r == root)
                ends.keep(part, mine);
            else
                ends.give(part, r);
    });
}

exchange allgather_init(runtime& rt, piece const& mine, std::span<piece const> all, collective_options const& options) {
    return planned_for(rt, "allgather", options, not_one_each(rt, all, "allgather"), [&](end_list& ends) {
        for (int i = 1; i < rt.size(); ++i) ends.give(mine, (rt.rank() + i) % rt.size());
        for (int i = 1; i < rt.size(); ++i) {
            int const r = (rt.rank() + i) % rt.size();
            ends.get(all[static_cast<std::size_t>(r)], r);
        }
        ends.keep(mine, all[static_cast<std::size_t>(rt.rank())]);
    });
}

exchange alltoall_init(runtime& rt, std::span<piece const> given, std::span<piece const> got, collective_options const& options) {
    auto trouble = not_one_each(rt, given, "alltoall");
    if (!trouble) trouble = not_one_each(rt, got, "alltoall");
    return planned_for(rt, "alltoall", options, trouble, [&](end_list& ends) {
        for (int i = 1; i < rt.size(); ++i) {
            int const r = (rt.rank() + i) % rt.size();
            ends.give(given[static_cast<std::size_t>(r)], r);
            ends.get(got[static_cast<std::size_t>(r)], r);
        }
        ends.keep(given[static_cast<std::size_t>(rt.rank())], got[static_cast<std::size_t>(rt.rank())]);
    });
}

exchange neighbour_alltoall_init(runtime& rt, std::span<neighbour const> given, std::span<neighbour const> got,
                                 collective_options const& options) {
    return planned_for(rt, "neighbour alltoall", options, {}, [&](end_list& ends) {
        for (auto const& n : given) ends.give(n.part, n.rank);
        for (auto const& n : got) ends.get(n.part, n.rank);
    });
}

exchange neighbour_allgather_init(runtime& rt, piece const& mine, std::span<int const> targets, std::span<neighbour const> got,
                                  collective_options const& options) {
    return planned_for(rt, "neighbour allgather", options, {}, [&](end_list& ends) {
        for (int const r : targets) ends.give(mine, r);
        for (auto const& n : got) ends.get(n.part, n.rank);
    });
}

} // namespace sode
