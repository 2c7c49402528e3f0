// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/signature.hpp"

#include "interpose/datatypes/datatype_contents.hpp"
#include "interpose/transport/record.hpp"

namespace sode::internal::interpose {

namespace {

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
        datatype_contents const inside{type};
        if (inside.basic()) {
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

    void once(datatype_contents const& inside, MPI_Count size) {
        auto const n = [&](MPI_Count i) { return inside.integer(i); };
        switch (inside.combiner()) {
        case MPI_COMBINER_STRUCT:
            for (MPI_Count i = 0; i < n(0) && !over(); ++i) of(inside.type(i), n(i + 1));
            return;
        case MPI_COMBINER_CONTIGUOUS: of(inside.type(0), n(0)); return;
        case MPI_COMBINER_VECTOR:
        case MPI_COMBINER_HVECTOR:
        case MPI_COMBINER_INDEXED_BLOCK:
        case MPI_COMBINER_HINDEXED_BLOCK: of(inside.type(0), n(0) * n(1)); return;
        case MPI_COMBINER_INDEXED:
        case MPI_COMBINER_HINDEXED:
            for (MPI_Count i = 0; i < n(0) && !over(); ++i) of(inside.type(0), n(i + 1));
            return;
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_RESIZED: of(inside.type(0), 1); return;
        case MPI_COMBINER_SUBARRAY:
        case MPI_COMBINER_DARRAY: {
            MPI_Count element = 0;
            PMPI_Type_size_x(inside.type(0), &element);
            of(inside.type(0), size / element); // not 0, because there is something of the whole
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

} // namespace sode::internal::interpose
