// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/plan_hosts.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

namespace sode::internal {

/// The names of a plan turned into addresses of this process: each instance of each buffer and counter, once. Which of them an
/// epoch means is the affair of epoch_tables.
class binding {
public:
    /// Collective among the ranks of the plan: allocates the lines, stage and scratch that the plan asks this rank to host and
    /// learns where those are that it names. `fingerprint` must be equal on all ranks (it identifies what the plan was built from).
    /// Errors: usage, if it is not; environment, if there is no room. Cost: that of plan_hosts.
    binding(schedule const& p, context const& c, std::span<bound_array const> arrays, std::uint64_t fingerprint);
    ~binding();
    binding(binding const&) = delete;
    binding& operator=(binding const&) = delete;

    /// The arrays are elsewhere from now on, between two epochs; they are as many, and lie alike. Collective among the ranks of the
    /// plan if any of the arrays can be loaded by others, as that is what they agree on. False: they are where they were, for
    /// this rank. Errors: usage, if they are other arrays than before in number or in who can load them; environment.
    bool rebind(schedule const& p, context const& c, std::span<bound_array const> arrays);

    /// Whether that is a put, or a landing, of a rank whose memory this process cannot store into: a message carries it.
    [[nodiscard]] bool carries(descriptor const& d) const noexcept { return is_put(d.op) && !memory_.contains(d.peer); }
    /// Entry `b` of plan::buffers, by slot or half. Null, if it is where puts are carried to.
    [[nodiscard]] std::byte* buffer(std::size_t b, std::uint32_t instance) const noexcept {
        return buffers_[first_buffer_[b] + instance];
    }
    /// Entry `c` of plan::counters, from 1 on.
    [[nodiscard]] std::atomic<std::uint64_t>* counter(std::size_t c, std::uint32_t instance) const noexcept {
        return counters_[first_counter_[c] + instance];
    }
    /// The first of the numbers that the team has given this plan.
    [[nodiscard]] std::uint64_t serial() const noexcept { return serial_; }
    /// How many those are: one for each `messages_of_a_serial` messages between two ranks, and at least one.
    [[nodiscard]] std::uint64_t serials() const noexcept { return serials_; }
    static constexpr std::uint64_t messages_of_a_serial = 256;
    /// The private memory that the plan asked for.
    [[nodiscard]] std::byte* scratch() noexcept { return scratch_.get(); }

    [[nodiscard]] std::span<bound_array const> arrays() const noexcept { return arrays_; }

private:
    bool look_again(schedule const& p, context const& c, std::span<bound_array const> arrays, bool moved);
    void tell_arrays(context const& c, hosted_block const& own);
    void bind_buffers(schedule const& p, context const& c);
    void bind_counters(schedule const& p);
    [[nodiscard]] std::byte* find(schedule const& p, sode::internal::buffer const& b, std::uint32_t instance, context const& c);
    void close_opened(std::size_t but_the_last) noexcept;
    [[nodiscard]] static std::byte* array_of(context const& c, int host, hosted_block::told_array const& there);

    space const& memory_;
    quarantine& freed_;
    std::uint64_t serial_ = 0;
    std::uint64_t serials_ = 1;
    std::byte* own_ = nullptr; // lines, then the stage
    std::size_t own_bytes_ = 0;
    struct free_aligned {
        void operator()(std::byte* p) const noexcept { ::operator delete (p, std::align_val_t{page}); }
    };
    static constexpr std::size_t page = 4096; // so that places in it begin with a cache line of their own
    std::unique_ptr<std::byte, free_aligned> scratch_;
    pinned_memory pinned_;
    kind_block in_pinned_; // what the plan hosts in memory of these kinds
    kind_block in_device_;
    std::vector<bound_array> arrays_;
    std::size_t turn_ = 0;            // of where arrays are told
    std::optional<plan_hosts> hosts_; // null while they are looked up
    memory_provider* device_;         // null: this rank has none
    std::vector<std::byte*> opened_;  // memory of other ranks' devices
    std::vector<std::byte*> buffers_; // instances of one lie together
    std::vector<std::atomic<std::uint64_t>*> counters_;
    std::vector<std::size_t> first_buffer_;
    std::vector<std::size_t> first_counter_;
};

} // namespace sode::internal
