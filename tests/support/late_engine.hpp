// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/inline_engine.hpp"

#include <functional>
#include <string>

namespace sode::internal::testing {

/// Engines as one with a queue elsewhere looks to the rank: start() only rings, what has come of it is seen at every second look,
/// and where it stands is not known before the first.
class late_engines final : public engine_kind {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "late"; }
    [[nodiscard]] std::string cannot_run(schedule const& p, context const& /*c*/) const override {
        return refuses ? refuses(p) : std::string{};
    }
    [[nodiscard]] std::unique_ptr<engine> make(engine_work const& work) const override {
        ++made;
        return std::make_unique<one>(work, *this);
    }

    std::function<std::string(schedule const&)> refuses; ///< nobody: it runs everything
    mutable int made = 0;
    mutable int started = 0;
    mutable int abandoned = 0;

private:
    class one final : public engine {
    public:
        one(engine_work const& work, late_engines const& all) : all_(all), behind_(work) {}

        progress start(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways) override {
            ++all_.started;
            number_ = number, halves_ = halves, ways_ = ways;
            rung_ = false;
            return progress::idle;
        }
        progress proceed() override { return looks_++ % 2 == 0 ? progress::idle : catch_up(); }
        progress catch_up() override {
            if (rung_) return behind_.proceed();
            rung_ = true;
            return behind_.start(number_, halves_, ways_);
        }
        void abandon() noexcept override {
            ++all_.abandoned;
            if (rung_) behind_.abandon();
        }
        void rebound() override { behind_.rebound(); }
        std::size_t standing(std::span<std::uint32_t> at) const noexcept override { return rung_ ? behind_.standing(at) : 0; }
        [[nodiscard]] std::uint64_t executed() const noexcept override { return behind_.executed(); }

    private:
        late_engines const& all_;
        inline_engine behind_;
        std::uint64_t number_ = 0;
        std::span<std::uint64_t const> halves_;
        std::span<std::uint8_t const> ways_;
        unsigned looks_ = 0;
        bool rung_ = false;
    };
};

} // namespace sode::internal::testing
