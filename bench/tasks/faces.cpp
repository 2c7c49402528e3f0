// SPDX-License-Identifier: Apache-2.0
#include "tasks/transfer.hpp"

namespace sode::internal::bench {
namespace {

class face final : public transfer {
public:
    face(std::string name, pair& p, std::int64_t count, std::int64_t pitch, pages kind)
        : transfer(std::move(name), p, static_cast<std::size_t>(count * pitch), kind, {{0, sizeof(double), count, pitch}}),
          count_(count), pitch_(pitch / static_cast<std::int64_t>(sizeof(double))) {}

    void exchange() override {
        by_receiver([this] {
            auto const* const from = reinterpret_cast<double const*>(source());
            auto* const to = reinterpret_cast<double*>(target());
            for (std::int64_t i = 0; i < count_; ++i) to[i * pitch_] = from[i * pitch_];
        });
    }

private:
    std::int64_t count_, pitch_;
};

} // namespace

std::vector<std::unique_ptr<transfer>> faces(pair& p, std::int64_t count, std::int64_t pitch) {
    std::vector<std::unique_ptr<transfer>> all;
    if (p.reachable()) {
        all.push_back(std::make_unique<face>("huge", p, count, pitch, pages::huge));
        all.push_back(std::make_unique<face>("small", p, count, pitch, pages::small));
    }
    if (!p.memory().one_address_space()) all.push_back(std::make_unique<face>("shared", p, count, pitch, pages::shared));
    return all;
}

} // namespace sode::internal::bench
