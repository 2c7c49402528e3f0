// SPDX-License-Identifier: Apache-2.0
#include <sode/datatype.hpp>

#include "array/datatype_form.hpp"
#include "layout/copy_sequence.hpp"
#include "layout/layout_algebra.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode {
using namespace internal;

struct datatype_copy::impl {
    copy_sequence program;
};

datatype::datatype() : datatype(std::make_shared<impl const>()) {}

datatype::datatype(std::shared_ptr<impl const> form) : impl_(std::move(form)) {}

datatype datatype::contiguous(index_t bytes) {
    return datatype{std::make_shared<impl const>(impl{sode::internal::contiguous(0, bytes)})};
}

datatype datatype::blocks(std::span<block const> all) {
    layout_sequence s;
    auto const entry = [all](index_t i) -> block const& { return all[static_cast<std::size_t>(i)]; };
    s.add_blocks(
        static_cast<index_t>(all.size()), [entry](index_t i) { return entry(i).bytes; },
        [entry](index_t i) { return entry(i).offset; });
    return datatype{std::make_shared<impl const>(impl{s.finish()})};
}

datatype datatype::of_box(std::span<index_t const> lower, std::span<index_t const> upper, std::span<index_t const> strides,
                          index_t element) {
    if (lower.size() > static_cast<std::size_t>(max_dims) || upper.size() != lower.size() || strides.size() != lower.size())
        throw error{
            error_kind::usage, "a box has inconsistent dimensions",
            fmt::format("there are {} lower bounds, {} upper bounds and {} strides", lower.size(), upper.size(), strides.size()),
            fmt::format("pass one of each for every dimension, and at most {} dimensions", static_cast<int>(max_dims))};
    section s;
    s.dims = static_cast<int>(lower.size());
    std::array<index_t, max_dims> all{};
    for (std::size_t d = 0; d < lower.size(); ++d) {
        s.dim[d] = {lower[d], upper[d], 1};
        all[d] = strides[d];
    }
    return datatype{std::make_shared<impl const>(impl{of_section(s, all, element)})};
}

datatype datatype::joined(std::span<datatype const> parts) {
    layout_sequence s;
    for (datatype const& p : parts) s.add(p.impl_->form, 0);
    return datatype{std::make_shared<impl const>(impl{s.finish()})};
}

datatype datatype::repeated(index_t count, index_t stride) const {
    return datatype{std::make_shared<impl const>(impl{sode::internal::repeated(impl_->form, count, stride)})};
}

datatype datatype::moved(index_t by) const {
    // Most are: a sequence checks more than they need.
    constexpr index_t harmless = index_t{1} << 60;
    auto const lies_within = [](index_t i) { return -harmless < i && i < harmless; };
    auto const [first, last] = extent();
    if (is_contiguous() && lies_within(by) && lies_within(first) && lies_within(last))
        return by == 0 ? *this : datatype{std::make_shared<impl const>(impl{shifted(impl_->form, by)})};
    layout_sequence s;
    s.add(impl_->form, by);
    return datatype{std::make_shared<impl const>(impl{s.finish()})};
}

index_t datatype::bytes() const noexcept {
    return impl_->form.bytes();
}

std::pair<index_t, index_t> datatype::extent() const noexcept {
    return impl_->form.extent();
}

bool datatype::is_contiguous() const noexcept {
    return impl_->form.is_nest() && impl_->form.loops.empty();
}

bool datatype::equals(datatype const& other) const noexcept {
    return impl_->form == other.impl_->form;
}

datatype_copy::datatype_copy(datatype const& to, datatype const& from)
    : impl_(std::make_shared<impl const>(impl{compile_sequence(from.impl_->form, to.impl_->form)})) {}

void datatype_copy::operator()(void* target, void const* source) const noexcept {
    run(impl_->program, static_cast<std::byte*>(target), static_cast<std::byte const*>(source));
}

index_t datatype_copy::bytes() const noexcept {
    return impl_->program.bytes;
}

void copy(void* target, datatype const& to, void const* source, datatype const& from) {
    datatype_copy{to, from}(target, source);
}

void pack(void* packed, void const* source, datatype const& from) {
    copy(packed, datatype::contiguous(from.bytes()), source, from);
}

void unpack(void* target, datatype const& to, void const* packed) {
    copy(target, to, packed, datatype::contiguous(to.bytes()));
}

} // namespace sode
