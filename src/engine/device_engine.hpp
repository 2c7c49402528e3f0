// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/accelerator.hpp"
#include "engine/copy_runs.hpp"
#include "engine/engine.hpp"
#include "engine/epoch_tables.hpp"
#include "engine/inline_engine.hpp"
#include "engine/pinned_memory.hpp"
#include "engine/queue_tracer.hpp"

#include <memory>
#include <vector>

namespace sode::internal {

/// Has a device execute the streams of a plan that are for its blocks: of each the steps become work of a queue of its own, copies
/// by what the device copies with, triggers and signals by what its queues wait for and set. Nobody looks at them until the epoch
/// is over. The other streams are the caller's.
class device_engine final : public engine {
public:
    explicit device_engine(engine_work const& work);
    ~device_engine() override;

    progress start(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways) override;
    progress enqueue(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways,
                     device_queue& in) override;
    [[nodiscard]] bool enqueues() const noexcept override { return true; }
    [[nodiscard]] bool runs_ahead() const noexcept override { return !has_host_; }
    [[nodiscard]] std::optional<std::vector<std::vector<bound_step>>>
    lanes(std::uint64_t number, std::span<std::uint64_t const> halves, std::uint64_t phases) override;
    progress proceed() override;
    progress catch_up() override { return proceed(); }
    void abandon() noexcept override;
    void rebound() override;
    std::size_t standing(std::span<std::uint32_t> at) const noexcept override;
    [[nodiscard]] std::uint64_t executed() const noexcept override { return host_.executed() + executed_; }

private:
    struct lane {
        std::uint32_t first = 0; // descriptor of its stream
        std::unique_ptr<device_queue> queue;
        std::unique_ptr<queue_tracer> trace; // null: nobody looks
        std::vector<run_graphs> graphs;      // by descriptor
    };
    void give(lane& l);
    // Gives the copies that begin at step `i`: it, or all of a graph. Returns the last one.
    [[nodiscard]] std::size_t give_copies(lane& l, std::size_t i) const;
    void trace_lanes(trace_log& log);
    void collect() noexcept;                           // what queues have written down for the trace
    [[nodiscard]] std::uint64_t done() const noexcept; // work of all lanes
    [[nodiscard]] progress news(progress of_host);

    schedule const& plan_;
    accelerator& device_;
    pinned_memory pinned_;
    std::byte* stop_block_;
    shared_word& stop_;
    std::byte* stamps_ = nullptr;     // of all lanes, where there is a trace
    std::vector<std::uint32_t> work_; // for it, by descriptor
    std::uint32_t waits_ = 0;         // what waiting is called there
    std::vector<lane> lanes_;
    inline_engine host_; // the streams that no device runs
    bool has_host_ = false;
    bool device_messages_ = false; // MPI loads and stores memory of the device,
    std::shared_ptr<void> open_;   // which it finds open as long as an epoch runs
    epoch_tables tables_;
    epoch_tables::table now_;
    std::uint64_t epoch_ = 0;
    std::uint64_t seen_ = 0; // as much was done when somebody asked last
    std::uint64_t executed_ = 0;
};

/// Those of context::blocks.
[[nodiscard]] engine_kind const& device_engines() noexcept;

} // namespace sode::internal
