// SPDX-License-Identifier: Apache-2.0
// Distributed arrays in files: the elements of a range lie there in row-major order, and each node moves those that it owns.
#include "elements.hpp"
#include "files.hpp"
#include "watch.hpp"

#include <algorithm>
#include <sode/directives.h>

/// A dimension that was not set has length -1: all of it.
struct xmp_range {
    struct dimension {
        std::int64_t from = 0, length = -1, step = 1;
    };
    std::vector<dimension> dims;
};

namespace sode::xmp {
namespace {

constexpr std::size_t failed = static_cast<std::size_t>(-1);

/// The elements of a range that a node owns, in the order of its memory. A negative step turns that of the file round, so elements
/// go one by one then.
class owned_range {
public:
    owned_range(char const* at, xmp_desc_t array, xmp_range const* range) : of_(at, array) {
        auto const& s = of_.state();
        auto const dims = static_cast<std::size_t>(s.dims);
        if (range && range->dims.size() != dims)
            fail(at,
                 "a range of " + std::to_string(range->dims.size()) + " dimensions for array \"" + s.name + "\", which has " +
                     std::to_string(s.dims),
                 "allocate the range with as many dimensions as the array has");
        places_.resize(dims);
        for (std::size_t d = 0; d < dims; ++d) places_[d] = positions(at, d, range ? range->dims[d] : xmp_range::dimension{});
        of_.each_owned([&](std::int64_t number, char* memory) { add(number, memory); });
    }
    [[nodiscard]] std::int64_t bytes() const { return count_ * static_cast<std::int64_t>(of_.bytes()); }
    [[nodiscard]] std::vector<file_run> const& runs() const { return runs_; }
    [[nodiscard]] std::int64_t owned_bytes() const { return owned_bytes_; }
    void gather(char* packed) const {
        for (auto const& m : memory_) packed = std::copy_n(m.first, m.bytes, packed);
    }
    /// The first `bytes` of them: the file may be shorter.
    void scatter(char const* packed, std::int64_t bytes) const {
        for (auto const& m : memory_) {
            if (bytes <= 0) return;
            std::copy_n(packed, std::min(m.bytes, bytes), m.first);
            packed += m.bytes;
            bytes -= m.bytes;
        }
    }

private:
    // Which element of the range each index of a dimension is; -1: it is not in the range.
    std::vector<std::int64_t> positions(char const* at, std::size_t d, xmp_range::dimension const& r) {
        auto const& s = of_.state();
        auto const extent = s.extents[d], length = r.length < 0 ? extent : r.length;
        std::vector<std::int64_t> result(static_cast<std::size_t>(extent), -1);
        auto const last = r.from + (length - 1) * r.step;
        if (length > 0 && (std::min(r.from, last) < 0 || std::max(r.from, last) >= extent))
            fail(at,
                 "a range of array \"" + s.name + "\" reaches outside the array (indices " +
                     std::to_string(std::min(r.from, last)) + " to " + std::to_string(std::max(r.from, last)) + " of dimension " +
                     std::to_string(d + 1) + ", which has " + std::to_string(extent) + ")",
                 "use global indices, counted from 0");
        for (std::int64_t k = 0; k < length; ++k) result[static_cast<std::size_t>(r.from + k * r.step)] = k;
        lengths_.push_back(length);
        count_ *= length;
        return result;
    }
    void add(std::int64_t number, char* memory) {
        auto const& s = of_.state();
        std::int64_t position = 0, step = 1;
        for (auto d = places_.size(); d-- > 0; number /= s.extents[d]) {
            auto const k = places_[d][static_cast<std::size_t>(number % s.extents[d])];
            if (k < 0) return;
            position += k * step;
            step *= lengths_[d];
        }
        auto const bytes = static_cast<std::int64_t>(of_.bytes());
        owned_bytes_ += bytes;
        if (!memory_.empty() && memory_.back().first + memory_.back().bytes == memory)
            memory_.back().bytes += bytes;
        else
            memory_.push_back({memory, bytes});
        if (!runs_.empty() && runs_.back().offset + runs_.back().bytes == position * bytes)
            runs_.back().bytes += bytes;
        else
            runs_.push_back({position * bytes, bytes});
    }

