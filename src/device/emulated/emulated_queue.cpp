// SPDX-License-Identifier: Apache-2.0
#include "device/emulated/emulated_queue.hpp"

#include "base/clock.hpp"
#include "device/emulated/queue_thread.hpp"

#include <sode/error.hpp>

#include <cstring>
#include <exception>
#include <utility>
#include <vector>

namespace sode::internal {

emulated_queue::emulated_queue(std::shared_ptr<queue_thread> does, std::shared_ptr<watched_device::witness const> seen)
    : state_(std::make_shared<state>()), thread_(std::move(does)), seen_(std::move(seen)) {
    thread_->add(state_);
}

emulated_queue::~emulated_queue() {
    thread_->finish(state_, given_);
}

void emulated_queue::give(step what) {
    {
        std::lock_guard const mine{state_->lock};
        state_->steps.push_back(std::move(what));
    }
    ++given_;
    thread_->wake();
}

void emulated_queue::copy(std::byte* to, std::byte const* from, std::size_t bytes) {
    give({[=] {
        std::memcpy(to, from, bytes);
        return true;
    }});
}

void emulated_queue::copy(std::shared_ptr<copy_program const> program, std::byte* to, std::byte const* from) {
    give({[p = std::move(program), to, from, seen = seen_ ? *seen_ : nullptr] {
        if (seen) seen(*p, to);
        sode::internal::run(*p, to, from);
        return true;
    }});
}

void emulated_queue::await(shared_word const& word, std::uint64_t least, shared_word const& stop) {
    give({[&word, least, &stop] {
              return word.load(std::memory_order_acquire) >= least || stop.load(std::memory_order_acquire) != 0;
          },
          false});
}

void emulated_queue::publish(shared_word& word, std::uint64_t value, bool adds, shared_word const& stop) {
    give({[&word, value, adds, &stop] {
              if (stop.load(std::memory_order_acquire) != 0) return true;
              if (adds)
                  word.fetch_add(value, std::memory_order_acq_rel);
              else
                  word.store(value, std::memory_order_release);
              return true;
          },
          false});
}

void emulated_queue::await(device_queue& other) {
    auto& theirs = dynamic_cast<emulated_queue&>(other);
    give({[state = theirs.state_, upto = theirs.given()] { return state->done.load(std::memory_order_acquire) >= upto; }, false});
}

void emulated_queue::run(std::function<void()> kernel) {
    give({[k = std::move(kernel)] {
        k();
        return true;
    }});
}

void emulated_queue::stamp(shared_word& when) {
    give({[&when] {
              when.store(static_cast<std::uint64_t>(now_ns()), std::memory_order_release);
              return true;
          },
          false});
}

namespace {

class box_list final : public copy_graph {
public:
    explicit box_list(std::span<copy_box const> copies) : copies_(copies.begin(), copies.end()) {}
    void run() const {
        for (auto const& c : copies_)
            for (std::size_t p = 0; p < c.planes; ++p)
                for (std::size_t r = 0; r < c.rows; ++r) std::memcpy(c.target_of(p, r), c.source_of(p, r), c.row_bytes);
    }

private:
    std::vector<copy_box> copies_;
};

} // namespace

// Refuses what a real one refuses.
std::shared_ptr<copy_graph const> emulated_queue::make_graph(std::span<copy_box const> copies) {
    for (auto const& c : copies)
        if (!c.fits())
            throw error{error_kind::environment, "a graph of copies cannot be created", "rows or planes of a copy overlap",
                        "copy the rows or planes in a kernel"};
    return std::make_shared<box_list>(copies);
}

void emulated_queue::launch(std::shared_ptr<copy_graph const> graph) {
    give({[g = std::static_pointer_cast<box_list const>(std::move(graph))] {
        g->run();
        return true;
    }});
}

std::string emulated_queue::failure() const {
    std::lock_guard const mine{state_->lock};
    return state_->failure;
}

bool emulated_queue::state::has_steps() {
    std::lock_guard const mine{lock};
    return !steps.empty();
}

// What a kernel throws cannot be thrown where it was given; the steps behind it are taken all the same, as those of other ranks
// depend on them.
bool emulated_queue::state::go_on(emulated_memory& memory, std::optional<device_code>& open) {
    bool moved = false;
    for (;;) {
        step* next = nullptr;
        {
            std::lock_guard const mine{lock};
            if (!steps.empty()) next = &steps.front(); // stays where it is, as others only add behind it
        }
        if (!next) return moved;
        if (next->touches && !open) open.emplace(memory);
        try {
            if (!next->take()) return moved;
        } catch (std::exception const& e) {
            std::lock_guard const mine{lock};
            if (failure.empty()) failure = e.what();
        } catch (...) {
            std::lock_guard const mine{lock};
            if (failure.empty()) failure = "an exception that is not a std::exception";
        }
        moved = true;
        std::lock_guard const mine{lock};
        steps.pop_front();
        if (steps.empty()) open.reset(); // a host that sees the last one done finds the memory closed
        done.fetch_add(1, std::memory_order_release);
    }
}

} // namespace sode::internal
