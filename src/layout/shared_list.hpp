// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sode {

/// Entries that never change, of which copies and parts are cheap: the pieces of a copy refer to the list of the whole.
template <class T> class shared_list {
public:
    shared_list() = default;
    shared_list(std::vector<T> all) : size_(all.size()), all_(std::make_shared<std::vector<T> const>(std::move(all))) {
        first_ = all_->data();
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T const* data() const noexcept { return first_; }
    [[nodiscard]] T const* begin() const noexcept { return first_; }
    [[nodiscard]] T const* end() const noexcept { return first_ + size_; }
    [[nodiscard]] T const& operator[](std::size_t i) const noexcept { return first_[i]; }
    /// The entries [begin, end), which are in the list.
    [[nodiscard]] shared_list part(std::size_t begin, std::size_t end) const {
        shared_list p = *this;
        p.first_ += begin;
        p.size_ = end - begin;
        return p;
    }

private:
    T const* first_ = nullptr;
    std::size_t size_ = 0;
    std::shared_ptr<std::vector<T> const> all_;
};

} // namespace sode
