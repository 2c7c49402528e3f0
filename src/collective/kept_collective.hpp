// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/collective_terms.hpp"
#include "engine/prepared.hpp"
#include "layout/cache_line.hpp"

#include <memory>
#include <new>

namespace sode::detail {
struct job;
} // namespace sode::detail

namespace sode::internal {

/// A collective that is called with other memory each time: what is combined goes through memory of its own. For small values that
/// live in variables.
class kept_collective {
public:
    /// Collective. `j` outlives it.
    kept_collective(detail::job& j, collective_terms terms);

    /// The first `bytes` of what a rank gives are at `data`, and what it gets comes there. Collective. Errors: those of
    /// prepared::wait.
    void run(void* data, std::size_t bytes);

    /// It does what these want.
    [[nodiscard]] bool same(collective_terms const& terms) const noexcept;
    [[nodiscard]] prepared const& run() const noexcept { return *run_; }

private:
    struct free_aligned {
        void operator()(std::byte* p) const noexcept { ::operator delete (p, std::align_val_t{line}); }
    };

    collective_terms terms_;
    bool gives_;
    bool gets_;
    std::size_t room_;
    std::unique_ptr<std::byte, free_aligned> memory_; // input, then output
    std::unique_ptr<prepared> run_;
};

} // namespace sode::internal
