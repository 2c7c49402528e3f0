// SPDX-License-Identifier: Apache-2.0
#include <sode/window.hpp>

#include "base/bootstraps.hpp"
#include "base/misuse.hpp"
#include "layout/copy_sequence.hpp"
#include "window/full_fence.hpp"
#include "window/office.hpp"
#include "window/shared_blocks.hpp"
#include "window/word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace sode {
using namespace internal;

namespace {

layout layout_of(byte_pattern const& p) {
    layout l{.offset = p.offset, .block = p.bytes, .loops = {}, .list = {}};
    for (auto const& [count, stride] : p.loops) l.loops.push_back({count, stride});
    return normalised(std::move(l));
}

layout layout_of(std::span<index_t const> offsets, index_t bytes) {
    layout l;
    for (auto const offset : offsets) l.list.push_back({offset, bytes});
    return normalised(std::move(l));
}

bool holds(word_relation relation, std::int64_t is, std::int64_t value) {
    switch (relation) {
    case word_relation::equal: return is == value;
    case word_relation::not_equal: return is != value;
    case word_relation::at_least: return is >= value;
    }
    return true;
}

} // namespace

std::unique_ptr<bootstrap> join_with_windows() {
    auto settings = config::from_environment();
    settings.windows = true;
    return make_bootstrap(settings);
}

struct window::impl {
    impl(detail::job& j, std::string name);
    impl(detail::job& j, std::shared_ptr<std::byte> memory, std::size_t bytes, std::string name);
    impl(detail::job& j, std::shared_ptr<window_memory> memory, std::size_t bytes, std::string name);
    ~impl() {
        if (remote) remote->close(number);
    }
    impl(impl const&) = delete;
    impl& operator=(impl const&) = delete;

    void require_rank(int rank) const {
        if (rank < 0 || rank >= static_cast<int>(blocks.size()))
            throw error{error_kind::usage, fmt::format("rank {} of window \"{}\" does not exist", rank, called),
                        fmt::format("the window has ranks 0 to {}", blocks.size() - 1), "choose one of these ranks"};
    }
    // Null: no window of this job asks others.
    [[nodiscard]] windows::office* asks() const { return static_cast<windows::office*>(job.remote.get()); }
    [[nodiscard]] std::byte* direct(int rank) const { return blocks[static_cast<std::size_t>(rank)].first; }
    void require_inside(int rank, index_t first, index_t end) const {
        require_rank(rank);
        auto const bytes = static_cast<index_t>(blocks[static_cast<std::size_t>(rank)].second);
        if (first < 0 || end > bytes)
            throw error{error_kind::usage,
                        fmt::format("bytes {} to {} of window \"{}\" on rank {} do not exist", first, end - 1, called, rank),
                        fmt::format("the window has {} bytes on that rank", bytes),
                        "access fewer bytes, or make the window larger"};
    }
    void require_equal(layout const& to, layout const& from) const {
        if (to.bytes() != from.bytes())
            throw error{error_kind::usage,
                        fmt::format("{} bytes cannot be copied to {} bytes in window \"{}\"", from.bytes(), to.bytes(), called),
                        "both sides must have the same number of bytes",
                        "change the pattern (counts and strides) of the source or of the target"};
    }
    void require_remote(int rank) const {
        if (!remote)
            throw error{error_kind::usage, fmt::format("the memory of rank {} in window \"{}\" cannot be accessed", rank, called),
                        "Sode did not allocate this memory", "let Sode allocate the memory"};
    }
    void put(int rank, layout const& to, std::byte const* data, layout const& from) const;
    void get(int rank, layout const& from, std::byte* data, layout const& to) const;

    detail::job& job;
    std::shared_ptr<detail::job> keeps;
    std::shared_ptr<std::byte> own;
    std::string called, putting, getting, asking, meeting, waiting; // for messages
    std::vector<std::pair<std::byte*, std::size_t>> blocks;         // where this rank has them, and how long they are
    std::shared_ptr<windows::office> remote;                        // null: all of them are reached without it
    std::uint32_t number = 0;
    bool others_memory = false; // not the host's
};

window::impl::impl(detail::job& j, std::string name)
    : job(j), keeps(j.shared_from_this()), called(std::move(name)), putting(fmt::format("a put to window \"{}\"", called)),
      getting(fmt::format("a get from window \"{}\"", called)),
      asking(fmt::format("an operation on a word in window \"{}\"", called)),
      meeting(fmt::format("a barrier on window \"{}\"", called)),
      waiting(fmt::format("a wait for a word in window \"{}\"", called)) {
    j.require_running("a window");
}

window::impl::impl(detail::job& j, std::shared_ptr<std::byte> memory, std::size_t bytes, std::string name)
    : impl(j, std::move(name)) {
    own = std::move(memory);
    if (j.ranks->machines().machines() > 1) {
        remote = windows::office::of(j);
        number = remote->open(own.get(), bytes); // before anybody may ask
    }
    blocks = windows::shared_blocks(j, own.get(), bytes);
}

window::impl::impl(detail::job& j, std::shared_ptr<window_memory> memory, std::size_t bytes, std::string name)
    : impl(j, std::move(name)) {
    others_memory = true;
    remote = windows::office::of(j);
    number = remote->open(std::move(memory), bytes, called);
    blocks = windows::shared_blocks(j, nullptr, bytes);
}

