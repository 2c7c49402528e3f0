// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/device_queue.hpp"
#include "device/memory_provider.hpp"
#include "space/quarantine.hpp"
#include "space/space.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// Whom the work in a queue is for.
enum class queue_use : std::uint8_t {
    program, ///< kernels of the user's: they may run for long, and wait for each other
    plan     ///< copies and flags of plans, which never wait but in await()
};

/// Which copies that follow each other are made by one graph.
enum class graph_use : std::uint8_t {
    by_model, ///< those for which the model finds it cheaper
    always,   ///< all that can be
    never
};

/// A device with memory of its own, as one rank uses it. In plans it is the one that executes streams of `executor_kind::block`.
class accelerator {
public:
    accelerator() = default;
    virtual ~accelerator() = default;
    accelerator(accelerator const&) = delete;
    accelerator& operator=(accelerator const&) = delete;

    [[nodiscard]] virtual std::string name() const = 0; ///< "emulated device 0", "NVIDIA H200 (cuda 0)"
    [[nodiscard]] virtual bool emulated() const noexcept = 0;
    [[nodiscard]] virtual memory_provider& memory() noexcept = 0;
    [[nodiscard]] virtual std::unique_ptr<device_queue> make_queue(queue_use use) = 0;
    /// Whether it can load the memory of all devices of its machine. If their ranks are other processes, these must be able to open
    /// it as well: engine/device_reach.
    [[nodiscard]] virtual bool reaches_peers() const noexcept = 0;
    /// The socket (NUMA node) that it is attached to; -1: not known.
    [[nodiscard]] virtual int socket() const { return -1; }
    /// A block of its memory that holds nothing, for others to try whether they can open it. Errors: environment.
    [[nodiscard]] std::byte* sample() {
        if (!sample_) sample_ = memory().allocate(1);
        return sample_;
    }
    /// Code of the device runs in this process, outside its queues, as long as what it gets lives: null where hosts see to nothing.
    [[nodiscard]] virtual std::shared_ptr<void> enter() = 0;
    /// Waits until all of the program's work is done that it has been given so far; not for ever.
    virtual void settle() noexcept = 0;

    [[nodiscard]] graph_use graphs() const noexcept { return graphs_; }
    void use_graphs(graph_use how) noexcept { graphs_ = how; }

private:
    graph_use graphs_ = graph_use::by_model;
    std::byte* sample_ = nullptr; // goes with the device
};

/// What is known of a device before anybody uses it.
struct device_facts {
    std::string name;
    std::size_t bytes = 0;  ///< of its memory; 0: as much as ranks may have
    bool peers = false;     ///< its ranks reach each other's memory
    int socket = -1;        ///< as accelerator::socket()
    bool maps_host = false; ///< it loads and stores pinned memory of the host
};

/// What SODE_DEVICE and SODE_DEVICE_MEMORY say.
struct device_wish {
    std::string kind;        ///< "none", "emulated" or "cuda"; empty: whatever there is that is no emulation
    int number = -1;         ///< cuda: that device; -1: by turns
    int count = 1;           ///< emulated: how many there are
    std::size_t bytes = 0;   ///< emulated: memory of each; 0: as much as ranks may have
    bool is_private = false; ///< processes do not open each other's memory, also where the driver lets them
    bool sockets = false;    ///< emulated: each pretends to be at a socket of its own
    graph_use graphs = graph_use::by_model;
};
/// Errors: usage, if the text cannot be understood; which has been looked at before (config).
[[nodiscard]] device_wish wished_device(std::string_view text, std::size_t bytes);

/// The devices of this machine that the wish is about. Errors: environment, if a kind is wished for that there is not.
[[nodiscard]] std::vector<device_facts> find_devices(device_wish const& wish, std::string const& plugin);

/// What a rank's device is made with; all of it outlives the device.
struct device_terms {
    space& shared;
    quarantine& freed;
    int rank = 0;            ///< in the job, for messages
    int place = 0;           ///< among the ranks of its machine: they take turns
    std::string plugin;      ///< path of libsode-device-cuda.so; empty: it is not there
    bool is_private = false; ///< as the wish says,
    bool sockets = false;    ///< this, too
};
/// Errors: environment, if this rank is a task in the address space of other ranks.
void refuse_cuda_in_tasks();

/// The device that this rank uses. Errors: environment, if there is none, or none of that number.
[[nodiscard]] std::unique_ptr<accelerator> open_device(device_wish const& wish, device_terms const& terms);

} // namespace sode::internal
