// SPDX-License-Identifier: Apache-2.0
#include "signature.hpp"

#include "record.hpp"

#include <vector>

namespace sode::interpose {

namespace {

/// What MPI_Type_get_contents hands out: its derived handles are references that must be let go.
class contents {
public:
    explicit contents(MPI_Datatype type) {
#if MPI_VERSION >= 4
        // A type that was made with big counts has all its counts among them, in the order of the others.
        MPI_Count integers = 0, addresses = 0, big = 0, types = 0;
        PMPI_Type_get_envelope_c(type, &integers, &addresses, &big, &types, &combiner_);
#else
        int integers = 0, addresses = 0, types = 0;
        PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner_);
#endif
        if (combiner_ == MPI_COMBINER_NAMED) return;
        std::vector<int> counts(static_cast<std::size_t>(integers));
        std::vector<MPI_Aint> places(static_cast<std::size_t>(addresses));
        types_.resize(static_cast<std::size_t>(types));
#if MPI_VERSION >= 4
        counts_.resize(static_cast<std::size_t>(big));
        PMPI_Type_get_contents_c(type, integers, addresses, big, types, counts.data(), places.data(), counts_.data(),
                                 types_.data());
#else
        PMPI_Type_get_contents(type, integers, addresses, types, counts.data(), places.data(), types_.data());
#endif
        if (counts_.empty()) counts_.assign(counts.begin(), counts.end());
    }
    ~contents() {
        for (MPI_Datatype& t : types_) {
            if (!predefined(combiner_of(t))) PMPI_Type_free(&t);
        }
    }
    contents(contents const&) = delete;
    contents& operator=(contents const&) = delete;
    contents(contents&&) = delete;
    contents& operator=(contents&&) = delete;

    static int combiner_of(MPI_Datatype type) {
        int combiner = MPI_COMBINER_NAMED;
#if MPI_VERSION >= 4
        MPI_Count integers = 0, addresses = 0, big = 0, types = 0;
        PMPI_Type_get_envelope_c(type, &integers, &addresses, &big, &types, &combiner);
#else
        int integers = 0, addresses = 0, types = 0;
        PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
        return combiner;
    }
    static bool predefined(int combiner) {
        return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
               combiner == MPI_COMBINER_F90_INTEGER;
    }
    [[nodiscard]] int combiner() const {
        return combiner_;
    }
    [[nodiscard]] std::vector<MPI_Count> const& counts() const {
        return counts_;
    }
    [[nodiscard]] std::vector<MPI_Datatype> const& types() const {
        return types_;
    }

private:
    int combiner_ = MPI_COMBINER_NAMED;
    std::vector<MPI_Count> counts_; ///< and whatever other integers made the type
    std::vector<MPI_Datatype> types_;
};

/// Walks the signature of a type until enough elements have gone by.
class walk {
public:
    [[nodiscard]] bool over() const { return failed_ || bytes_ >= static_cast<MPI_Count>(shortest_record); }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] MPI_Count bytes() const { return bytes_; }

    void of(MPI_Datatype type, MPI_Count repeated) {
        MPI_Count size = 0;
        PMPI_Type_size_x(type, &size);
        if (size == 0) return;
        contents const inside{type};
        if (contents::predefined(inside.combiner())) {
            elements(type, size, repeated);
            return;
        }
        // Every repetition adds at least a byte, so there are few.
        for (MPI_Count i = 0; i < repeated && !over(); ++i) once(inside, size);
    }

private:
    void elements(MPI_Datatype type, MPI_Count size, MPI_Count repeated) {
        constexpr MPI_Count longest = record_limit - shortest_record;
        if (type == MPI_PACKED || size > longest) failed_ = true;
        for (MPI_Count i = 0; i < repeated && !over(); ++i) bytes_ += size;
    }

    void once(contents const& inside, MPI_Count size) {
        auto const& n = inside.counts();
        switch (inside.combiner()) {
        case MPI_COMBINER_STRUCT:
            for (std::size_t i = 0; i < inside.types().size() && !over(); ++i) of(inside.types()[i], n[i + 1]);
            return;
        case MPI_COMBINER_CONTIGUOUS: of(inside.types()[0], n[0]); return;
        case MPI_COMBINER_VECTOR:
        case MPI_COMBINER_HVECTOR:
        case MPI_COMBINER_INDEXED_BLOCK:
        case MPI_COMBINER_HINDEXED_BLOCK: of(inside.types()[0], n[0] * n[1]); return;
        case MPI_COMBINER_INDEXED:
        case MPI_COMBINER_HINDEXED:
            for (MPI_Count i = 0; i < n[0] && !over(); ++i) of(inside.types()[0], n[static_cast<std::size_t>(i) + 1]);
            return;
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_RESIZED: of(inside.types()[0], 1); return;
        case MPI_COMBINER_SUBARRAY:
        case MPI_COMBINER_DARRAY: {
            MPI_Count element = 0;
            PMPI_Type_size_x(inside.types()[0], &element);
            of(inside.types()[0], size / element); // not 0, because there is something of the whole
            return;
        }
        default: failed_ = true;
        }
    }

    MPI_Count bytes_ = 0;
    bool failed_ = false;
};

} // namespace

std::optional<int> record_bytes(MPI_Datatype type, MPI_Count count) {
    walk w;
    w.of(type, count);
    if (w.failed() || w.bytes() < static_cast<MPI_Count>(shortest_record)) return std::nullopt;
    return static_cast<int>(w.bytes());
}

} // namespace sode::interpose
