// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_rows.hpp"
#include "plan/proof/origin.hpp"
#include "plan/proof/well_formed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sode::internal::proof {
namespace {

/// Reports about entries of one rank's tables.
class table_report {
public:
    table_report(report& findings, plan const& p, std::string_view table) : report_(findings), plan_(p), table_(table) {}

    void entry(std::size_t i) noexcept { entry_ = i; }
    void expect(bool holds, finding::type kind, std::string_view problem, std::string_view advice) {
        if (holds) return;
        report_.add(kind, ix(plan_.rank), std::uint64_t{entry_} << 8U | ++count_,
                    [&] { return fmt::format("{} {} of rank {} {} {}", table_, entry_, plan_.rank, problem, advice); });
    }

private:
    report& report_;
    plan const& plan_;
    std::string_view table_;
    std::size_t entry_ = 0;
    std::uint8_t count_ = 0;
};

bool same_line(counter const& a, counter const& b) noexcept {
    return a.kind == b.kind && a.memory == b.memory && a.writer == b.writer && a.step == b.step && a.instances == b.instances &&
           instances_of(a) == instances_of(b) && a.index == b.index;
}

/// Payload bytes behind the counter, or behind the poorest of several; see pair_counters.
std::int64_t room_behind(plan const& host, buffer const& payload) {
    auto const first_of_pairs = host.own_lines - pair_counters * host.own_pairs;
    auto const behind = [&](std::int64_t index) {
        if (index < first_of_pairs) return payload_bytes;
        return (index - first_of_pairs) % pair_counters < 6 ? 0 : pair_payload_bytes;
    };
    auto least = payload_bytes;
    for (std::uint32_t i = 0; i < instances_of(payload); ++i) least = std::min(least, behind(std::int64_t{payload.ordinal} + i));
    return least;
}

bool parts_fit(plan const& p) noexcept {
    auto const fits = [&](std::int64_t own_part::*what, std::int64_t all) {
        auto const pinned = p.own_pinned.*what, device = p.own_device.*what;
        return pinned >= 0 && device >= 0 && pinned <= all && device <= all - pinned;
    };
    return fits(&own_part::lines, p.own_lines - pair_counters * p.own_pairs) && fits(&own_part::stage, p.own_stage) &&
           fits(&own_part::scratch, p.own_scratch);
}

} // namespace

void check_identity(std::span<plan const> plans, std::span<std::vector<array_model> const> arrays, report& findings) {
    auto const wrong = [&](std::size_t r, std::string_view what) {
        findings.add(finding::type::malformed, r, 0, [&] {
            return fmt::format("plan {} of {} {} give verify the plans of ranks 0 to p - 1 of one job", r, plans.size(), what);
        });
    };
    if (plans.size() != arrays.size()) wrong(0, "(the number of array models is not the number of plans)");
    constexpr std::size_t most_ranks = std::size_t{1} << origin::rank_bits;
    constexpr std::int64_t most_lines = std::int64_t{1} << 20;
    if (plans.size() > most_ranks) wrong(0, "(verify can distinguish 2^20 ranks)");
    for (std::size_t r = 0; r < plans.size(); ++r) {
        if (ix(plans[r].rank) != r || ix(plans[r].ranks) != plans.size()) wrong(r, "(it claims to belong to another rank or job)");
        if (plans[r].alternates != plans[0].alternates) wrong(r, "(plan 0 has another value of alternates)");
        if (plans[r].own_lines < 0 || plans[r].own_lines > most_lines || !sane(plans[r].own_stage) || !sane(plans[r].own_scratch))
            wrong(r, "(it requests more lines, stage or scratch bytes than are possible)");
        if (plans[r].own_pairs < 0 || plans[r].own_pairs > plans[r].own_lines / pair_counters)
            wrong(r, "(it has fewer counters than those of its pairs)");
        if (!parts_fit(plans[r])) wrong(r, "(it requests fewer lines, stage or scratch bytes than its parts need)");
        for (auto const& a : r < arrays.size() ? arrays[r] : std::vector<array_model>{})
            if (a.ordinal >> origin::array_bits != 0 || a.bytes < 0 || !sane(a.bytes))
                wrong(r, "(an array has an ordinal above 255, or no size)");
        if (plans[r].groups != plans[0].groups) wrong(r, "(plan 0 has another number of parity groups)");
    }
}

