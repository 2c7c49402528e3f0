// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/clock.hpp"

#include <algorithm>
#include <cstdint>

namespace sode::internal::interpose {

/// Since when this thread has been in a call that waits for a message. What a message took counts only if somebody waited for it:
/// else it was over long before anybody looked, or somebody computed meanwhile.
class waiting_since {
public:
    explicit waiting_since(bool matters) noexcept : matters_(matters && since_ == 0) {
        if (matters_) since_ = now_ns();
    }
    ~waiting_since() {
        if (matters_) since_ = 0;
    }
    waiting_since(waiting_since const&) = delete;
    waiting_since& operator=(waiting_since const&) = delete;
    waiting_since(waiting_since&&) = delete;
    waiting_since& operator=(waiting_since&&) = delete;

    /// For how long; 0: it is in no such call.
    [[nodiscard]] static std::int64_t for_ns() noexcept { return since_ == 0 ? 0 : now_ns() - since_; }
    /// What a message took that has ended now; 0, if the receiver came later than half of that after it was sent.
    [[nodiscard]] static std::int64_t took(std::int64_t sent_ns) noexcept { return since_ == 0 ? 0 : took(sent_ns, now_ns()); }
    /// The same of one that has ended then.
    [[nodiscard]] static std::int64_t took(std::int64_t sent_ns, std::int64_t at_ns) noexcept {
        if (since_ == 0) return 0;
        auto const took = at_ns - sent_ns;
        return 2 * std::max<std::int64_t>(0, since_ - sent_ns) <= took ? took : 0;
    }

private:
    static inline thread_local std::int64_t since_ = 0;
    bool matters_;
};

} // namespace sode::internal::interpose
