// SPDX-License-Identifier: Apache-2.0
#include "device/emulated/emulated_device.hpp"

#include "base/warn.hpp"
#include "device/emulated/emulated_memory.hpp"
#include "device/emulated/emulated_queue.hpp"
#include "device/emulated/queue_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace sode::internal {
namespace {

// The program's queues have a thread each, as kernels may wait for each other; those of plans share one, as copies never do.
class emulated_device final : public accelerator, public watched_device {
public:
    emulated_device(std::size_t number, std::size_t bytes, device_terms const& terms)
        : name_(fmt::format("emulated device {}", number)), socket_(terms.sockets ? static_cast<int>(number) : -1),
          memory_(name_, bytes, terms) {}

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] bool emulated() const noexcept override { return true; }
    [[nodiscard]] memory_provider& memory() noexcept override { return memory_; }
    [[nodiscard]] std::unique_ptr<device_queue> make_queue(queue_use use) override {
        if (use == queue_use::plan) {
            if (!copies_) copies_ = std::make_shared<queue_thread>(memory_);
            return std::make_unique<emulated_queue>(copies_, witness_);
        }
        auto own = std::make_shared<queue_thread>(memory_);
        std::erase_if(program_, [](auto const& t) { return t.expired(); });
        program_.push_back(own);
        return std::make_unique<emulated_queue>(std::move(own));
    }
    [[nodiscard]] int socket() const override { return socket_; }
    [[nodiscard]] bool reaches_peers() const noexcept override { return true; }
    [[nodiscard]] std::shared_ptr<void> enter() override { return std::make_shared<device_code>(memory_); }
    void watch(witness w) override { *witness_ = std::move(w); }
    void settle() noexcept override {
        for (auto const& t : program_)
            if (auto const there = t.lock(); there && !there->settle())
                warn("an array is destroyed while a stream still has work", "the stream waits for another rank, or for itself",
                     "call synchronize() before you destroy arrays");
    }

private:
    std::string name_;
    int socket_;
    emulated_memory memory_;
    std::shared_ptr<witness> witness_ = std::make_shared<witness>();
    std::shared_ptr<queue_thread> copies_;
    std::vector<std::weak_ptr<queue_thread>> program_;
};

} // namespace

std::unique_ptr<accelerator> make_emulated_device(std::size_t number, std::size_t bytes, device_terms const& terms) {
    return std::make_unique<emulated_device>(number, bytes, terms);
}

device_facts emulated_facts(std::size_t bytes) {
    return {.name = "emulated by threads", .bytes = bytes, .peers = true, .maps_host = true};
}

} // namespace sode::internal