void check_counters(job const& all, report& findings) {
    std::vector<counter const*> lines(all.lines(), nullptr);
    for (std::size_t r = 0; r < all.ranks(); ++r) {
        auto const& p = all.of(r);
        table_report t{findings, p, "counter"};
        t.expect(!p.counters.empty(), finding::type::malformed, "(it means \"none\") is missing,", "make plans with plan_builder");
        for (std::size_t i = 1; i < p.counters.size(); ++i) {
            auto const& c = p.counters[i];
            t.entry(i);
            bool const host = c.host >= 0 && c.host < p.ranks;
            t.expect(host, finding::type::malformed, "(its host is not a rank)", "name the rank that has the line");
            auto const instances = instances_of(c);
            t.expect(instances >= 1 && instances <= most_slots, finding::type::malformed,
                     fmt::format("(verify can distinguish the epochs of up to {} slots)", most_slots),
                     "give it 1 or more, and no more");
            if (instances < 1 || instances > most_slots) continue;
            bool const room = host && std::int64_t{c.index} + instances <= all.of(ix(c.host)).own_lines;
            t.expect(!host || room, finding::type::bounds, "(its host has no such line)", "raise own_lines of the host");
            t.expect(c.step >= 1 && sane(c.step), finding::type::malformed, "(an epoch adds nothing to it)",
                     "give it a step of 1 or more");
            t.expect(c.instances != parity::array, finding::type::malformed, "(counters do not follow arrays)",
                     "use parity epoch or none");
            if (c.kind == counter_kind::flag)
                t.expect(c.writer >= 0 && c.writer < p.ranks, finding::type::malformed, "(a flag has one writer)", "name it");
            else
                t.expect(c.writer == -1 && c.instances == parity::none, finding::type::malformed,
                         "(a sum has many writers and one line)", "set writer to -1 and instances to none");
            if (!room) continue;
            for (int epoch = 0; ix(epoch) < instances; ++epoch) {
                auto& line = lines[all.line(c, epoch)];
                t.expect(!line || same_line(*line, c), finding::type::malformed,
                         "(another counter on the same line has another value)",
                         "agree on kind, writer, step, instances and slots, or use another line");
                line = &c;
            }
        }
    }
}

