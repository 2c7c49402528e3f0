// SPDX-License-Identifier: Apache-2.0
#include "engine/triggered/chain_proof.hpp"

#include "layout/copy_rows.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace sode::internal {
namespace {

// Goes through a chain burst by burst.
class bursts {
public:
    explicit bursts(std::span<dma_descriptor const> chain) : chain_(chain) {}

    struct burst {
        std::int64_t source;
        std::int64_t destination;
        std::int64_t bytes;
    };
    [[nodiscard]] bool over() const noexcept { return step_ == chain_.size(); }
    [[nodiscard]] std::size_t step() const noexcept { return step_; }
    [[nodiscard]] burst next() noexcept {
        auto const& d = chain_[step_];
        auto const at = done_ / d.burst * (d.burst + d.gap);
        burst const b{d.source + at, d.destination + at, d.burst};
        done_ += d.burst;
        if (done_ == d.size) ++step_, done_ = 0;
        return b;
    }

private:
    std::span<dma_descriptor const> chain_;
    std::size_t step_ = 0;
    std::int64_t done_ = 0; // bytes of it
};

std::string wrong_in_form(std::span<dma_descriptor const> chain) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
        auto const& d = chain[i];
        if (d.burst <= 0 || d.size <= 0 || d.size % d.burst != 0)
            return fmt::format("descriptor {} moves {} bytes in bursts of {}", i, d.size, d.burst);
        if (d.gap < 0) return fmt::format("descriptor {} has bursts that overlap, by {} bytes", i, -d.gap);
    }
    return {};
}

} // namespace

std::string wrong_in_chain(copy_view const& p, std::span<dma_descriptor const> chain) {
    if (auto text = wrong_in_form(chain); !text.empty()) return text;
    bursts all{chain};
    std::string wrong;
    for_each_row(p, [&](index_t src, index_t dst, index_t bytes) {
        if (!wrong.empty()) return;
        if (all.over()) {
            wrong = fmt::format("{} bytes for {} are missing", bytes, dst);
            return;
        }
        auto const i = all.step();
        if (auto const b = all.next(); b.source != src || b.destination != dst || b.bytes != bytes)
            wrong = fmt::format("descriptor {} moves {} bytes from {} to {}, where {} bytes from {} to {} are due", i, b.bytes,
                                b.source, b.destination, bytes, src, dst);
    });
    if (wrong.empty() && !all.over()) wrong = fmt::format("descriptor {} moves bytes that nobody has asked for", all.step());
    return wrong;
}

} // namespace sode::internal
