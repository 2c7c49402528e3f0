// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/fields.hpp"
#include "support/race.hpp"

#include <string>
#include <utility>
#include <vector>

namespace sode::internal::bench {

/// A halo exchange over a set of fields; what remains to be written is exchange().
class field_subject : public subject {
public:
    field_subject(std::string name, fields f) : name_(std::move(name)) { halves_.push_back(std::move(f)); }
    /// Double-buffered: the halves are used by turns, a rewrite() beginning the next turn.
    field_subject(std::string name, fields first, fields second) : field_subject(std::move(name), std::move(first)) {
        halves_.push_back(std::move(second));
    }

    [[nodiscard]] std::string const& name() const noexcept final { return name_; }
    void rewrite(std::uint64_t round, bool everything) override {
        half_ = (half_ + 1) % halves_.size();
        data().rewrite(round, everything);
    }
    void poison() final { data().poison(); }
    [[nodiscard]] long mismatches(std::uint64_t round) final { return data().mismatches(round); }

protected:
    [[nodiscard]] fields& data() noexcept { return halves_[half_]; }

private:
    std::string name_;
    std::vector<fields> halves_;
    std::size_t half_ = 0;
};

} // namespace sode::internal::bench
