// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <sode/datatype.hpp>

namespace sode {
using namespace internal;

struct datatype::impl {
    layout form; ///< in normal form
};

struct detail::datatype_access {
    [[nodiscard]] static layout const& form_of(datatype const& d) noexcept { return d.impl_->form; }
};
} // namespace sode
