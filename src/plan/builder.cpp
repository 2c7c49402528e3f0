// SPDX-License-Identifier: Apache-2.0
#include "plan/builder.hpp"

#include "layout/copy_block.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <utility>

namespace sode::internal {
namespace {

bool same(buffer const& a, buffer const& b) noexcept {
    return a.host == b.host && a.role == b.role && a.instances == b.instances && a.slots == b.slots && a.group == b.group &&
           a.ordinal == b.ordinal && a.offset == b.offset && a.bytes == b.bytes && a.memory == b.memory;
}

bool same(counter const& a, counter const& b) noexcept {
    return a.host == b.host && a.writer == b.writer && a.index == b.index && a.kind == b.kind && a.instances == b.instances &&
           a.slots == b.slots && a.step == b.step && a.memory == b.memory;
}

bool same(loop_strides const& a, loop_strides const& b) noexcept {
    return a == b;
}

bool same(operand const& a, operand const& b) noexcept {
    return a == b;
}

bool same(user_operator const& a, user_operator const& b) noexcept {
    return a.name == b.name && a.element_bytes == b.element_bytes && a.commutes == b.commutes;
}

// Ranks and indices are small numbers that follow each other.
std::uint32_t hash_of(buffer const& b) noexcept {
    return static_cast<std::uint32_t>(b.host) + 7 * b.ordinal + 11 * static_cast<std::uint32_t>(b.role) +
           static_cast<std::uint32_t>(b.offset >> 6);
}
std::uint32_t hash_of(counter const& c) noexcept {
    return static_cast<std::uint32_t>(c.host) + 7 * c.index;
}

/// Order stays that of the builder's calls.
template <class Entry> std::uint32_t find_or_add(std::vector<Entry>& table, entry_index& index, Entry const& entry) {
    auto const hash = hash_of(entry);
    auto const found = index.find(hash, [&](std::uint32_t number) { return same(table[number], entry); });
    if (found != entry_index::none) return found;
    auto const number = static_cast<std::uint32_t>(table.size());
    table.push_back(entry);
    index.add(hash, number);
    return number;
}

/// The same of tables of a few entries: a linear search beats a hash.
template <class Entry> std::uint32_t find_or_add(std::vector<Entry>& table, std::size_t first, Entry const& entry) {
    auto const begin = table.begin() + static_cast<std::ptrdiff_t>(first);
    auto const found = std::find_if(begin, table.end(), [&](Entry const& e) { return same(e, entry); });
    auto const index = static_cast<std::uint32_t>(found - table.begin());
    if (found == table.end()) table.push_back(entry);
    return index;
}

plan empty_plan(std::string name, int rank, int ranks) {
    plan p;
    p.name = std::move(name);
    p.rank = rank;
    p.ranks = ranks;
    p.counters.emplace_back(); // entry 0 means "none"
    p.strides.emplace_back();  // entry 0 means "nothing"
    p.operands.emplace_back(); // entry 0 means "the target"
    return p;
}

} // namespace

plan_builder::plan_builder(std::string name, int rank, int ranks) : plan_(empty_plan(std::move(name), rank, ranks)) {
    constexpr std::size_t steps_of_most = 48;
    reserve(steps_of_most);
}

std::uint32_t plan_builder::add(buffer const& b) {
    return find_or_add(plan_.buffers, buffers_, b);
}
std::uint32_t plan_builder::add(counter const& c) {
    return find_or_add(plan_.counters, counters_, c);
}

std::uint32_t plan_builder::add(loop_strides const& s) {
    return find_or_add(plan_.strides, 0, s);
}

std::uint32_t plan_builder::add(operand const& o) {
    return find_or_add(plan_.operands, 1, o);
}
std::uint32_t plan_builder::add(user_operator const& o) {
    return user_combiners + find_or_add(plan_.operators, 0, o);
}

std::uint32_t plan_builder::add(copy_program p) {
    plan_.programs.push_back(std::move(p));
    return static_cast<std::uint32_t>(plan_.programs.size() - 1);
}

std::uint32_t plan_builder::add(block_copy b) {
    for (auto const known : blocks_)
        if (plan_.programs[known].bytes == b.bytes) return known;
    blocks_.push_back(add(compile_block(b.bytes)));
    return blocks_.back();
}

std::uint32_t plan_builder::add(plan_choice const& c) {
    auto const at = std::ranges::find(plan_.choices, c);
    if (at != plan_.choices.end()) return static_cast<std::uint32_t>(at - plan_.choices.begin()) + 1;
    plan_.choices.push_back(c);
    return static_cast<std::uint32_t>(plan_.choices.size());
}

std::uint32_t plan_builder::add_stream(int peer, std::uint32_t choice, std::uint8_t way) {
    auto const number = add_stream(peer);
    plan_.streams.back().choice = choice;
    plan_.streams.back().way = way;
    return number;
}

std::uint32_t plan_builder::add_stream(int peer, executor runs_on) {
    plan_.streams.push_back({.first = 0, .peer = peer, .runs_on = runs_on});
    return static_cast<std::uint32_t>(plan_.streams.size() - 1);
}

void plan_builder::reserve(std::size_t steps) {
    steps_.reserve(steps);
    stream_of_.reserve(steps);
}

descriptor& plan_builder::emit(std::uint32_t stream, operation op) {
    if (stream >= plan_.streams.size())
        throw error{error_kind::internal, "there is no stream " + std::to_string(stream) + " in plan " + plan_.name,
                    "the number of streams is " + std::to_string(plan_.streams.size()), "call add_stream first"};
    if (op == operation::end)
        throw error{error_kind::internal, "an end was emitted into plan " + plan_.name, "finish() closes the streams",
                    "omit the end"};
    stream_of_.push_back(stream);
    auto& d = steps_.emplace_back();
    d.op = op;
    return d;
}

descriptor& plan_builder::copy(std::uint32_t stream, operation op, std::uint32_t dst, std::uint32_t src, copy_program p, int peer) {
    return emit_copy(stream, op, dst, src, add(std::move(p)), peer);
}
descriptor& plan_builder::copy(std::uint32_t stream, operation op, std::uint32_t dst, std::uint32_t src, block_copy b, int peer) {
    return emit_copy(stream, op, dst, src, add(b), peer);
}
descriptor& plan_builder::emit_copy(std::uint32_t stream, operation op, std::uint32_t dst, std::uint32_t src, std::uint32_t program,
                                    int peer) {
    auto& d = emit(stream, op);
    d.dst = dst;
    d.src = src;
    d.program = program;
    d.peer = peer;
    return d;
}

plan plan_builder::finish() {
    std::vector<std::uint32_t> next(plan_.streams.size()); // of a stream: its steps, and then where the next one goes
    for (auto const s : stream_of_) ++next[s];
    std::uint32_t first = 0;
    for (std::size_t s = 0; s < next.size(); ++s) {
        plan_.streams[s].first = first;
        first += std::exchange(next[s], first) + 1;
    }
    plan_.descriptors.resize(first); // what nobody fills is the end of a stream
    for (std::size_t i = 0; i < steps_.size(); ++i) plan_.descriptors[next[stream_of_[i]]++] = steps_[i];
    steps_.clear();
    stream_of_.clear();
    buffers_ = {};
    counters_ = {};
    blocks_.clear();
    auto fresh = empty_plan(plan_.name, plan_.rank, plan_.ranks);
    return std::exchange(plan_, std::move(fresh));
}

} // namespace sode::internal
