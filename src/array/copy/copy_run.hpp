// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/copy/copy_spec.hpp"
#include "array/transfer_run.hpp"

#include <sode/halo_source.hpp>

namespace sode {

/// A copy that has been planned. Keeps the memory of both sides alive.
class copy_run final : public transfer_run {
public:
    /// Collective. Errors: as copy_init().
    copy_run(copy_spec const& spec, detail::halo_source to, detail::halo_source from);

private:
    [[nodiscard]] unsigned halves_now() const noexcept override;

    detail::halo_source to_;
    detail::halo_source from_;
    int to_group_;
    int from_group_;
};

} // namespace sode
