// SPDX-License-Identifier: Apache-2.0
#include "file_view.hpp"

#include <algorithm>

namespace sode::xmp {

file_view::file_view(std::int64_t displacement, std::vector<file_run> runs)
    : displacement_(displacement), whole_(false), runs_(std::move(runs)), before_{0} {
    for (auto& r : runs_) {
        r.offset += displacement;
        before_.push_back(before_.back() + r.bytes);
    }
}

std::size_t file_view::run_at(std::int64_t at) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(before_, at) - before_.begin()) - 1;
}

std::vector<file_run> file_view::runs(std::int64_t at, std::int64_t count) const {
    if (whole_) return {{displacement_ + at, count}};
    std::vector<file_run> result;
    for (auto k = run_at(at); k < runs_.size() && count > 0; ++k) {
        auto const skipped = at - before_[k], bytes = std::min(runs_[k].bytes - skipped, count);
        result.push_back({runs_[k].offset + skipped, bytes});
        at += bytes;
        count -= bytes;
    }
    return result;
}

std::int64_t file_view::offset(std::int64_t at) const {
    if (whole_) return displacement_ + at;
    auto const k = run_at(at);
    if (k < runs_.size()) return runs_[k].offset + at - before_[k];
    return (runs_.empty() ? displacement_ : runs_.back().offset + runs_.back().bytes) + at - before_.back();
}

std::int64_t file_view::end(std::int64_t size) const {
    if (whole_) return std::max<std::int64_t>(0, size - displacement_);
    std::int64_t bytes = 0;
    for (auto const& r : runs_) bytes += std::clamp<std::int64_t>(size - r.offset, 0, r.bytes);
    return bytes;
}

} // namespace sode::xmp
