// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::tools {

/// Makes one message of those that ranks tell alike: of 32 lines "sode: error: rank N: text" one, "sode: error: ranks 0-31: text".
///
/// A message is a line that begins with `sode:` and the indented lines behind it. It is held until all living ranks have said the
/// same, at most `hold_ns`; the last words of a rank that was killed are not held at all. Everything else passes at once, also half
/// lines. What one rank writes keeps its order.
class message_merger {
public:
    static constexpr std::int64_t hold_ns = 200'000'000;

    explicit message_merger(int ranks);

    /// What `rank` wrote.
    void add(int rank, std::string_view text, std::int64_t now_ns);
    /// It will write nothing more.
    void close(int rank, std::int64_t now_ns);
    /// It was killed: what it said is told now.
    void hurry(int rank);
    /// A message of the launcher itself, behind what has been said before.
    void announce(std::string_view message, std::int64_t now_ns);
    /// All that is left.
    void flush();

    /// What is to be written by now; it is the caller's then.
    [[nodiscard]] std::string take(std::int64_t now_ns);
    /// When take() will have something, at the latest; INT64_MAX: nothing is held.
    [[nodiscard]] std::int64_t due_ns() const;

private:
    struct message {
        int rank;
        std::string text; ///< without the end of its last line
        std::int64_t first_ns;
        std::int64_t last_ns; ///< when something was added to it
    };
    struct speaker {
        std::string line;          ///< the beginning of one that may belong to a message
        std::int64_t since_ns = 0; ///< when it began
        bool passing = false;      ///< in the middle of a line that does not
        bool open = false;         ///< its last line belonged to a message
        bool gone = false;
    };

    void complete_line(int rank, std::int64_t now_ns);
    void release_partial(int rank);
    void release_all_of(int rank);
    void release(std::size_t first);
    [[nodiscard]] std::vector<std::size_t> alike(std::size_t first) const;
    [[nodiscard]] std::int64_t due_of_first() const;
    [[nodiscard]] speaker& of(int rank) { return speakers_[static_cast<std::size_t>(rank)]; }

    std::vector<speaker> speakers_;
    std::deque<message> held_; ///< in the order in which they came
    std::string out_;
    char last_ = '\n'; ///< of what was taken
};

} // namespace sode::internal::tools
