// SPDX-License-Identifier: Apache-2.0
#include "channel/mpi/machine_message.hpp"

#include "channel/moves.hpp"
#include "channel/ways.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

using mpi::machine_message;

descriptor& emit_message(plan_builder& b, std::uint32_t stream, operation op, machine_message const& m, int peer) {
    // Those between two ranks that pass messages for themselves have number 0.
    constexpr std::uint32_t number = 1;
    auto const at = b.add(m.stage);
    auto& d = b.copy(stream, op, at, at, compile(contiguous(0, m.bytes), contiguous(0, m.bytes)), peer);
    d.signal = b.add(m.over);
    d.argument = number;
    return d;
}

void emit_wait(plan_builder& b, std::uint32_t stream, operation op, counter const& c, std::int32_t threshold, int peer) {
    auto& d = b.emit(stream, op);
    d.trigger = b.add(c);
    d.threshold = threshold;
    d.peer = peer;
}

void say_done(plan_builder& b, std::uint32_t stream, machine_message const& m) {
    int const rank = b.target().rank;
    for (auto const& c : m.done)
        if (c.writer == rank) b.emit(stream, operation::signal).signal = b.add(c);
}

void await_all(plan_builder& b, std::uint32_t stream, operation op, machine_message const& m, std::int32_t threshold) {
    int const rank = b.target().rank;
    for (auto const& c : m.done) emit_wait(b, stream, op, c, threshold, c.writer == rank ? -1 : c.writer);
}

void pack(plan_builder& b, std::uint32_t stream, machine_message const& m) {
    // The last message out of this instance has left.
    emit_wait(b, stream, operation::credit, m.over, -2, -1);
    gather(b, stream, m.mine, m.stage);
    say_done(b, stream, m);
}

// In streams of their own.
void send(plan_builder& b, machine_message const& m) {
    auto const stream = b.add_stream(m.receiver);
    await_all(b, stream, operation::wait, m, 0);
    emit_message(b, stream, operation::send, m, m.receiver);
    emit_wait(b, stream, operation::wait, m.over, 0, m.receiver);
}

void receive(plan_builder& b, machine_message const& m) {
    auto const stream = b.add_stream(m.sender);
    // All have unpacked what was in this instance.
    await_all(b, stream, operation::credit, m, -2);
    emit_message(b, stream, operation::receive, m, m.sender);
    // Whoever unpacks waits for itself.
    if (m.mine.empty()) emit_wait(b, stream, operation::wait, m.over, 0, m.sender);
}

void unpack(plan_builder& b, std::uint32_t stream, machine_message const& m) {
    emit_wait(b, stream, operation::wait, m.over, 0, -1);
    scatter(b, stream, m.mine, m.stage, -1);
    say_done(b, stream, m);
}

/// Packed, by MPI: all edges of a pair of machines in one message. It takes over from "mpi" where it pays, or is forced.
class mpi_machine_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr mpi_machine_way() noexcept : way("mpi-machine", found_in::machine_message) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return !e.on_device && e.apart == distance::other_machine;
    }
    [[nodiscard]] bool offered(edge_features const& /*e*/) const noexcept override { return false; }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        return edge_cost::message(e, p);
    }
    [[nodiscard]] way const* instead(edge_features const& e) const noexcept override {
        return e.apart == distance::other_machine ? &ways::mpi : nullptr; // within a machine there is nothing to put together
    }

    void begin(way_site const& s, edge_span /*leaving*/, edge_span /*arriving*/) const override {
        auto& b = s.build;
        int const rank = b.target().rank;
        for (auto const& m : s.from_machines)
            if (m.receiver == rank) receive(b, m);
        for (auto const& m : s.to_machines) {
            if (!m.mine.empty()) pack(b, s.stream, m);
            if (m.sender == rank) send(b, m);
        }
        for (auto const& m : s.from_machines) {
            if (m.mine.empty()) continue;
            auto const stream = b.add_stream(m.receiver == rank ? -1 : m.receiver);
            unpack(b, stream, m);
            s.opened->push_back({stream, m.mine});
        }
    }
};

constinit mpi_machine_way const mpi_machine_object;

} // namespace

namespace ways {
way const& mpi_machine = mpi_machine_object;
}

} // namespace sode::internal