void check_buffers(job const& all, report& findings) {
    for (std::size_t r = 0; r < all.ranks(); ++r) {
        auto const& p = all.of(r);
        table_report t{findings, p, "buffer"};
        for (std::size_t i = 0; i < p.buffers.size(); ++i) {
            auto const& b = p.buffers[i];
            t.entry(i);
            bool const host = b.host >= 0 && b.host < p.ranks;
            t.expect(host, finding::type::malformed, "(its host is not a rank)", "name the rank whose memory it is");
            t.expect(b.offset >= 0 && b.bytes >= 0 && sane(b.offset) && sane(b.bytes), finding::type::bounds,
                     "(its place or size is impossible)", "start at 0 or later");
            t.expect(b.instances != parity::array || std::cmp_less(b.group, p.groups), finding::type::malformed,
                     "(start() takes fewer array parities)", "raise groups");
            auto const instances = instances_of(b);
            t.expect(instances >= 1 && instances <= most_slots, finding::type::malformed,
                     fmt::format("(verify can distinguish the epochs of up to {} slots)", most_slots),
                     "give it 1 or more, and no more");
            if (!host || !sane(b.offset) || !sane(b.bytes, instances) || instances < 1 || instances > most_slots) continue;
            auto const& owner = all.of(ix(b.host));
            auto const end = b.offset + instances * b.bytes;
            switch (b.role) {
            case buffer_role::array: {
                auto const* a = all.array(ix(b.host), b.ordinal);
                t.expect(a, finding::type::malformed, "(its host has no such array)", "check the ordinal");
                if (!a) break;
                t.expect(b.offset + b.bytes <= a->bytes, finding::type::bounds, "(it is larger than the array)", "shrink it");
                t.expect(b.instances == (a->buffered ? parity::array : parity::none), finding::type::malformed,
                         "(either the buffer or the array has two halves, but not both)",
                         "use parity array for buffered arrays only");
                t.expect(!a->buffered || b.group == all.group(ix(b.host), b.ordinal), finding::type::malformed,
                         "(another buffer of the same array is in another parity group)", "give an array one group");
                break;
            }
            case buffer_role::stage:
                t.expect(end <= owner.own_stage, finding::type::bounds, "(it is larger than its host's stage)", "raise own_stage");
                break;
            case buffer_role::scratch:
                t.expect(b.host == p.rank, finding::type::malformed, "(scratch is private, and this is another rank's)",
                         "use a stage");
                t.expect(end <= owner.own_scratch, finding::type::bounds, "(it is larger than the scratch)", "raise own_scratch");
                break;
            case buffer_role::constant:
                t.expect(b.host == p.rank && b.instances == parity::none, finding::type::malformed,
                         "(a rank can use only its own constants, without parity)", "name this rank, and no parity");
                t.expect(end <= static_cast<std::int64_t>(p.constants.size()), finding::type::bounds,
                         "(it is larger than the constants)", "add the constant to the plan");
                break;
            case buffer_role::payload:
                t.expect(b.offset == 0 && b.bytes <= room_behind(owner, b), finding::type::bounds,
                         fmt::format("(there are {} bytes after its counter)", room_behind(owner, b)), "use a stage");
                break;
            }
        }
    }
}

namespace {

/// The bytes that a program says it moves are those that its rows add up to, and no offset is out of this world.
bool adds_up(copy_program const& p) {
    if (p.encoding > copy_encoding::scatter || p.entries < 0 || (is_list(p) && p.entries > 0 && !p.table)) return false;
    if (!sane(p.src_offset) || !sane(p.dst_offset) || !sane(p.twin_src) || !sane(p.twin_dst) || p.block < 0 || !sane(p.block) ||
        !sane(p.place_step, entry_count(p)) || p.loop_count > std::size(p.loops))
        return false;
    std::int64_t bytes = 0;
    bool entries_are_sane = true;
    for_each_entry(p, [&](std::int64_t src, std::int64_t dst, std::int64_t n) {
        entries_are_sane = entries_are_sane && sane(src) && sane(dst) && n >= 0 && sane(n) && sane(bytes);
        if (entries_are_sane) bytes += n;
    });
    if (!entries_are_sane) return false;
    if (p.twin) bytes *= 2;
    for (std::size_t l = 0; l < p.loop_count; ++l) {
        auto const& loop = p.loops[l];
        if (loop.count < 0 || !sane(bytes, loop.count) || !sane(loop.src_stride, loop.count) || !sane(loop.dst_stride, loop.count))
            return false;
        bytes *= loop.count;
    }
    return bytes == p.bytes;
}

} // namespace

void check_programs(job const& all, report& findings) {
    for (std::size_t r = 0; r < all.ranks(); ++r) {
        auto const& p = all.of(r);
        table_report t{findings, p, "program"};
        for (std::size_t i = 0; i < p.programs.size(); ++i) {
            t.entry(i);
            t.expect(adds_up(p.programs[i]), finding::type::malformed, "(its bytes are not those of its rows)",
                     "make programs with compile()");
        }
    }
}

} // namespace sode::internal::proof
