// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/engine.hpp"
#include "engine/triggered/network_interface.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <span>
#include <vector>

namespace sode::internal {

/// Chains of a plan, and the descriptors that they have.
struct chain_counts {
    std::size_t chains = 0;
    std::size_t internal = 0; ///< descriptors in memory of interfaces,
    std::size_t host = 0;     ///< and in memory of the host
};

/// The queues of one plan on one interface. The rank rings once for all of them.
class interface_share final : private round_thread::worker {
public:
    /// Everything outlives it. `left` becomes one less with each epoch that is over here, `moves` one more with each step or some.
    interface_share(schedule const& p, network_interface& nic, std::vector<row_function> const& rows,
                    std::atomic<std::size_t>& left, std::atomic<std::uint64_t>& moves);
    ~interface_share() override;

    void add(std::uint32_t stream, std::vector<std::uint32_t> const& branches);
    /// The doorbell: one word. The table and the ways stay as they are until the epoch is over.
    void ring(std::uint64_t number, epoch_tables::table places, std::span<std::uint8_t const> ways);
    /// Takes steps in place of the interface, if that is idle.
    void help();
    void catch_up();
    void abandon(std::uint64_t number) noexcept;
    /// As engine::standing(); appends. False: not known.
    bool standing(std::uint64_t number, std::span<std::uint32_t> at, std::size_t& n) const noexcept;
    [[nodiscard]] std::uint64_t executed() const noexcept;
    /// Adds what it has in memory of the interface, and in that of the host.
    void count_chains(chain_counts& all) const;
    /// When its part of the last epoch was over (now_ns()). Asked when `left` says that it is.
    [[nodiscard]] std::int64_t over_at() const noexcept { return over_at_.load(std::memory_order_relaxed); }
    [[nodiscard]] bool lends() const noexcept { return nic_.thread.lends(); }

private:
    struct queue {
        queue(schedule const& p, std::uint32_t of, std::vector<std::uint32_t> const& branches, std::size_t channel_)
            : stream(of), channel(channel_), session(p, of, branches) {}
        std::uint32_t stream;
        std::size_t channel;
        bool live = false;
        session_queue session;
    };

    [[nodiscard]] round_thread::pass go() override;
    void begin(std::uint64_t number);
    void issue(queue const& q, ready_descriptor const& r);

    schedule const& plan_;
    network_interface& nic_;
    std::vector<row_function> const& rows_;
    std::atomic<std::size_t>& left_;
    std::atomic<std::uint64_t>& moves_;
    std::deque<queue> queues_;
    std::map<std::uint32_t, chain_homes::chain> chains_; // by descriptor
    epoch_tables::table places_{};
    std::span<std::uint8_t const> ways_;
    std::atomic<std::int64_t> over_at_{0};
    std::atomic<std::uint64_t> rung_{0}; // the epoch that is wanted
    std::uint64_t begun_ = 0;            // by whoever has the turn, as what follows
    std::uint64_t done_ = 0;
    std::size_t live_ = 0;
    std::uint64_t under_way_ = 0; // chains
    std::uint64_t executed_ = 0;
};

} // namespace sode::internal
