// The table of the predefined datatypes. Their handles are small numbers (MPI-5.0, chapter 20), so one is found by
// indexing with its handle: every message needs the size of its type.
#include "datatype.hpp"

#include "communicator.hpp"

#include <array>
#include <cstdint>
#include <cwchar>

namespace mini {
namespace {

template <class Value> struct pair_with_int {
    Value value;
    int index;
};

// Of two constants for one type, the name is the one whose synonym the other is (MPI-5.0, 3.2.2).
// The table is made at its first use, because handles are addresses to a compiler, and addresses no constants.
std::span<datatype> table() {
    static datatype all[] = {
        {"MPI_AINT", MPI_AINT, sizeof(MPI_Aint)},
        {"MPI_COUNT", MPI_COUNT, sizeof(MPI_Count)},
        {"MPI_OFFSET", MPI_OFFSET, sizeof(MPI_Offset)},
        {"MPI_PACKED", MPI_PACKED, 1},

        {"MPI_SHORT", MPI_SHORT, sizeof(short)},
        {"MPI_INT", MPI_INT, sizeof(int)},
        {"MPI_LONG", MPI_LONG, sizeof(long)},
        {"MPI_LONG_LONG_INT", MPI_LONG_LONG_INT, sizeof(long long)},
        {"MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT, sizeof(unsigned short)},
        {"MPI_UNSIGNED", MPI_UNSIGNED, sizeof(unsigned)},
        {"MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG, sizeof(unsigned long)},
        {"MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG, sizeof(unsigned long long)},
        {"MPI_FLOAT", MPI_FLOAT, sizeof(float)},
        {"MPI_C_COMPLEX", MPI_C_COMPLEX, 2 * sizeof(float)},
        {"MPI_CXX_FLOAT_COMPLEX", MPI_CXX_FLOAT_COMPLEX, 2 * sizeof(float)},
        {"MPI_DOUBLE", MPI_DOUBLE, sizeof(double)},
        {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, 2 * sizeof(double)},
        {"MPI_CXX_DOUBLE_COMPLEX", MPI_CXX_DOUBLE_COMPLEX, 2 * sizeof(double)},
        {"MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, sizeof(long double)},
        {"MPI_C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX, 2 * sizeof(long double)},
        {"MPI_CXX_LONG_DOUBLE_COMPLEX", MPI_CXX_LONG_DOUBLE_COMPLEX, 2 * sizeof(long double)},
        {"MPI_C_BOOL", MPI_C_BOOL, sizeof(bool)},
        {"MPI_CXX_BOOL", MPI_CXX_BOOL, sizeof(bool)},
        {"MPI_WCHAR", MPI_WCHAR, sizeof(wchar_t)},

        {"MPI_INT8_T", MPI_INT8_T, 1},
        {"MPI_UINT8_T", MPI_UINT8_T, 1},
        {"MPI_CHAR", MPI_CHAR, 1},
        {"MPI_SIGNED_CHAR", MPI_SIGNED_CHAR, 1},
        {"MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR, 1},
        {"MPI_BYTE", MPI_BYTE, 1},
        {"MPI_INT16_T", MPI_INT16_T, 2},
        {"MPI_UINT16_T", MPI_UINT16_T, 2},
        {"MPI_INT32_T", MPI_INT32_T, 4},
        {"MPI_UINT32_T", MPI_UINT32_T, 4},
        {"MPI_INT64_T", MPI_INT64_T, 8},
        {"MPI_UINT64_T", MPI_UINT64_T, 8},

        {"MPI_FLOAT_INT", MPI_FLOAT_INT, sizeof(pair_with_int<float>)},
        {"MPI_DOUBLE_INT", MPI_DOUBLE_INT, sizeof(pair_with_int<double>)},
        {"MPI_LONG_INT", MPI_LONG_INT, sizeof(pair_with_int<long>)},
        {"MPI_2INT", MPI_2INT, sizeof(pair_with_int<int>)},
        {"MPI_SHORT_INT", MPI_SHORT_INT, sizeof(pair_with_int<short>)},
        {"MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT, sizeof(pair_with_int<long double>)},
        {"MPI_2REAL", MPI_2REAL, 8},
        {"MPI_2DOUBLE_PRECISION", MPI_2DOUBLE_PRECISION, 16},
        {"MPI_2INTEGER", MPI_2INTEGER, 8},

        {"MPI_LOGICAL", MPI_LOGICAL, 4},
        {"MPI_INTEGER", MPI_INTEGER, 4},
        {"MPI_REAL", MPI_REAL, 4},
        {"MPI_COMPLEX", MPI_COMPLEX, 8},
        {"MPI_DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, 8},
        {"MPI_DOUBLE_COMPLEX", MPI_DOUBLE_COMPLEX, 16},
        {"MPI_CHARACTER", MPI_CHARACTER, 1},
        {"MPI_LOGICAL1", MPI_LOGICAL1, 1},
        {"MPI_INTEGER1", MPI_INTEGER1, 1},
        {"MPI_LOGICAL2", MPI_LOGICAL2, 2},
        {"MPI_INTEGER2", MPI_INTEGER2, 2},
        {"MPI_REAL2", MPI_REAL2, 2},
        {"MPI_LOGICAL4", MPI_LOGICAL4, 4},
        {"MPI_INTEGER4", MPI_INTEGER4, 4},
        {"MPI_REAL4", MPI_REAL4, 4},
        {"MPI_COMPLEX4", MPI_COMPLEX4, 4},
        {"MPI_LOGICAL8", MPI_LOGICAL8, 8},
        {"MPI_INTEGER8", MPI_INTEGER8, 8},
        {"MPI_REAL8", MPI_REAL8, 8},
        {"MPI_COMPLEX8", MPI_COMPLEX8, 8},
        {"MPI_LOGICAL16", MPI_LOGICAL16, 16},
        {"MPI_INTEGER16", MPI_INTEGER16, 16},
        {"MPI_REAL16", MPI_REAL16, 16},
        {"MPI_COMPLEX16", MPI_COMPLEX16, 16},
        {"MPI_COMPLEX32", MPI_COMPLEX32, 32},
    };
    return all;
}

constexpr std::size_t handle_limit = 0x400;

std::uintptr_t number_of(MPI_Datatype handle) { return reinterpret_cast<std::uintptr_t>(handle); }

std::array<datatype*, handle_limit> datatypes_by_handle() {
    std::array<datatype*, handle_limit> found{};
    for (datatype& each : table()) found[number_of(each.handle)] = &each;
    return found;
}

} // namespace

std::span<const datatype> datatypes() { return table(); }

datatype* find(MPI_Datatype handle) noexcept {
    static const auto by_handle = datatypes_by_handle();
    return number_of(handle) < handle_limit ? by_handle[number_of(handle)] : nullptr;
}

object_name* object_names::find(MPI_Datatype handle, int& code) {
    datatype* const found = mini::find(handle);
    code = found != nullptr ? MPI_SUCCESS : MPI_ERR_TYPE;
    return found != nullptr ? &found->name : nullptr;
}
int object_names::call_errhandler(MPI_Datatype, int code) { return raise_on_self(code); }

} // namespace mini

using namespace mini;

int PMPI_Type_size(MPI_Datatype datatype, int* size) {
    if (const int wrong = first_error({check_datatype(datatype), check_output(size)})) return raise_on_self(wrong);
    *size = static_cast<int>(size_of(datatype));
    return MPI_SUCCESS;
}

// All handles are numbers of the ABI, and the same in Fortran.
MPI_Fint PMPI_Type_c2f(MPI_Datatype datatype) {
    return number_of(datatype) < handle_limit ? static_cast<MPI_Fint>(number_of(datatype)) : 0;
}
MPI_Datatype PMPI_Type_f2c(MPI_Fint datatype) {
    return reinterpret_cast<MPI_Datatype>(static_cast<std::uintptr_t>(datatype));
}

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Type_size")]] decltype(PMPI_Type_size) MPI_Type_size;
[[gnu::weak, gnu::alias("PMPI_Type_c2f")]] decltype(PMPI_Type_c2f) MPI_Type_c2f;
[[gnu::weak, gnu::alias("PMPI_Type_f2c")]] decltype(PMPI_Type_f2c) MPI_Type_f2c;
}
