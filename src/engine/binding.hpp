// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/plan_hosts.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace sode {

/// The names of a plan turned into addresses of this process: every buffer for every combination of parities, every counter for
/// both epoch parities. Made once; looked up by index afterwards.
class binding {
public:
    /// Collective among the ranks of the plan: allocates the lines, stage and scratch that the plan asks this rank to host and
    /// learns where those are that it names. `fingerprint` must be equal on all ranks (it identifies what the plan was built from).
    /// Errors: usage, if it is not; environment, if there is no room. Cost: that of plan_hosts.
    binding(plan const& p, context const& c, std::span<bound_array const> arrays, std::uint64_t fingerprint);
    ~binding();
    binding(binding const&) = delete;
    binding& operator=(binding const&) = delete;

    struct bound_counter {
        std::atomic<std::uint64_t>* number = nullptr;
        std::int64_t step = 1;
    };

    /// Tables for one epoch. `halves` has bit g set if group g is at its second half.
    [[nodiscard]] std::byte* const* buffers(unsigned epoch_parity, unsigned halves) const noexcept {
        return buffers_.data() + combination(epoch_parity, halves) * stride_;
    }
    [[nodiscard]] bound_counter const* counters(unsigned epoch_parity) const noexcept {
        return counters_.data() + epoch_parity * counter_stride_;
    }
    [[nodiscard]] unsigned combinations() const noexcept { return static_cast<unsigned>(buffers_.size() / stride_); }
    [[nodiscard]] static constexpr unsigned combination(unsigned epoch_parity, unsigned halves) noexcept {
        return halves * 2U + epoch_parity;
    }
    /// How many plans the job had bound before this one.
    [[nodiscard]] std::uint64_t serial() const noexcept { return serial_; }
    /// The private memory that the plan asked for.
    [[nodiscard]] std::byte* scratch() noexcept { return scratch_.get(); }

private:
    void bind_buffers(plan const& p, context const& c, plan_hosts const& hosts, std::span<bound_array const> arrays);
    void bind_counters(plan const& p, plan_hosts const& hosts);
    [[nodiscard]] static std::byte* array_of(context const& c, int host, hosted_block::told_array const& there);

    quarantine& freed_;
    std::uint64_t serial_ = 0;
    std::byte* own_ = nullptr; // lines, then the stage
    std::size_t own_bytes_ = 0;
    struct free_aligned {
        void operator()(std::byte* p) const noexcept { ::operator delete (p, std::align_val_t{page}); }
    };
    static constexpr std::size_t page = 4096; // so that places in it begin with a cache line of their own
    std::unique_ptr<std::byte, free_aligned> scratch_;
    std::vector<std::byte*> buffers_;
    std::vector<bound_counter> counters_;
    std::size_t stride_ = 0;
    std::size_t counter_stride_ = 0;
};

} // namespace sode
