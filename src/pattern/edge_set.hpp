// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "pattern/exchange_terms.hpp"

#include <vector>

namespace sode::internal {

/// What a pattern promises of its exchanges beside its edges: the parameters of plan_edges().
struct exchange_style {
    /// Who reads an array always says so. Without it, where a reader's next word proves that it has read, and the array has changed
    /// halves, nothing is said.
    bool credits = true;
    /// Each rank talks to a few others, to the same ones in every epoch: two of them share cache lines for what they tell each
    /// other, and their smallest edges travel in such lines.
    bool neighbours = false;
    /// One message may carry what goes from one machine to another.
    bool machine_messages = false;
    /// Targets combine: nothing is written before all have given, and it is combined in the order of ranks and slots, so that the
    /// bits are the same every time.
    bool combines = false;
    /// All arrays are in the memory of devices, which execute all but messages; what ranks share is pinned memory of the host.
    bool on_device = false;
    /// MPI takes such memory: messages are packed there, and not in pinned memory.
    bool device_messages = false;
    /// Edges may be put where they belong: each has a flag at its target, and each source is told that it may begin.
    bool puts = false;
    /// Steps beside the edges wait for some of them.
    bool awaited = false;
};

/// Who gives which bytes to whom in one exchange, worked out for any rank: what plans of halos, copies, messages and combinations
/// are built from.
class edge_set {
public:
    /// `terms` outlive it.
    edge_set(exchange_terms const& terms, exchange_style const& style) : terms_(terms), style_(style) {}
    virtual ~edge_set() = default;
    edge_set(edge_set const&) = delete;
    edge_set& operator=(edge_set const&) = delete;
    edge_set(edge_set&&) = delete;
    edge_set& operator=(edge_set&&) = delete;

    [[nodiscard]] exchange_terms const& terms() const noexcept { return terms_; }
    [[nodiscard]] exchange_style const& style() const noexcept { return style_; }

    struct outgoing {
        std::vector<edge> edges;      ///< by target; own copies (target = source) included; none without bytes
        std::int64_t stage_bytes = 0; ///< of one instance of the source's stage
        std::int64_t ring_bytes = 0;  ///< of all its rings, which lie behind both

        /// Gives each edge its place, as its way wants it, and the pairs their first slots.
        void assign_places();
    };
    /// All that `rank` gives, with the way and the place of each edge.
    virtual void from(int rank, outgoing& result) const = 0;
    /// All that `rank` gets, by source and slot, own copies included; way and place may be missing.
    virtual void into(int rank, std::vector<edge>& result) const;
    /// Fills in arrays, layouts and slots, if from() has left them out: most edges of other ranks concern this one not at all.
    virtual void locate(edge& /*e*/) const {}
    /// The ranks that `rank` receives from (never itself), ascending.
    [[nodiscard]] virtual std::vector<int> sources(int rank) const = 0;
    /// The ranks that it gives to, likewise.
    [[nodiscard]] virtual std::vector<int> targets(int rank) const;
    /// All slots of what `rank` gets and gives are below this.
    [[nodiscard]] virtual int slots(int rank) const = 0;
    /// Whether every source can be loaded by its target, if they are on one machine.
    [[nodiscard]] virtual bool all_shared() const = 0;
    /// Writes down what must have happened, and why it happens in this way.
    virtual void record(plan& p, edge const& e) const;

protected:
    /// Writes down that its bytes must arrive.
    static void record_delivery(plan& p, edge const& e);
    [[nodiscard]] edge_note note_of(edge const& e) const;

private:
    exchange_terms const& terms_;
    exchange_style style_;
};

} // namespace sode::internal
