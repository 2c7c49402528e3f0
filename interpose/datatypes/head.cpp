// SPDX-License-Identifier: Apache-2.0
#include "interpose/datatypes/head.hpp"

#include <algorithm>
#include <cstring>

namespace sode::internal::interpose {

namespace {

class reader {
public:
    explicit reader(std::span<std::byte> head) : head_(head) {}
    [[nodiscard]] std::size_t got() const { return got_; }

    void loops(layout const& form, std::size_t depth, std::byte const* at) {
        if (depth == form.loops.size()) {
            body(form, at);
            return;
        }
        layout::loop const& l = form.loops[depth];
        for (index_t i = 0; i < l.count && !full(); ++i) loops(form, depth + 1, at + i * l.stride);
    }

private:
    [[nodiscard]] bool full() const { return got_ == head_.size(); }

    void body(layout const& form, std::byte const* at) {
        for (layout const& part : form.parts)
            if (!full()) loops(part, 0, at + part.offset);
        for (layout::piece const& p : form.list) {
            if (full()) return;
            block(at + p.offset, p.bytes);
        }
        if (form.is_nest()) block(at, form.block);
    }
    void block(std::byte const* at, index_t bytes) {
        std::size_t const n = std::min(static_cast<std::size_t>(bytes), head_.size() - got_);
        if (n > 0) std::memcpy(head_.data() + got_, at, n);
        got_ += n;
    }

    std::span<std::byte> head_;
    std::size_t got_ = 0;
};

} // namespace

std::size_t read_head(layout const& form, std::byte const* buffer, std::span<std::byte> head) {
    reader r{head};
    r.loops(form, 0, buffer + form.offset);
    return r.got();
}

} // namespace sode::internal::interpose
