// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/access.hpp"
#include "plan/proof/machine.hpp"
#include "plan/proof/origin.hpp"

namespace sode::internal::proof {

/// Watches one run of the machine: moves origins instead of data, plays the users, and holds what has arrived against the
/// deliveries.
class witness : public observer {
public:
    witness(job const& all, flips halves, int epochs, machine const& running, report& findings);

    void starts(std::size_t rank, int epoch) override;
    void runs(step const& s) override;
    void moves(step const& send, step const& receive) override;
    void ends(std::size_t rank, int epoch) override;
    [[nodiscard]] bool enough() const override { return report_.full(); }

private:
    void pass(step const& s);
    void transfer(step const& s);
    void call(step const& s);
    void put(step const& s);
    void lend(step const& s);
    [[nodiscard]] memory::place at(step const& s, std::uint32_t buffer, std::int64_t offset) const;
    struct where {
        step const& at;
        memory::place place;
    };
    void copy_cells(where source, where target, std::int64_t bytes, bool negates = false);
    void read_cells(where source, where target, std::int64_t bytes);
    void write_cells(where source, where target, std::int64_t bytes, bool negates);
    void combine_cells(step const& s, memory::place first, memory::place second, memory::place to, std::int64_t bytes);
    void arrive(where target, cell& there, content const& what, bool overwrites);
    void find(finding::type kind, where const& at, std::string_view why);
    void give(step const& s, std::uint32_t actor);
    void write_owned(std::size_t rank, int epoch);
    void write_early(std::size_t rank, int epoch);
    void read_readable(std::size_t rank, int epoch);
    void expect(std::size_t rank, int epoch);
    void compare(std::size_t rank, array_model const& a, int epoch);
    void must_be_back(std::size_t rank, array_model const& a, int epoch, std::uint32_t here, std::int64_t offset, cell const& c);
    [[nodiscard]] std::uint32_t instance(buffer const& b, step const& s) const noexcept;
    [[nodiscard]] std::uint32_t region(std::size_t rank, array_model const& a, int epoch) const;
    [[nodiscard]] std::optional<origin> origin_in(std::uint64_t value) const;
    [[nodiscard]] std::string name_of_content(content const& c) const;

    job const& job_;
    flips halves_;
    int epochs_;
    machine const& machine_;
    report& report_;
    memory memory_;
    order order_;
    access_log accesses_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<clock>> begun_; // messages, by rank and descriptor
    struct message_end {
        std::uint32_t carrier, time, index;
    };
    std::map<std::size_t, std::vector<message_end>> moved_; // by rank, in its epoch
};

} // namespace sode::internal::proof