void window::impl::put(int rank, layout const& to, std::byte const* data, layout const& from) const {
    auto const [first, end] = to.extent();
    require_inside(rank, first, end);
    require_equal(to, from);
    if (auto* const memory = direct(rank)) return run(compile_sequence(from, to, target_overlap::excluded), memory, data);
    if (others_memory && rank == job.boot->rank()) return remote->store({rank, number, putting}, to, data, from);
    require_remote(rank);
    remote->put({rank, number, putting}, to, data, from);
}

void window::impl::get(int rank, layout const& from, std::byte* data, layout const& to) const {
    auto const [first, end] = from.extent();
    require_inside(rank, first, end);
    require_equal(to, from);
    if (auto const* const memory = direct(rank)) return run(compile_sequence(from, to, target_overlap::excluded), data, memory);
    if (others_memory && rank == job.boot->rank()) return remote->load({rank, number, getting}, from, data, to);
    require_remote(rank);
    remote->get({rank, number, getting}, from, data, to);
}

window::window(runtime& rt, std::size_t bytes, std::string name)
    : impl_(std::make_unique<impl>(rt.job(), detail::allocate(rt.job(), std::max<std::size_t>(bytes, 1)), bytes, std::move(name))) {
}

window::window(detail::halo_source const& source) {
    auto const& shape = *source.shape;
    if (source.on_device)
        throw error{error_kind::usage, fmt::format("array \"{}\" cannot be a window", shape.name), "the array is in device memory",
                    "copy the elements to a host array"};
    auto& j = *source.owner;
    impl_ = std::make_unique<impl>(j, source.memory[0], static_cast<std::size_t>(shape.bytes(j.boot->rank())), shape.name);
}

window::window(runtime& rt, std::size_t bytes, std::shared_ptr<window_memory> memory, std::string name)
    : impl_(std::make_unique<impl>(rt.job(), std::move(memory), bytes, std::move(name))) {}

window::~window() = default;
window::window(window&&) noexcept = default;
window& window::operator=(window&&) noexcept = default;

window::impl& window::made() const {
    if (!impl_) refuse_moved("a window");
    return *impl_;
}

std::string const& window::name() const {
    return made().called;
}
std::size_t window::bytes(int rank) const {
    auto const& mine = made();
    mine.require_rank(rank);
    return mine.blocks[static_cast<std::size_t>(rank)].second;
}
std::byte* window::memory(int rank) const {
    auto const& mine = made();
    mine.require_rank(rank);
    return mine.direct(rank);
}

void window::put(int rank, byte_pattern const& to, void const* data, byte_pattern const& from) {
    made().put(rank, layout_of(to), static_cast<std::byte const*>(data), layout_of(from));
}
void window::get(int rank, byte_pattern const& from, void* data, byte_pattern const& to) {
    made().get(rank, layout_of(from), static_cast<std::byte*>(data), layout_of(to));
}
void window::put(int rank, std::span<index_t const> offsets, index_t bytes, void const* data) {
    auto const to = layout_of(offsets, bytes);
    made().put(rank, to, static_cast<std::byte const*>(data), contiguous(0, to.bytes()));
}
void window::get(int rank, std::span<index_t const> offsets, index_t bytes, void* data) {
    auto const from = layout_of(offsets, bytes);
    made().get(rank, from, static_cast<std::byte*>(data), contiguous(0, from.bytes()));
}

std::int64_t window::word(int rank, std::size_t offset, std::size_t bytes, word_operation what, std::int64_t operand,
                          std::int64_t expected) {
    auto const& mine = made();
    if ((bytes != sizeof(std::int32_t) && bytes != sizeof(std::int64_t)) || offset % bytes != 0)
        throw error{error_kind::usage,
                    fmt::format("byte {} of window \"{}\" is not the start of a word of {} bytes", offset, mine.called, bytes),
                    "a word has 4 or 8 bytes, and begins at a multiple of its size", "use another offset or size"};
    mine.require_inside(rank, static_cast<index_t>(offset), static_cast<index_t>(offset + bytes));
    if (mine.others_memory)
        throw error{error_kind::usage, fmt::format("window \"{}\" does not support operations on words", mine.called),
                    "the memory of the window is not host memory", "use a window in host memory"};
    if (auto* const asks = mine.asks()) asks->flush(mine.asking);
    if (auto* const memory = mine.direct(rank)) return windows::operate(memory + offset, bytes, what, operand, expected);
    mine.require_remote(rank);
    return mine.remote->word({rank, mine.number, mine.asking}, offset, bytes, what, operand, expected);
}

std::int64_t window::await(int rank, std::size_t offset, std::size_t bytes, word_relation relation, std::int64_t value) {
    using std::chrono::microseconds;
    auto const& mine = made();
    mine.require_rank(rank);
    windows::patience p{mine.job, rank == mine.job.boot->rank() ? -1 : rank, mine.waiting, !mine.direct(rank)};
    for (auto pause = microseconds{20};; pause = std::min(2 * pause, microseconds{1000})) {
        auto const is = word(rank, offset, bytes, word_operation::load);
        if (holds(relation, is, value)) return is;
        if (!mine.direct(rank)) std::this_thread::sleep_for(pause); // a question each time, which costs the other rank
        p.wait();
    }
}

void window::flush() {
    auto const& mine = made();
    full_fence();
    if (auto* const asks = mine.asks()) asks->flush(mine.putting);
}

void window::barrier() {
    auto const& mine = made();
    full_fence();
    if (auto* const asks = mine.asks()) return asks->barrier(mine.meeting);
    mine.job.boot->barrier();
}

} // namespace sode
