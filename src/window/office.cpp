// SPDX-License-Identifier: Apache-2.0
#include "window/office.hpp"

#include "window/memory_letters.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace sode::internal::windows {

std::shared_ptr<office> office::of(detail::job& j) {
    if (j.remote) return std::static_pointer_cast<office>(j.remote);
    if (j.ranks->machines().machines() == 1) { // none of its ranks is out of reach
        auto made = std::make_shared<office>(j, std::make_unique<memory_letters>(j, most_letter));
        j.remote = made;
        return made;
    }
    auto* const carrier = j.boot->messages();
    bool const cannot = !carrier || (j.settings.progress_thread && !carrier->several_threads());
    std::uint64_t any = cannot ? 1 : 0;
    j.boot->combine({&any, 1}, {});
    if (any != 0)
        throw error{
            error_kind::usage, "windows between machines are not possible",
            cannot ? "MPI was initialised with less than MPI_THREAD_MULTIPLE, which the progress thread needs"
                   : "another rank has initialised MPI with less than MPI_THREAD_MULTIPLE",
            "initialise MPI with MPI_THREAD_MULTIPLE, or let Sode initialise MPI (sode_init_windows(), sode::join_with_windows()); "
            "or set SODE_PROGRESS=calls"};
    auto letters = carrier->open_letters(most_letter);
    if (!letters)
        throw error{error_kind::usage, "windows between machines are not possible", "these ranks cannot send each other requests",
                    "start the program with mpirun"};
    auto made = std::make_shared<office>(j, std::move(letters));
    j.remote = made;
    return made;
}

office::office(detail::job& j, std::unique_ptr<letter_box> letters)
    : job_(j), letters_(std::move(letters)),
      arrivals_(static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(j.boot->size())))) {
    if (j.settings.progress_thread) thread_ = std::make_unique<progress_thread>([this] { return try_serve(); });
}

void office::meet() {
    barrier("a barrier");
}

// Others may still ask until all have come here.
void office::end(bool orderly) noexcept {
    try {
        if (orderly) barrier("the end of the job");
        // NOLINTNEXTLINE(bugprone-empty-catch): a rank has died, which is told where it was waited for
    } catch (...) {
        orderly = false;
    }
    thread_.reset();
    std::lock_guard const l{lock_};
    try {
        if (orderly && letters_) letters_->close();
        // NOLINTNEXTLINE(bugprone-empty-catch): the same
    } catch (...) {
    }
    letters_.reset();
}

std::uint32_t office::open(std::byte* memory, std::size_t bytes) {
    std::lock_guard const l{lock_};
    windows_.push_back({memory, nullptr, bytes, ""});
    return static_cast<std::uint32_t>(windows_.size() - 1);
}

std::uint32_t office::open(std::shared_ptr<window_memory> memory, std::size_t bytes, std::string const& name) {
    std::lock_guard const l{lock_};
    windows_.push_back({nullptr, std::move(memory), bytes, name});
    return static_cast<std::uint32_t>(windows_.size() - 1);
}

void office::close(std::uint32_t window) noexcept {
    std::lock_guard const l{lock_};
    windows_[window] = {};
}

void office::require_open() const {
    if (!letters_)
        throw error{error_kind::usage, "a window was used after its job had ended", "the runtime has been destroyed",
                    "destroy the runtime last"};
    if (failure_) std::rethrow_exception(failure_);
}

bool office::try_serve() {
    std::unique_lock const l{lock_, std::try_to_lock};
    if (!l.owns_lock() || failure_ || !letters_) return false;
    try {
        return carry();
    } catch (...) {
        failure_ = std::current_exception(); // the program hears of it when it next asks
        return false;
    }
}

void office::go_on() {
    std::lock_guard const l{lock_};
    require_open();
    carry();
}

bool office::carry() {
    bool any = false;
    for (auto l = letters_->receive(); l.from >= 0; l = letters_->receive()) {
        read(l);
        any = true;
    }
    return any;
}

void office::send(int rank, letter_head const& head, std::span<std::int64_t const> layout_words, std::span<std::byte const> data) {
    auto whole = head;
    whole.layout_words = static_cast<std::uint32_t>(layout_words.size());
    whole.data_bytes = static_cast<std::uint32_t>(data.size());
    text_.resize(sizeof whole + layout_words.size_bytes() + data.size());
    std::memcpy(text_.data(), &whole, sizeof whole);
    if (!layout_words.empty()) std::memcpy(text_.data() + sizeof whole, layout_words.data(), layout_words.size_bytes());
    if (!data.empty()) std::memcpy(text_.data() + sizeof whole + layout_words.size_bytes(), data.data(), data.size());
    letters_->send(rank, text_);
}

} // namespace sode::internal::windows
