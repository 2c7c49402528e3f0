// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_sequence.hpp"
#include "model/job.hpp"
#include "window/letter.hpp"
#include "window/patience.hpp"
#include "window/progress_thread.hpp"

#include <sode/error.hpp>
#include <sode/messages.hpp>
#include <sode/window.hpp>
#include <sode/window_memory.hpp>

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sode::internal::windows {

/// Where a rank asks others for bytes of windows that it cannot reach itself, and answers what they ask. One for each job that has
/// windows on several machines, or of memory that is not the host's.
///
/// Questions are asked by the program's thread, one call at a time. Letters are read by whoever has the lock: that thread while it
/// waits, else the progress thread. Neither waits with the lock held, so that nobody who asks can keep others from an answer.
class office final : public remote_access {
public:
    /// The one of this job, opened if there is none: collective then. Errors: usage, if MPI allows one thread only.
    [[nodiscard]] static std::shared_ptr<office> of(detail::job& j);
    explicit office(detail::job& j, std::unique_ptr<letter_box> letters);
    ~office() override = default;
    void meet() override;
    void end(bool orderly) noexcept override;

    /// Others may ask for this memory from now on. \return its number, which is the same on all ranks, as windows are made
    /// collectively
    [[nodiscard]] std::uint32_t open(std::byte* memory, std::size_t bytes);
    /// `name`: of the window, for messages.
    [[nodiscard]] std::uint32_t open(std::shared_ptr<window_memory> memory, std::size_t bytes, std::string const& name);
    void close(std::uint32_t window) noexcept;

    struct target {
        int rank;
        std::uint32_t window;
        std::string const& doing; ///< for messages: "a put to window \"a\""
    };
    /// `data` may be written again, but the bytes need not be there. Layouts are in normal form and as long as each other.
    void put(target const& t, layout const& to, std::byte const* data, layout const& from);
    void get(target const& t, layout const& from, std::byte* data, layout const& to);
    [[nodiscard]] std::int64_t word(target const& t, std::size_t offset, std::size_t bytes, word_operation what,
                                    std::int64_t operand, std::int64_t expected);
    /// The same in this rank's own block, of memory that is not the host's. Errors: usage, if it is not there.
    void load(target const& t, layout const& from, std::byte* data, layout const& to);
    void store(target const& t, layout const& to, std::byte const* data, layout const& from);
    /// All that was put is there.
    void flush(std::string const& doing);
    void barrier(std::string const& doing);
    /// Answers what is there, without waiting.
    void go_on();

private:
    static constexpr std::size_t most_questions = 16; // without an answer

    struct memory_block {
        std::byte* first = nullptr;
        std::shared_ptr<window_memory> other; ///< not the host's; both null: it is closed
        std::size_t bytes = 0;
        std::string name; ///< of what is not the host's
    };
    struct wanted {
        std::byte* data;
        copy_sequence program; ///< from the letter to its place
    };

    template <class Ready> void wait_until(int peer, std::string const& doing, Ready ready);
    template <class Done>
    void ask(target const& t, letter_head const& head, std::span<std::int64_t const> layout_words, std::span<std::byte const> data,
             Done asked);
    bool try_serve();

    // With the lock held.
    bool carry(); // reads what is there
    void read(letter_box::letter const& l);
    void answer_put(int from, letter_head const& head, std::span<std::byte const> rest);
    void answer_get(int from, letter_head const& head, std::span<std::byte const> rest);
    void answer_word(int from, letter_head const& head);
    void take_answer(int from, letter_head const& head, std::span<std::byte const> rest);
    [[nodiscard]] memory_block const* block_of(letter_head const& head, std::int64_t first, std::int64_t end) const noexcept;
    void send(int rank, letter_head const& head, std::span<std::int64_t const> layout_words, std::span<std::byte const> data);
    void require_open() const;

    detail::job& job_;
    std::mutex lock_;
    std::unique_ptr<letter_box> letters_; // null: the job is over
    std::exception_ptr failure_;          // of the progress thread
    std::vector<memory_block> windows_;
    std::vector<std::byte> text_; // of the letter that is being written

    std::uint64_t next_ticket_ = 1;
    std::size_t questions_ = 0; // without an answer
    std::map<std::uint64_t, wanted> gets_;
    std::map<std::uint64_t, std::optional<std::int64_t>> words_;
    bool refused_ = false;
    std::optional<error> absent_; // what was put or wanted where there is no memory

    std::vector<std::uint64_t> arrivals_; // by round
    std::uint64_t barriers_ = 0;

    std::unique_ptr<progress_thread> thread_; // null: SODE_PROGRESS=calls
};

/// For a window of memory that is not there.
[[nodiscard]] error absent_memory(std::string const& doing, std::string const& why);

} // namespace sode::internal::windows
