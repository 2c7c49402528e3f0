// SPDX-License-Identifier: Apache-2.0
#include "model/message_path.hpp"

#include "layout/cache_line.hpp"

#include <algorithm>
#include <array>

namespace sode::internal {
namespace {

constexpr auto line_bytes = static_cast<double>(line);

struct named {
    message_path path;
    std::string_view name;
};
constexpr std::array names{named{message_path::plain, "plain"}, named{message_path::direct, "direct"},
                           named{message_path::both, "both"}, named{message_path::push, "push"},
                           named{message_path::staged, "staged"}};

double lines_of(index_t bytes, shape const& s) noexcept {
    return static_cast<double>(bytes) / (line_bytes * std::max(s.line_density, 1e-3));
}

/// Between a line of which less than half is used and one that is used as a whole.
double between(double sparse, double whole, double density) noexcept {
    constexpr double still_sparse = 0.5;
    constexpr double as_good_as_whole = 0.9;
    double const w = std::clamp((density - still_sparse) / (as_good_as_whole - still_sparse), 0.0, 1.0);
    return sparse + w * (whole - sparse);
}

/// The share of the lines of both sides that one core's cache does not hold.
double missed(double lines, profile const& p) noexcept {
    return std::max(0.0, 1.0 - static_cast<double>(p.core_cache_bytes) / (2 * lines * line_bytes));
}

/// Pages on which rows lie; of one row, which is walked through, they cost nothing.
double pages_of(shape const& s, profile const& p) noexcept {
    if (s.rows <= 1) return 0;
    index_t const page = std::max<index_t>(p.page_bytes, 1);
    return static_cast<double>(std::min(s.rows, (s.extent.second - s.extent.first + page - 1) / page));
}

/// One core moves all of it: `remote` is the side that is in the other one's cache. Where its own side is the sparser one, that one
/// takes time as well.
double one_side(message_features const& m, shape const& own, shape const& remote, double sparse, double whole, double page,
                profile const& p) noexcept {
    double const lines = lines_of(m.bytes, remote);
    double const line = between(sparse, whole, remote.line_density) + missed(lines, p) * p.missed_line;
    return lines * line + pages_of(remote, p) * page + std::max(0.0, lines_of(m.bytes, own) - lines) * p.packed_row +
           static_cast<double>(std::max(m.source.rows, m.target.rows)) * p.copied_row;
}

/// Lines that are not in the cache, of a side that is packed or unpacked; rows that a copy goes through anyway cost nothing.
double misses(message_features const& m, shape const& own, profile const& p) noexcept {
    double const lines = lines_of(m.bytes, own);
    return own.kind == pattern::contiguous ? 0 : lines * missed(lines, p) * p.missed_line;
}
double rows_of(shape const& s) noexcept {
    return s.kind == pattern::contiguous ? 0 : static_cast<double>(s.rows);
}
double mpi_packing(shape const& s, datatype_costs const& c) noexcept {
    return rows_of(s) * (s.kind == pattern::indexed ? c.mpi_list_row : c.mpi_row);
}
double packing(message_features const& m, shape const& own, profile const& p) noexcept {
    return rows_of(own) * p.packed_row + misses(m, own, p);
}
/// A message by a stage. Both ends work at once: the sender packs while the record is on its way and is recognised, and the
/// receiver unpacks what is packed.
expense by_stage(message_features const& m, datatype_costs const& c, profile const& p) noexcept {
    double const through = static_cast<double>(m.bytes) * c.stage_byte;
    expense e{.source = packing(m, m.source, p) + through / 2,
              .target = packing(m, m.target, p) + through / 2,
              .latency = c.stage + c.handshake};
    double const last_piece =
        std::min(1.0, static_cast<double>(stage_piece(m.bytes, m.apart)) / static_cast<double>(std::max<index_t>(m.bytes, 1)));
    e.beside = e.total() - c.stage - c.handshake / 2 - std::max(c.handshake / 2 + e.target, e.source + e.target * last_piece);
    return e;
}
/// One end packs or unpacks in memory of its own, MPI sends bytes that lie together.
expense by_packing(message_features const& m, datatype_costs const& c, profile const& p) noexcept {
    shape const& own = m.ours == own_ends::source ? m.source : m.target;
    double const through = static_cast<double>(m.bytes);
    return {.source = packing(m, own, p) + through * c.stage_byte / 2,
            .target = through * c.mpi_byte,
            .latency = c.mpi + (m.bytes > m.eager_bytes ? c.mpi_asking : 0)};
}
/// Both cores copy from both ends until they meet: as long as it takes their rates together.
expense by_both(double pull, double push) noexcept {
    double const each = pull > 0 && push > 0 ? pull * push / (pull + push) : 0;
    return {.source = each, .target = each, .beside = each};
}

/// The paths that can be, in the order in which equals are preferred.
struct candidates {
    std::array<message_path, 5> paths{};
    std::size_t count = 0;
    void add(message_path how) noexcept { paths[count++] = how; }
    [[nodiscard]] bool has(message_path how) const noexcept { return std::find(paths.begin(), end(), how) != end(); }
    [[nodiscard]] auto begin() const noexcept { return paths.begin(); }
    [[nodiscard]] std::array<message_path, 5>::const_iterator end() const noexcept {
        return paths.begin() + static_cast<std::ptrdiff_t>(count);
    }
};

candidates possible(message_features const& m, profile const& p) noexcept {
    candidates c;
    if (!m.offered) c.add(message_path::plain);
    if (!m.offered && m.bytes <= m.least_bytes) return c;
    if (m.reachable && m.ours == own_ends::both) {
        c.add(message_path::direct);
        double const lines = std::max(lines_of(m.bytes, m.source), lines_of(m.bytes, m.target));
        if (!m.mutual && lines * line_bytes >= static_cast<double>(p.shared_copy_bytes)) c.add(message_path::both);
        c.add(message_path::push);
    }
    c.add(message_path::staged);
    return c;
}

} // namespace

std::string_view to_string(message_path path) {
    for (auto const& n : names)
        if (n.path == path) return n.name;
    return "unknown";
}

std::optional<message_path> message_path_from(std::string_view text) {
    for (auto const& n : names)
        if (n.name == text) return n.path;
    return std::nullopt;
}

expense cost(message_features const& m, message_path how, profile const& p) noexcept {
    auto const& c = p.of(m.apart).datatypes;
    double const flag = p.of(m.apart).memory.flag;
    double const pull = one_side(m, m.target, m.source, c.sparse_line, c.line, c.page, p);
    double const push = one_side(m, m.source, m.target, c.sparse_push, c.push, c.page, p);
    switch (how) {
    case message_path::plain: {
        double const through = static_cast<double>(m.bytes) * c.mpi_byte / 2;
        return {.source = mpi_packing(m.source, c) + misses(m, m.source, p) + through,
                .target = mpi_packing(m.target, c) + misses(m, m.target, p) + through,
                .latency = c.mpi + (m.bytes > m.eager_bytes ? c.mpi_asking : 0)};
    }
    case message_path::direct: return {.target = pull, .latency = c.handshake};
    case message_path::push: return {.source = push, .latency = c.handshake + flag}; // the receiver says where to
    case message_path::both: return by_both(pull, push) + expense{.latency = c.handshake + flag};
    case message_path::staged: return m.ours == own_ends::both ? by_stage(m, c, p) : by_packing(m, c, p);
    }
    return {};
}

std::array<double, message_paths> costs_of_paths(message_features const& m, profile const& p) noexcept {
    std::array<double, message_paths> all{};
    for (message_path const how : possible(m, p)) all[static_cast<std::size_t>(how)] = cost(m, how, p).total();
    return all;
}

double predict(message_features const& m, message_path how, profile const& p) noexcept {
    return cost(m, how, p).total() * 1e-3;
}

path_choice choose(message_features const& m, profile const& p, std::optional<message_path> forced) noexcept {
    constexpr double never = 1e300;
    auto const paths = possible(m, p);
    path_choice best{*paths.begin(), never, *paths.begin(), never, false};
    for (message_path const how : paths) {
        double const us = predict(m, how, p);
        if (us < best.expected_us)
            best = {how, us, best.how, best.expected_us, false};
        else if (us < best.runner_up_us)
            best.runner_up = how, best.runner_up_us = us;
    }
    if (best.runner_up_us == never) best.runner_up = best.how, best.runner_up_us = best.expected_us; // the only one
    if (!forced) return best;
    if (*forced == message_path::both && m.reachable && !paths.has(message_path::both) && paths.has(message_path::direct))
        return {message_path::both, predict(m, message_path::both, p), best.how, best.expected_us, true};
    bool const needs_reach = *forced != message_path::plain && *forced != message_path::staged;
    message_path const wanted = needs_reach && !m.reachable ? message_path::staged : *forced;
    if (!paths.has(wanted)) return best;
    if (wanted == best.how) {
        best.forced = true;
        return best;
    }
    return {wanted, predict(m, wanted, p), best.how, best.expected_us, true};
}

proposal propose(message_features const& sender_side, profile const& p) noexcept {
    constexpr double hardly_worse = 1.3; // asking for a stage afterwards costs as much
    message_features m = sender_side;
    m.offered = false;
    m.target = m.source;
    path_choice const alike = choose(m, p, std::nullopt);
    m.target = {pattern::contiguous, 1, m.bytes, 0, 1.0};
    path_choice const contiguous = choose(m, p, std::nullopt);
    if (alike.how == message_path::plain && contiguous.how == message_path::plain) return proposal::leave;
    bool const pack =
        (alike.how == message_path::staged || alike.how == message_path::plain) &&
        (contiguous.how == message_path::plain || predict(m, message_path::staged, p) <= hardly_worse * contiguous.expected_us);
    return pack ? proposal::pack : proposal::offer;
}

} // namespace sode::internal
