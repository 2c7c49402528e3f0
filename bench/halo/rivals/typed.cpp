// SPDX-License-Identifier: Apache-2.0
#include "halo/rivals/typed.hpp"

#include <array>

namespace sode::internal::bench {
namespace {

datatype subarray(fields const& f, box const& b) {
    std::array<int, 3> all{}, part{}, from{};
    for (std::size_t d = 0; d < 3; ++d) {
        all[d] = static_cast<int>(f.where().allocated()[d]);
        part[d] = static_cast<int>(b.size[d]);
        from[d] = static_cast<int>(b.from[d]);
    }
    MPI_Datatype one = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(3, all.data(), part.data(), from.data(), MPI_ORDER_C, MPI_DOUBLE, &one);
    if (f.count() == 1) return datatype{one};

    std::vector<int> const lengths(static_cast<std::size_t>(f.count()), 1);
    std::vector<MPI_Aint> at;
    for (int field = 0; field < f.count(); ++field)
        at.push_back((f.base(field) - f.base(0)) * static_cast<MPI_Aint>(sizeof(double)));
    MPI_Datatype several = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(f.count(), lengths.data(), at.data(), one, &several);
    MPI_Type_free(&one);
    return datatype{several};
}

datatype together(std::vector<MPI_Datatype> const& parts) {
    std::vector<int> const lengths(parts.size(), 1);
    std::vector<MPI_Aint> const at(parts.size(), 0);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(parts.size()), lengths.data(), at.data(), parts.data(), &type);
    return datatype{type};
}

std::vector<MPI_Datatype> of_peer(std::vector<typed_edge> const& edges, int peer) {
    std::vector<MPI_Datatype> types;
    for (auto const& e : edges)
        if (e.peer == peer) types.push_back(e.type.get());
    return types;
}

} // namespace

typed_edges one_type_per_direction(fields const& f) {
    typed_edges result;
    auto const& b = f.where();
    int tag = 0;
    for (auto const& d : directions()) {
        if (auto const p = b.neighbour(d)) result.sends.push_back({subarray(f, b.edge(d)), *p, tag});
        auto const from = opposite(d);
        if (auto const p = b.neighbour(from)) result.receives.push_back({subarray(f, b.halo(from)), *p, tag});
        ++tag;
    }
    return result;
}

typed_edges one_type_per_peer(fields const& f) {
    auto const parts = one_type_per_direction(f);
    typed_edges result;
    for (int peer : f.where().peers()) {
        result.sends.push_back({together(of_peer(parts.sends, peer)), peer, 0});
        result.receives.push_back({together(of_peer(parts.receives, peer)), peer, 0});
    }
    return result;
}

} // namespace sode::internal::bench
