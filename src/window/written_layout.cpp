// SPDX-License-Identifier: Apache-2.0
#include "window/written_layout.hpp"

#include <sode/error.hpp>

namespace sode::internal::windows {
namespace {

void write(layout const& l, std::vector<std::int64_t>& words) {
    words.insert(words.end(), {l.offset, l.block, static_cast<std::int64_t>(l.loops.size()),
                               static_cast<std::int64_t>(l.list.size()), static_cast<std::int64_t>(l.parts.size())});
    for (auto const& [count, stride] : l.loops) words.insert(words.end(), {count, stride});
    for (auto const& [offset, bytes] : l.list) words.insert(words.end(), {offset, bytes});
    for (auto const& part : l.parts) write(part, words);
}

class reader {
public:
    explicit reader(std::span<std::int64_t const> words) : rest_(words) {}

    [[nodiscard]] layout next() {
        layout l;
        l.offset = word();
        l.block = word();
        auto const loops = count(), pieces = count(), parts = count();
        for (std::size_t k = 0; k < loops; ++k) {
            auto const times = word();
            l.loops.push_back({times, word()});
        }
        for (std::size_t k = 0; k < pieces; ++k) {
            auto const offset = word();
            l.list.push_back({offset, word()});
        }
        for (std::size_t k = 0; k < parts; ++k) l.parts.push_back(next());
        return l;
    }
    [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
    [[noreturn]] static void refuse() {
        throw error{error_kind::internal, "another rank sent a request that cannot be decoded", "the request is damaged",
                    "report this defect of Sode"};
    }

private:
    std::int64_t word() {
        if (rest_.empty()) refuse();
        auto const w = rest_.front();
        rest_ = rest_.subspan(1);
        return w;
    }
    std::size_t count() {
        auto const n = word();
        if (n < 0 || static_cast<std::size_t>(n) > rest_.size()) refuse();
        return static_cast<std::size_t>(n);
    }

    std::span<std::int64_t const> rest_;
};

} // namespace

std::vector<std::int64_t> written(layout const& l) {
    std::vector<std::int64_t> words;
    write(l, words);
    return words;
}

layout read_layout(std::span<std::int64_t const> words) {
    reader from{words};
    auto l = from.next();
    if (!from.at_end()) reader::refuse();
    return l;
}

} // namespace sode::internal::windows
