// SPDX-License-Identifier: Apache-2.0
#include "support/snapshots.hpp"

#include <sode/series.hpp>

namespace examples {

struct snapshots::impl {
    sode::runtime& rt;
    double spacing;
    int every;
    std::optional<sode::series> files{};

    // Known only when it is known whether the program goes on behind an earlier step.
    void begin(std::optional<sode::index_t> after) {
        auto const folder = rt.arg("--out", "");
        if (folder.empty()) return;
        double const half = 0.5 * spacing;
        files.emplace(rt, folder + "/water",
                      sode::series_options{.origin = {half, half}, .spacing = {spacing, spacing}, .after = after});
    }
};

snapshots::snapshots(sode::runtime& rt, double spacing) : impl_(std::make_unique<impl>(impl{rt, spacing, rt.arg("--every", 50)})) {
    if (impl_->every < 1)
        throw sode::error{sode::error_kind::usage, "--every makes no sense", "it is less than one step", "write --every 50"};
}
snapshots::~snapshots() = default;

sode::moment snapshots::resume(std::vector<sode::input_field> const& fields) {
    auto const file = impl_->rt.arg("--from", "");
    if (file.empty()) {
        impl_->begin(std::nullopt);
        return {};
    }
    auto const when = sode::read(file, fields);
    impl_->begin(when.step);
    return when;
}

void snapshots::write_if_due(sode::moment const& now, std::vector<sode::output_field> const& fields) {
    if (impl_->files && now.step % impl_->every == 0) impl_->files->write(fields, now);
}

} // namespace examples
