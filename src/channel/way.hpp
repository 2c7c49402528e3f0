// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/mpi/machine_message.hpp"
#include "channel/segments.hpp"

namespace sode::internal {

namespace mpi {
class messages;
} // namespace mpi

/// Where the target of an edge finds its bytes. From that follows what the source has to say before they are read, and what it must
/// have heard of the target before it writes there again (docs/decisions/0002).
enum class found_in : std::uint8_t {
    array,     ///< where they are: when "arrays are ready", until the source's epoch ends, when its user writes again
    stage,     ///< the source's stage: when "the stage is ready", until the same half is filled two epochs later
    parts,     ///< the source's stage, part by part: when the edge's own flag counts them, until the same half is filled
    line,      ///< the flag's own cache line: when that is raised, until the same instance is filled two epochs later
    own_array, ///< where they belong: when the source says that it has stored them; it stores when "arrays are ready" at the target
    landed,    ///< where they belong: when the edge's own flag says that its put is there; the target has said that it may come
    ring,      ///< the source's ring, segment by segment: when the source's flag counts them, until the target's has counted them
    message,   ///< private memory of the target: when a message of the pair of ranks is over
    machine_message ///< memory of the target's machine: when a message of the pair of machines is over
};

/// A stream that a way has opened for what it brings.
struct opened_stream {
    std::uint32_t stream = 0;
    edge_list brings;
};

/// Through which segments go from one rank to another.
struct ring_site {
    buffer memory{};
    counter filled{}; ///< how many there are, by the source,
    counter taken{};  ///< and how many of those the target has taken
};

/// Where a way emits its descriptors, and what it finds there.
struct way_site {
    plan_builder& build;
    std::uint32_t stream = 0;
    std::span<edge const> leaving{}; ///< all that this rank gives
    std::int64_t own_stage = 0;      ///< bytes of one instance of this rank's stage,
    std::int64_t peer_stage = 0;     ///< and of that of the rank whose edges are taken
    mpi::messages* messages = nullptr;
    std::span<mpi::machine_message const> to_machines{}; ///< in which this rank has a part
    std::span<mpi::machine_message const> from_machines{};
    std::vector<opened_stream>* opened = nullptr;
    ring_site ring{};            ///< of found_in::ring
    std::uint32_t may_begin = 0; ///< of found_in::landed: the counter by which the target says that puts may come
};

/// One way to move bytes: what it can carry, what that costs, what memory it takes, and what it emits at the two ends of an edge.
/// Immutable; one object for all plans. A new one is a file in a folder of channel/, a line in channel/ways.hpp and a test
/// (docs/decisions/0019).
class way {
public:
    way(way const&) = delete;
    way& operator=(way const&) = delete;
    way(way&&) = delete;
    way& operator=(way&&) = delete;

    /// As SODE_CHANNEL and explain() say it.
    [[nodiscard]] constexpr std::string_view name() const noexcept { return name_; }
    [[nodiscard]] constexpr found_in place() const noexcept { return place_; }

    /// Can it carry that edge? Of two ranks, never of one and itself.
    [[nodiscard]] virtual bool can(edge_features const& e) const noexcept = 0;
    /// May the model choose it, or only who forces it?
    [[nodiscard]] virtual bool offered(edge_features const& e) const noexcept { return can(e); }
    /// What one exchange of the edge should cost, and whom. Closed form.
    [[nodiscard]] virtual expense cost(edge_features const& e, profile const& p) const noexcept = 0;
    /// Which one takes what is forced this way and cannot go it; null: what the model chooses.
    [[nodiscard]] virtual way const* instead(edge_features const& /*e*/) const noexcept { return nullptr; }
    /// What forcing it comes to in a job of several machines.
    [[nodiscard]] virtual way const& over_machines() const noexcept { return *this; }
    /// Bytes that an edge takes in its place; for found_in::stage and ::parts whole cache lines.
    [[nodiscard]] virtual std::int64_t room(edge const& e) const noexcept {
        bool const staged = place_ == found_in::stage || place_ == found_in::parts;
        bool const none = place_ == found_in::array || place_ == found_in::own_array || place_ == found_in::landed ||
                          place_ == found_in::ring; // which has room for all edges of a pair
        return none ? 0 : staged ? stage_room(e.features.bytes) : e.features.bytes;
    }

    /// At both ends, before anything is packed: `leaving` this rank, and `arriving`, for all that go this way.
    virtual void begin(way_site const& /*s*/, edge_span /*leaving*/, edge_span /*arriving*/) const {}
    /// At the source, before the word that the place is ready: all edges, for found_in::line, ::own_array and ::landed those of one
    /// target.
    virtual void give(way_site const& /*s*/, edge_span /*edges*/) const {}
    /// At the target, for edges of one source: until they are there, if no flag of the source says so.
    virtual void await(way_site const& /*s*/, edge_span /*edges*/) const {}
    /// At the target, for edges of one source that are there.
    virtual void take(way_site const& /*s*/, edge_span /*edges*/) const {}

protected:
    constexpr way(std::string_view name, found_in place) noexcept : name_(name), place_(place) {}
    ~way() = default;

private:
    std::string_view name_;
    found_in place_;
};

} // namespace sode::internal
