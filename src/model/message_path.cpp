// SPDX-License-Identifier: Apache-2.0
#include "model/message_path.hpp"

#include <algorithm>
#include <array>

namespace sode {
namespace {

constexpr double line_bytes = 64;

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

/// The share of so many lines that one core's cache does not hold.
double missed(double lines, profile const& p) noexcept {
    return std::max(0.0, 1.0 - static_cast<double>(p.core_cache_bytes) / (lines * line_bytes));
}

/// One core moves all of it: `remote` is the side that is in the other one's cache.
double one_side(message_features const& m, shape const& remote, double sparse, double whole, profile const& p) noexcept {
    double const lines = lines_of(m.bytes, remote);
    double const line = between(sparse, whole, remote.line_density) + missed(lines, p) * p.missed_line;
    return lines * line + static_cast<double>(std::max(m.source.rows, m.target.rows)) * p.copied_row;
}

/// Rows of one side to or from contiguous memory in the own cache, or through it.
double packing(message_features const& m, shape const& own, profile const& p) noexcept {
    double const lines = lines_of(m.bytes, own);
    if (own.kind == pattern::contiguous) return 0;
    // Without a core to ask, misses overlap: about four at a time (docs/decisions/0013).
    return static_cast<double>(own.rows) * p.pack_row + lines * missed(lines, p) * p.missed_line / 4;
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
    if (!m.offered && m.bytes <= m.eager_bytes) return c;
    if (m.reachable) {
        c.add(message_path::direct);
        if (m.bytes >= p.shared_copy_bytes) c.add(message_path::both);
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

double predict(message_features const& m, message_path how, profile const& p) noexcept {
    auto const& c = p.datatypes_at(m.apart);
    auto const bytes = static_cast<double>(m.bytes);
    double const pull = one_side(m, m.source, c.sparse_line, c.line, p);
    double const push = one_side(m, m.target, c.sparse_push, c.push, p);
    double ns = 0;
    switch (how) {
    case message_path::plain: {
        auto const rows = [](shape const& s) { return s.kind == pattern::contiguous ? 0.0 : static_cast<double>(s.rows); };
        ns = c.mpi + (rows(m.source) + rows(m.target)) * c.mpi_row + bytes * c.mpi_byte;
        break;
    }
    case message_path::direct: ns = c.handshake + pull; break;
    case message_path::push: ns = c.handshake + push + p.at(m.apart).flag; break; // the receiver says where to
    case message_path::both:
        ns = c.handshake + p.at(m.apart).flag + (pull > 0 && push > 0 ? pull * push / (pull + push) : 0);
        break;
    case message_path::staged: ns = c.handshake + packing(m, m.source, p) + packing(m, m.target, p) + bytes * c.stage_byte; break;
    }
    return ns * 1e-3;
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

bool worth_a_record(message_features const& sender_side, profile const& p) noexcept {
    // The receiver's layout is most often the sender's, or contiguous: what MPI does well for the one it does well for the other.
    message_features m = sender_side;
    m.offered = false;
    for (bool const contiguous_target : {false, true}) {
        m.target = contiguous_target ? shape{pattern::contiguous, 1, m.bytes, 0, 1.0} : m.source;
        if (choose(m, p, std::nullopt).how != message_path::plain) return true;
    }
    return false;
}

} // namespace sode
