// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/prepared.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sode::internal {

/// Prepared plans that are one thing for whoever uses them: they start together, and it is over when all of them are. What the
/// public classes of communications have behind them.
class prepared_list {
public:
    prepared_list() = default;
    ~prepared_list();
    prepared_list(prepared_list const&) = delete;
    prepared_list& operator=(prepared_list const&) = delete;

    void add(std::unique_ptr<prepared> one) { parts_.push_back(std::move(one)); }
    /// `what` lives as long as this: the job, arrays that are named by the plans.
    template <class T> void keep(T what) { keeps_.push_back(std::make_shared<T const>(std::move(what))); }

    /// Puts another one of the same kind in the place of the first. \return that
    [[nodiscard]] std::unique_ptr<prepared> exchange_front(std::unique_ptr<prepared> one) {
        return std::exchange(parts_.front(), std::move(one));
    }

    [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
    [[nodiscard]] prepared& front() const noexcept { return *parts_.front(); }
    /// In the order in which they were added.
    [[nodiscard]] prepared& at(std::size_t i) const { return *parts_.at(i); }
    [[nodiscard]] prepared& last() const noexcept { return *parts_.back(); }
    /// Any of them is started and not waited for …
    [[nodiscard]] bool started() const noexcept;
    /// … and not over.
    [[nodiscard]] bool running() const noexcept;
    /// As prepared::under_way(), of any of them.
    [[nodiscard]] bool under_way() const noexcept;
    void require_startable() const;
    /// As prepared::look_ahead().
    void look_ahead(bool odd) noexcept {
        for (auto const& p : parts_) p->look_ahead(odd);
    }
    /// All or none. Errors: as prepared::start().
    void start();
    /// Those that are not over yet may go on. Errors: as prepared::enqueue().
    void enqueue(device_queue& in);
    /// A turn of a wait for each that runs. False, if none does.
    bool turn(waiter& w);
    bool test();
    /// Waits for all of them, also after a function of the user's has thrown. Errors: the first that there was.
    void wait();

    /// A paragraph for each.
    [[nodiscard]] std::string explain() const;
    /// Adds them to `all`, for dump().
    void tell_steps(std::vector<plan const*>& all) const;
    /// Descriptors executed by all of them, and times that all were started.
    [[nodiscard]] std::uint64_t executed() const noexcept;
    [[nodiscard]] std::uint64_t epochs() const noexcept { return empty() ? 0 : front().epochs(); }

private:
    std::vector<std::shared_ptr<void const>> keeps_; // goes after the plans
    std::vector<std::unique_ptr<prepared>> parts_;
};

/// Plans of one rank that have nothing to do with each other, one after another. JSON: an array, unless there is one; dot: a graph
/// each. `format` as in dump_format_of(). Errors: usage, for another.
[[nodiscard]] std::string dump_all(std::vector<plan const*> const& plans, std::string_view format);

} // namespace sode::internal
