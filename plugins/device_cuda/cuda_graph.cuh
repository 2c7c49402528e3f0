// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/copy_graph.hpp"

#include "status.cuh"

namespace sode::internal::cuda {

/// A chain of memcpy nodes, each behind the one before it.
class cuda_graph final : public copy_graph {
public:
    explicit cuda_graph(std::span<copy_box const> copies) {
        cudaGraph_t graph = nullptr;
        must(cudaGraphCreate(&graph, 0), problem);
        auto status = cudaSuccess;
        cudaGraphNode_t before = nullptr;
        for (auto const& c : copies) {
            cudaMemcpy3DParms how{};
            how.srcPtr = pitched(const_cast<std::byte*>(c.source), c.from, c.row_bytes);
            how.dstPtr = pitched(c.target, c.to, c.row_bytes);
            how.extent = make_cudaExtent(c.row_bytes, c.rows, c.planes);
            how.kind = cudaMemcpyDefault;
            cudaGraphNode_t node = nullptr;
            status = cudaGraphAddMemcpyNode(&node, graph, before ? &before : nullptr, before ? 1 : 0, &how);
            if (status != cudaSuccess) break;
            before = node;
        }
        if (status == cudaSuccess) status = cudaGraphInstantiate(&ready_, graph, 0);
        cudaGraphDestroy(graph);
        must(status, problem);
    }
    ~cuda_graph() override {
        if (ready_) cudaGraphExecDestroy(ready_);
    }

    [[nodiscard]] cudaGraphExec_t ready() const noexcept { return ready_; }

private:
    static constexpr char const* problem = "a graph of copies cannot be created";
    static cudaPitchedPtr pitched(std::byte* first, copy_box::side const& s, std::size_t row_bytes) {
        return make_cudaPitchedPtr(first, s.pitch, row_bytes, s.rows_of_a_plane);
    }

    cudaGraphExec_t ready_ = nullptr;
};

} // namespace sode::internal::cuda
