// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mappings.hpp"

#include <atomic>
#include <string>
#include <vector>

struct sode_xmp_array_state;

namespace sode::xmp {

/// What a program that was compiled with -fsode-check may do with an array: what each local element holds, and what was written
/// since others were told.
class watch {
public:
    /// Indices first[d] <= i < last[d] in each dimension.
    struct box {
        std::array<std::int64_t, most_dims> first{}, last{};
    };

    explicit watch(char const* at, sode_xmp_array const& array);
    watch(watch const&) = delete;
    watch& operator=(watch const&) = delete;
    ~watch();

    /// Where the element lies. Ends the program if `how` (sode_xmp_reads, ...) is a mistake.
    void* element(char const* at, int how, std::int64_t const* indices, bool expands);
    void row(char const* at, std::size_t d, std::int64_t index) const;

    /// An exchange brings halos (`begins`: it has only begun); `kind` says which. Unchanged are those that it leaves out.
    void fetched(char const* at, std::array<std::int64_t, 14> const& width, std::array<int, 7> const& periodic, bool orthogonal,
                 bool begins);
    /// An exchange that had only begun is over.
    void arrived();
    /// All of the array was written at once, by a gmove or a function on whole arrays; `what` says by which.
    void replaced(char const* at, char const* what);
    /// Somebody wrote elements inside `b`, in the loop at `at`.
    void written(char const* at, box const& b);
    /// What this rank wrote since it was asked last. False: nothing that others could hold.
    bool take_written(box& b);
    /// The loop is over: halos that were written in it are as good as fetched ones.
    void settle();

    /// Equal for the same array on all nodes.
    [[nodiscard]] std::int64_t key() const { return key_; }

    /// All that there are.
    static std::vector<watch*>& all();

private:
    // What an element that is not this rank's own holds.
    enum class cell : unsigned char { good, never, stale, left_out, outside, coming, just_written };
    struct halo; // one of them, as for_each_halo() comes to it

    template <class Act> void for_each_halo(Act const& act);
    [[nodiscard]] std::size_t place(std::array<std::int64_t, most_dims> const& i) const;
    [[nodiscard]] std::string named(std::int64_t const* indices) const;
    [[nodiscard]] std::string own_part() const;
    [[nodiscard]] bool outside(std::int64_t const* indices) const;
    void extend(std::int64_t const* indices);
    [[noreturn]] void not_here(char const* at, std::int64_t const* indices, std::size_t d, bool reads, bool expands = false) const;
    [[noreturn]] void no_value(char const* at, std::int64_t const* indices, cell state) const;
    [[noreturn]] void not_own(char const* at, std::int64_t const* indices) const;

    sode_xmp_array array_; // what it looks like; a function has a copy of its own
    sode_xmp_array_state* state_;
    std::size_t dims_;
    std::int64_t key_ = 0;
    bool none_ = false, halos_ = false; // this rank has nothing of it; it has halos
    std::array<sode_dimension, most_dims> shares_{};
    std::array<std::int64_t, most_dims> strides_{}, lower_{}, upper_{}, cells_{}; // with halos; strides of cells
    std::vector<cell> states_;                                                    // of all local elements; own ones are `good`
    std::array<bool, most_dims> wraps_{};
    std::string fetched_at_, written_at_;
    char const* replaced_by_ = nullptr;
    bool orthogonal_ = false;
    std::atomic<bool> wrote_{false}, halo_written_{false};
    std::array<std::atomic<std::int64_t>, most_dims> from_{}, to_{};
};

/// Whether arrays are watched, and the watch of one; null: none.
[[nodiscard]] bool watching();
[[nodiscard]] watch* watch_of(sode_xmp_array const& array);
/// A function on whole arrays (`at` says which) has this one's elements changed.
void all_written(char const* at, void* descriptor);
/// A task with `nocomm` begins (1) or ends (-1): not all executing nodes do what it does.
void alone(int change);

} // namespace sode::xmp
