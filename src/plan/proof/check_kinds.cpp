// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/well_formed.hpp"

#include <fmt/format.h>

namespace sode::internal::proof {
namespace {

class kind_check {
public:
    kind_check(job const& all, std::size_t rank, report& findings) : job_(all), plan_(all.of(rank)), report_(findings) {}

    void run() {
        for (std::size_t i = 1; i < plan_.counters.size(); ++i) check_counter(i);
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) check_buffer(i);
        auto const streams = streams_of(plan_);
        for (std::size_t i = 0; i < streams.size(); ++i) check_descriptor(i, plan_.streams[streams[i]].runs_on);
    }

private:
    void check_counter(std::size_t i) {
        auto const& c = plan_.counters[i];
        for (std::uint32_t k = 0; k < instances_of(c); ++k)
            if (auto const is = kind_of_line(job_.of(ix(c.host)), std::int64_t{c.index} + k); is != c.memory)
                return differs("counter", i, c.memory, fmt::format("line {} of rank {}", c.index + k, c.host), is);
    }

    void check_buffer(std::size_t i) {
        auto const& b = plan_.buffers[i];
        auto const is = kind_of(job_, b);
        if (is && *is != b.memory) return differs("buffer", i, b.memory, name_of(b), *is);
        if (!is)
            report_.add(finding::type::malformed, ix(plan_.rank), i, [&] {
                return fmt::format(
                    "buffer {} of rank {} lies in memory of two kinds (instances of {}) let it begin and end in one kind", i,
                    plan_.rank, name_of(b));
            });
    }

    static std::optional<memory_kind> kind_of(job const& all, buffer const& b) {
        auto const& host = all.of(ix(b.host));
        auto const bytes = instances_of(b) * b.bytes;
        switch (b.role) {
        case buffer_role::array: return all.array(ix(b.host), b.ordinal)->memory;
        case buffer_role::stage: return kind_of_stage(host, b.offset, bytes);
        case buffer_role::scratch: return kind_of_scratch(host, b.offset, bytes);
        case buffer_role::payload: return kind_of_line(host, b.ordinal);
        case buffer_role::constant: break;
        }
        return memory_kind::host;
    }

    void differs(std::string_view table, std::size_t i, memory_kind said, std::string const& what, memory_kind is) {
        report_.add(finding::type::malformed, ix(plan_.rank), i, [&] {
            return fmt::format("{} {} of rank {} is declared as {} memory ({} is {}) make both equal", table, i, plan_.rank,
                               to_string(said), what, to_string(is));
        });
    }

    void check_descriptor(std::size_t i, executor const& who) {
        auto const& d = plan_.descriptors[i];
        // What a message carries is stored by the other side.
        bool const carried = d.op == operation::put && !job_.stores_to(ix(plan_.rank), ix(d.peer));
        for (auto const c : {d.trigger, carried ? 0 : d.signal})
            if (c != 0)
                check(i, who, plan_.counters[c].memory,
                      fmt::format("counter line {} of rank {}", plan_.counters[c].index, plan_.counters[c].host));
        // What a message carries MPI loads and stores, and not who begins it. Whether it takes memory of devices is its own affair.
        bool const by_mpi = is_message(d.op);
        auto const see = [&](std::uint32_t b) {
            auto const& buffer = plan_.buffers[b];
            if (!by_mpi || buffer.memory != memory_kind::device) check(i, who, buffer.memory, name_of(buffer));
        };
        if (moves_data(d.op) || is_end(d.op)) see(d.src);
        if ((moves_data(d.op) && !carried) || d.op == operation::call) see(d.dst);
        if (d.operand != 0) see(plan_.operands[d.operand].buffer);
    }

    void check(std::size_t i, executor const& who, memory_kind kind, std::string const& what) {
        if (reaches(who.kind, kind)) return;
        report_.add(finding::type::unreachable, ix(plan_.rank), i, [&] {
            return fmt::format("{} touches {} (it is {} memory, and {} runs on the {}) {}", name_of(plan_, i), what,
                               to_string(kind), describe(who), kind == memory_kind::device ? "host" : "device",
                               kind == memory_kind::device ? "use pinned memory, or leave it to a device" : "use pinned memory");
        });
    }

    job const& job_;
    plan const& plan_;
    report& report_;
};

} // namespace

void check_kinds(job const& all, report& findings) {
    for (std::size_t r = 0; r < all.ranks(); ++r) kind_check{all, r, findings}.run();
}

} // namespace sode::internal::proof
