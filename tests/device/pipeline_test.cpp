// SPDX-License-Identifier: Apache-2.0
// Faces that cross the bus in segments: the source's device packs while the target's still unpacks what came before, and never more
// than there is room for. Seen from the order in which the emulated devices copy, while they are held up; no clock is asked.
#include "device/emulated/emulated_device.hpp"
#include "model/job.hpp"
#include "support/with_variable.hpp"

#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>

namespace sode::internal::testing {
namespace {

/// What two devices begin to copy, in order: "p" where the source packs, "u" where the target unpacks.
class diary {
public:
    /// Writes it down when there are so many of "p".
    void note(char what, std::size_t packed) {
        std::unique_lock mine{lock_};
        changed_.wait(mine, [&] { return packed_ >= packed; });
        text_ += what;
        packed_ += what == 'p' ? 1 : 0;
        changed_.notify_all();
    }
    [[nodiscard]] std::string text() const { return text_; }

private:
    std::mutex lock_;
    std::condition_variable changed_;
    std::string text_;
    std::size_t packed_ = 0;
};

TEST(Pipeline, PacksWhileItUnpacksAndNoFurtherThanThereIsRoom) {
    constexpr std::size_t segments = 64, slots = 4;
    with_variable const costs{"SODE_PROFILE", TURNS_COST_NOTHING}, emulated{"SODE_DEVICE", "emulated"};
    diary seen;
    run_threads(2, [&](runtime& rt) {
        constexpr index_t layers = 1024; // 4 KiB from rank 0 to rank 1, and nothing back
        grid<1> g{rt, {2 * layers}};
        array<float, 1> on_host{g, shadow{{layers, 0}}};
        loop(g.all(), [v = *on_host](index_t i) { v(i) = static_cast<float>(i); });
        array<float, 1, sode::device> u{g, shadow{{layers, 0}}, 0.F, "u"};
        upload(on_host, u);
        auto halo = reflect_init({.channel = "device-segments"}, u);
        if (rt.rank() == 1) {
            EXPECT_THAT(halo.explain(), ::testing::ContainsRegex("device-segments .* 64 segments, forced"));
        }
        auto& device = dynamic_cast<watched_device&>(rt.job().need_device());
        std::size_t n = 0;
        // A segment is unpacked when three more are packed, or all.
        device.watch([&, source = rt.rank() == 0](copy_program const&, std::byte const*) {
            seen.note(source ? 'p' : 'u', source ? 0 : std::min(n++ + slots, segments));
        });
        halo();
        device.watch({});
        array<float, 1> got{g, shadow{{layers, 0}}};
        download(u, got);
        auto const v = *got;
        for (index_t i = v.lower(0); i < v.upper(0); ++i)
            if (i >= 0) {
                ASSERT_EQ(v(i), static_cast<float>(i));
            }
    });
    std::string expected(slots, 'p');
    for (std::size_t k = slots; k < segments; ++k) expected += "up";
    EXPECT_EQ(seen.text(), expected + std::string(slots, 'u'));
}

} // namespace
} // namespace sode::internal::testing
