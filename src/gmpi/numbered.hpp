// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sode::internal::kernels {

/// Things by number, from 1; numbers are used again.
template <class T> class numbered {
public:
    std::uint32_t add(T one) {
        if (free_.empty()) {
            all_.emplace_back(std::move(one));
            return static_cast<std::uint32_t>(all_.size());
        }
        auto const number = free_.back();
        free_.pop_back();
        all_[number - 1] = std::move(one);
        return number;
    }
    /// Null if there is none.
    [[nodiscard]] T* find(std::uint32_t number) {
        return number == 0 || number > all_.size() || !all_[number - 1] ? nullptr : &*all_[number - 1];
    }
    void remove(std::uint32_t number) {
        all_[number - 1].reset();
        free_.push_back(number);
    }
    /// f(number, thing) for each; f may remove that one.
    template <class F> void each(F const& f) {
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (all_[i]) f(static_cast<std::uint32_t>(i + 1), *all_[i]);
    }
    [[nodiscard]] std::size_t size() const noexcept { return all_.size() - free_.size(); }

private:
    std::vector<std::optional<T>> all_;
    std::vector<std::uint32_t> free_;
};

} // namespace sode::internal::kernels
