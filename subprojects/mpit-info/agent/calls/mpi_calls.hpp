// The functions of the MPI that the counting layer calls itself, and the objects that it compares with: found by name,
// since the layer is linked with no MPI. None of these calls is counted.
//
//   the_calls.find_in(find);   the_calls.type_size(datatype, &size);
#pragma once

#include "../calls.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <memory>
#include <string>

namespace mpit_info {

struct calls_of_mpi {
    decltype(&MPI_Type_size) type_size = nullptr;
    decltype(&MPI_Comm_size) comm_size = nullptr;
    decltype(&MPI_Comm_rank) comm_rank = nullptr;
    decltype(&MPI_Comm_get_name) comm_get_name = nullptr;
    decltype(&MPI_Get_count) get_count = nullptr;
    // Null if the MPI lacks them: it has neither groups nor intercommunicators then.
    int (*comm_test_inter)(MPI_Comm, int*) = nullptr;
    int (*comm_group)(MPI_Comm, MPI_Group*) = nullptr;
    int (*group_translate_ranks)(MPI_Group, int, const int*, MPI_Group, int*) = nullptr;
    int (*group_free)(MPI_Group*) = nullptr;
    // `iprobe` is null unless all of these are there.
    int (*iprobe)(int, int, MPI_Comm, int*, MPI_Status*) = nullptr;
    int (*comm_split)(MPI_Comm, int, int, MPI_Comm*) = nullptr;
    int (*comm_free)(MPI_Comm*) = nullptr;
    int (*comm_get_errhandler)(MPI_Comm, MPI_Errhandler*) = nullptr;
    int (*comm_set_errhandler)(MPI_Comm, MPI_Errhandler) = nullptr;
    int (*comm_call_errhandler)(MPI_Comm, int) = nullptr;
    int (*errhandler_free)(MPI_Errhandler*) = nullptr;
    MPI_Comm world{}, no_communicator{};
    MPI_Errhandler errors_return{};
    MPI_Datatype byte{};

    // Returns false for an MPI that lacks one of them.
    bool find_in(any_function (*find)(const char*)) noexcept {
#ifdef OPEN_MPI
        world = reinterpret_cast<MPI_Comm>(find("ompi_mpi_comm_world"));
        no_communicator = reinterpret_cast<MPI_Comm>(find("ompi_mpi_comm_null"));
        byte = reinterpret_cast<MPI_Datatype>(find("ompi_mpi_byte"));
        errors_return = reinterpret_cast<MPI_Errhandler>(find("ompi_mpi_errors_return"));
        if (world == nullptr || byte == nullptr) return false;
#else
        world = MPI_COMM_WORLD;
        no_communicator = MPI_COMM_NULL;
        byte = MPI_BYTE;
        errors_return = MPI_ERRORS_RETURN;
#endif
        static_cast<void>(take(find, comm_test_inter, "PMPI_Comm_test_inter"));
        if (!take(find, group_translate_ranks, "PMPI_Group_translate_ranks") ||
            !take(find, group_free, "PMPI_Group_free") || !take(find, comm_group, "PMPI_Comm_group"))
            comm_group = nullptr;
        if (!take(find, comm_split, "PMPI_Comm_split") || !take(find, comm_free, "PMPI_Comm_free") ||
            !take(find, comm_get_errhandler, "PMPI_Comm_get_errhandler") ||
            !take(find, comm_set_errhandler, "PMPI_Comm_set_errhandler") ||
            !take(find, comm_call_errhandler, "PMPI_Comm_call_errhandler") ||
            !take(find, errhandler_free, "PMPI_Errhandler_free") || !take(find, iprobe, "PMPI_Iprobe"))
            iprobe = nullptr;
        return take(find, type_size, "PMPI_Type_size") && take(find, comm_size, "PMPI_Comm_size") &&
               take(find, comm_rank, "PMPI_Comm_rank") && take(find, comm_get_name, "PMPI_Comm_get_name") &&
               take(find, get_count, "PMPI_Get_count");
    }
    // The size of a message that was received. The members of the status are those of the binary interfaces of MPICH
    // and Open MPI; MPI_Get_count would cost 10 ns.
    std::uint64_t received_bytes(const MPI_Status& status) const noexcept {
#if defined(OPEN_MPI)
        return status._ucount;
#elif defined(MPICH)
        return static_cast<std::uint64_t>(static_cast<unsigned>(status.count_hi_and_cancelled) >> 1) << 32 |
               static_cast<unsigned>(status.count_lo);
#else
        int received = 0; // MPI_UNDEFINED if it is more than 2 GB
        return get_count(&status, byte, &received) == MPI_SUCCESS && received > 0 ? static_cast<std::uint64_t>(received)
                                                                                  : 0;
#endif
    }
    // The ranks in MPI_COMM_WORLD of all processes of a communicator; null without it.
    std::unique_ptr<int[]> world_ranks(MPI_Comm of, int size) const {
        MPI_Group theirs, all;
        auto own = std::make_unique<int[]>(static_cast<std::size_t>(size));
        auto found = std::make_unique<int[]>(static_cast<std::size_t>(size));
        for (int i = 0; i < size; i++) own[static_cast<std::size_t>(i)] = i;
        if (comm_group == nullptr || comm_group(of, &theirs) != MPI_SUCCESS) return nullptr;
        if (comm_group(world, &all) != MPI_SUCCESS) return group_free(&theirs), nullptr;
        const bool is_told = group_translate_ranks(theirs, size, own.get(), all, found.get()) == MPI_SUCCESS;
        group_free(&theirs);
        group_free(&all);
        return is_told ? std::move(found) : nullptr;
    }

    // The rank in MPI_COMM_WORLD of the first process of a communicator; -1 without one.
    int first_in_world(MPI_Comm of) const noexcept {
        MPI_Group theirs, all;
        int first = 0, found = -1;
        if (comm_group == nullptr || comm_group(of, &theirs) != MPI_SUCCESS) return -1;
        if (comm_group(world, &all) != MPI_SUCCESS) return group_free(&theirs), -1;
        if (group_translate_ranks(theirs, 1, &first, all, &found) != MPI_SUCCESS) found = -1;
        group_free(&theirs);
        group_free(&all);
        return found;
    }

private:
    template <class Function>
    static bool take(any_function (*find)(const char*), Function& to, const char* name) noexcept {
        to = reinterpret_cast<Function>(find(name));
        if (to == nullptr) to = reinterpret_cast<Function>(find(name + 1));
        return to != nullptr;
    }
};

inline calls_of_mpi the_calls;

} // namespace mpit_info
