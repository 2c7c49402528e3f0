// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/packed_memory.hpp"

namespace sode::internal::interpose {

namespace {

/// That memory under an address that is not null: MPI_Pack and MPI_Unpack of MPICH 4.0 refuse MPI_BOTTOM, which is null there.
class addressed {
public:
    explicit addressed(passed_memory const& m) : memory_(m.memory), count_(static_cast<int>(m.count)), type_(m.type) {
        if (memory_ != nullptr || count_ == 0) return;
        memory_ = this;
        MPI_Aint back = 0;
        PMPI_Get_address(this, &back);
        back = -back; // addresses wrap around
        PMPI_Type_create_hindexed(1, &count_, &back, m.type, &own_);
        PMPI_Type_commit(&own_);
        type_ = own_;
        count_ = 1;
    }
    ~addressed() {
        if (own_ != MPI_DATATYPE_NULL) PMPI_Type_free(&own_);
    }
    addressed(addressed const&) = delete;
    addressed& operator=(addressed const&) = delete;
    addressed(addressed&&) = delete;
    addressed& operator=(addressed&&) = delete;

    [[nodiscard]] void* memory() const noexcept { return memory_; }
    [[nodiscard]] int count() const noexcept { return count_; }
    [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }

private:
    void* memory_;
    int count_;
    MPI_Datatype type_;
    MPI_Datatype own_ = MPI_DATATYPE_NULL;
};

} // namespace

int pack(passed_memory const& from, std::byte* to, std::int64_t bytes, MPI_Comm communicator) {
    addressed const m{from};
    int at = 0;
    return PMPI_Pack(m.memory(), m.count(), m.type(), to, static_cast<int>(bytes), &at, communicator);
}

int unpack(std::byte const* from, std::int64_t bytes, passed_memory const& to, MPI_Comm communicator) {
    addressed const m{to};
    int at = 0;
    return PMPI_Unpack(from, static_cast<int>(bytes), &at, m.memory(), m.count(), m.type(), communicator);
}

} // namespace sode::internal::interpose
