// SPDX-License-Identifier: Apache-2.0
#include "datatypes/copies/first_use.hpp"

#include "interpose/datatypes/datatype_layout.hpp"
#include "interpose/datatypes/program_cache.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <memory>

namespace sode::internal::bench {
namespace {

/// The times of one step.
class step {
public:
    template <typename Function> auto timed(tick_rate const& rate, Function what) {
        std::uint64_t const begin = ticks();
        auto made = what();
        all_.push_back(rate.us(begin, ticks()));
        return made;
    }
    [[nodiscard]] double us() const { return median(all_); }

private:
    std::vector<double> all_;
};

} // namespace

first_use first_use_of(pattern const& p, tick_rate const& rate, int turns) {
    first_use f;
    step build, read, know, compile, cut;
    for (int i = 0; i < turns; ++i) {
        auto const types = build.timed(rate, [&] { return std::pair{p.send_type(), p.receive_type()}; });
        auto forms = read.timed(rate, [&] {
            auto const& [out, in] = types;
            return std::pair{layout_of(out.type.get(), out.count), layout_of(in.type.get(), in.count)};
        });
        f.blocks = std::max(forms.first.blocks(), forms.second.blocks());
        auto const known = know.timed(rate, [&] {
            return std::pair{std::make_unique<message_layout>(layout_id{1, 1}, std::move(forms.first)),
                             std::make_unique<message_layout>(layout_id{1, 2}, std::move(forms.second))};
        });
        message_layout const& source = *known.first;
        message_layout const& target = *known.second;
        auto const whole = compile.timed(rate, [&] { return program_cache::compiled(source, target); });
        static_cast<void>(cut.timed(rate, [&] { return program_cache::in_pieces(whole, source, target); }));
    }
    f.build = build.us();
    f.read = read.us();
    f.know = know.us();
    f.compile = compile.us();
    f.cut = cut.us();
    return f;
}

} // namespace sode::internal::bench
