// SPDX-License-Identifier: Apache-2.0
#include "engine/prepared_list.hpp"

#include "plan/dump.hpp"

#include <algorithm>
#include <exception>

namespace sode::internal {

prepared_list::~prepared_list() {
    bool in_step = true;
    for (auto& p : parts_)
        if (in_step)
            in_step = p->settle();
        else
            p->abandon();
}

bool prepared_list::started() const noexcept {
    return std::ranges::any_of(parts_, [](auto const& p) { return p->started(); });
}

bool prepared_list::running() const noexcept {
    return std::ranges::any_of(parts_, [](auto const& p) { return p->running(); });
}

bool prepared_list::under_way() const noexcept {
    return std::ranges::any_of(parts_, [](auto const& p) { return p->under_way(); });
}

void prepared_list::require_startable() const {
    for (auto const& p : parts_) p->require_startable();
}

void prepared_list::start() {
    require_startable();
    for (auto& p : parts_) p->begin();
}

void prepared_list::enqueue(device_queue& in) {
    for (auto& p : parts_) p->enqueue(in);
}

bool prepared_list::turn(waiter& w) {
    bool any = false;
    for (auto& p : parts_) {
        if (!p->running()) continue;
        any = true;
        p->turn(w);
    }
    return any;
}

bool prepared_list::test() {
    bool over = true;
    for (auto& p : parts_) over = p->test() && over;
    return over;
}

void prepared_list::wait() {
    std::exception_ptr first;
    bool in_step = true;
    for (auto& p : parts_) {
        if (!in_step) { // nobody would come, either
            p->abandon();
            continue;
        }
        try {
            p->wait();
        } catch (...) {
            if (!first) first = std::current_exception();
            in_step = !p->gave_up();
        }
    }
    if (first) std::rethrow_exception(first);
}

std::string prepared_list::explain() const {
    std::string text;
    for (auto const& p : parts_) text += p->explain();
    return text;
}

void prepared_list::tell_steps(std::vector<plan const*>& all) const {
    for (auto const& p : parts_) all.push_back(&p->steps());
}

std::uint64_t prepared_list::executed() const noexcept {
    std::uint64_t n = 0;
    for (auto const& p : parts_) n += p->executed();
    return n;
}

std::string dump_all(std::vector<plan const*> const& plans, std::string_view format) {
    auto const as = dump_format_of(format);
    if (plans.size() == 1) return dump(*plans.front(), as);
    bool const json = as == dump_format::json;
    std::string text;
    for (auto const* p : plans) {
        if (!text.empty()) text += json ? ",\n" : "\n";
        text += dump(*p, as);
    }
    return json ? '[' + text + ']' : text;
}

} // namespace sode::internal