    elements of_;
    std::vector<std::vector<std::int64_t>> places_;
    std::vector<std::int64_t> lengths_;
    std::int64_t count_ = 1;
    std::vector<file_run> runs_; // from where the range begins in the file
    struct piece {
        char* first;
        std::int64_t bytes;
    };
    std::vector<piece> memory_;
    std::int64_t owned_bytes_ = 0;
};

// At the position of the file, which moves behind the range.
template <class Move> std::size_t whole_range(char const* at, xmp_file& f, owned_range const& part, bool writes, Move const& move) {
    auto runs = part.runs();
    auto const begin = f.view.offset(position(f, writes));
    for (auto& r : runs) r.offset += begin;
    std::vector<char> packed(static_cast<std::size_t>(part.owned_bytes()));
    bool const well = on_all(at, *f.nodes, move(runs, packed));
    f.at += part.bytes();
    return well ? static_cast<std::size_t>(part.bytes()) : failed;
}

void require_no_runs(char const* at, xmp_file const& f) {
    if (!f.view.whole())
        fail(at, "file \"" + f.name + "\" has a view of an array",
             "call xmp_file_clear_view_all() first, or use xmp_fread_all() and xmp_fwrite_all()");
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

xmp_range_t* xmp_allocate_range(int n_dim) {
    if (n_dim < 1 || n_dim > static_cast<int>(most_dims))
        fail("xmp_allocate_range()", "a range has " + std::to_string(n_dim) + " dimensions", "pass 1 to 7 dimensions");
    return new xmp_range{std::vector<xmp_range::dimension>(static_cast<std::size_t>(n_dim))};
}

void xmp_set_range(xmp_range_t* range, int dim, int lb, int length, int step) {
    constexpr auto at = "xmp_set_range()";
    if (!range || dim < 1 || dim > static_cast<int>(range->dims.size()))
        fail(at, "dimension " + std::to_string(dim) + " of the range does not exist", "count dimensions from 1");
    if (length < 0 || step == 0)
        fail(at, "a range has length " + std::to_string(length) + " and step " + std::to_string(step),
             "pass a length of 0 or more, and a step other than 0");
    range->dims[static_cast<std::size_t>(dim) - 1] = {lb, length, step};
}

void xmp_free_range(xmp_range_t* range) {
    delete range;
}

size_t xmp_fread_darray_all(xmp_file_t* file, xmp_desc_t array, xmp_range_t* range) {
    constexpr auto at = "xmp_fread_darray_all()";
    auto& f = open_file(at, file);
    require_no_runs(at, f);
    owned_range const part{at, array, range};
    auto const size = whole_range(at, f, part, false, [&](std::vector<file_run> const& runs, std::vector<char>& packed) {
        auto const got = read_runs(f, runs, packed.data());
        part.scatter(packed.data(), got);
        return got == part.owned_bytes();
    });
    if (watching()) all_written(at, array);
    return size;
}

size_t xmp_fwrite_darray_all(xmp_file_t* file, xmp_desc_t array, xmp_range_t* range) {
    constexpr auto at = "xmp_fwrite_darray_all()";
    auto& f = open_file(at, file);
    require_no_runs(at, f);
    owned_range const part{at, array, range};
    return whole_range(at, f, part, true, [&](std::vector<file_run> const& runs, std::vector<char>& packed) {
        part.gather(packed.data());
        return write_runs(f, runs, packed.data()) == part.owned_bytes();
    });
}

int xmp_file_set_view_all(xmp_file_t* file, long long disp, xmp_desc_t array, xmp_range_t* range) {
    constexpr auto at = "xmp_file_set_view_all()";
    auto& f = open_file(at, file);
    if (disp < 0) return -1;
    f.view = file_view{disp, owned_range{at, array, range}.runs()};
    position(f, false) = 0;
    sode_xmp_barrier(at, f.nodes);
    return 0;
}

int xmp_file_clear_view_all(xmp_file_t* file, long long disp) {
    constexpr auto at = "xmp_file_clear_view_all()";
    auto& f = open_file(at, file);
    if (disp < 0) return -1;
    f.view = file_view{disp};
    position(f, false) = 0;
    set_shared_position(at, f, disp);
    sode_xmp_barrier(at, f.nodes);
    return 0;
}

} // extern "C"
