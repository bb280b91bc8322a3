// SPDX-License-Identifier: BSD-3-Clause
// The variables of all processes of a communicator: whether they agree, one value for a control variable in all
// processes or in none, and what performance variables have measured in all of them. It uses the tool interface of the
// MPI in use. Every function is collective: all processes call it with the same arguments.
// One thread of each process calls it, outside of signal handlers: the functions wait for the other processes and allocate.
//
//   #define MPIT_MPI_HEADER <mpi.h>
//   #include <mpit/collective.hpp>
//   mpit::across all{MPI_COMM_WORLD};   all.write("EAGER_LIMIT", 4096);
//   mpit::across::measurement sent = all.measure({{"messages_sent", MPI_T_PVAR_CLASS_COUNTER}});   sent.now()[0][0].sum
#pragma once

// A global of the program may have the name of a parameter in these headers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <mpit/collective/agreement.hpp>
#include <mpit/collective/summary.hpp>

#include <cstring>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// The processes of a communicator. Names, classes and constants are those of MPI-5.0, 15.3; the caller initializes the tool
// interface. Errors of the communicator itself go to its error handler.
class across {
public:
    MPIT_MODULE_LOCAL explicit across(MPI_Comm comm) noexcept : comm_{comm} {}

    // Whether all have variables, events and categories of the same names, descriptions and datatypes: one small reduction.
    MPIT_MODULE_LOCAL bool do_agree() const { return mpit::do_agree(comm_); }
    // A sentence for each difference, the same in every process; none if all agree.
    MPIT_MODULE_LOCAL std::vector<std::string> differences() const { return mpit::differences(comm_); }

    // `value` has the type and the number of elements of the variable. MPI_SUCCESS where every process has written it; else the
    // answer of one that has not, such as MPI_T_ERR_INVALID_NAME, MPI_T_ERR_CVAR_SET_NOT_NOW or MPI_T_ERR_CVAR_SET_NEVER,
    // and every process has the value that it had before. MPI_T_ERR_INVALID if a variable that must be equal everywhere
    // gets different values.
    MPIT_MODULE_LOCAL int write(const char* name, const void* value) const {
        control_handle variable{name};
        if (variable.answer == MPI_SUCCESS &&
            (variable.scope == MPI_T_SCOPE_CONSTANT || variable.scope == MPI_T_SCOPE_READONLY))
            variable.answer = MPI_T_ERR_CVAR_SET_NEVER;
        std::vector<char> previous(variable.bytes);
        if (variable.answer == MPI_SUCCESS) variable.answer = MPI_T_cvar_read(variable.handle, previous.data());
        const bool must_be_equal = variable.scope == MPI_T_SCOPE_GROUP_EQ || variable.scope == MPI_T_SCOPE_ALL_EQ;
        const std::uint64_t print =
            must_be_equal ? core::hash({static_cast<const char*>(value), static_cast<std::uint32_t>(variable.bytes)}, 0)
                          : 0;
        int answer = worst(variable.answer, print);
        if (answer != MPI_SUCCESS) return answer;
        const int written = MPI_T_cvar_write(variable.handle, value);
        answer = worst(written, 0);
        if (answer != MPI_SUCCESS && written == MPI_SUCCESS) MPI_T_cvar_write(variable.handle, previous.data());
        return answer;
    }
    MPIT_MODULE_LOCAL int write(const char* name, int value) const {
        return write(name, static_cast<const void*>(&value));
    }

    // A performance variable by `name` and `variable_class` (MPI_T_PVAR_CLASS_COUNTER), and in `object_handle` the address
    // of its object's handle, or null.
    struct chosen {
        const char* name;
        int variable_class;
        void* object_handle = nullptr;
    };
    // Performance variables that are measured in a session of its own, from now on.
    class measurement {
    public:
        MPIT_MODULE_LOCAL measurement(MPI_Comm comm, const std::vector<chosen>& variables) : comm_{comm} {
            MPI_T_pvar_session_create(&session_);
            for (const chosen& each : variables) handles_.push_back(open(each));
            for (const handle& each : handles_) counts_.push_back(each.count);
            MPI_Allreduce(MPI_IN_PLACE, counts_.data(), static_cast<int>(counts_.size()), MPI_INT, MPI_MAX, comm_);
            MPI_Comm_rank(comm_, &rank_);
        }
        measurement(const measurement&) = delete;
        measurement& operator=(const measurement&) = delete;
        MPIT_MODULE_LOCAL ~measurement() {
            if (session_ != MPI_T_PVAR_SESSION_NULL) MPI_T_pvar_session_free(&session_);
        }
        // One summary for each element of each chosen variable, in their order, for all processes. A variable that no process
        // has is empty, as is one whose datatype is not a number.
        MPIT_MODULE_LOCAL std::vector<std::vector<summary>> now() const {
            std::vector<summary> cells;
            for (std::size_t i = 0; i < handles_.size(); i++) {
                const std::vector<long double> numbers = read(handles_[i]);
                for (std::size_t e = 0; e < static_cast<std::size_t>(counts_[i]); e++)
                    cells.push_back(e < numbers.size() ? summary{numbers[e], numbers[e], numbers[e], rank_, rank_, 1}
                                                       : summary{});
            }
            reduce(comm_, cells);
            std::vector<std::vector<summary>> all;
            auto next = cells.begin();
            for (const int count : counts_) {
                all.emplace_back(next, next + count);
                next += count;
            }
            return all;
        }

    private:
        struct handle {
            MPI_T_pvar_handle word = MPI_T_PVAR_HANDLE_NULL;
            int count = 0;
            MPI_Datatype type = MPI_DATATYPE_NULL;
        };

        MPIT_MODULE_LOCAL handle open(const chosen& wanted) {
            handle made;
            int registry = -1, verbosity = 0, variable_class = 0, bind = 0, readonly = 0, continuous = 0, atomic = 0;
            MPI_T_enum enumeration = MPI_T_ENUM_NULL;
            if (MPI_T_pvar_get_index(wanted.name, wanted.variable_class, &registry) != MPI_SUCCESS ||
                MPI_T_pvar_get_info(registry, nullptr, nullptr, &verbosity, &variable_class, &made.type, &enumeration,
                                    nullptr, nullptr, &bind, &readonly, &continuous, &atomic) != MPI_SUCCESS ||
                MPI_T_pvar_handle_alloc(session_, registry, wanted.object_handle, &made.word, &made.count) != MPI_SUCCESS)
                return {};
            if (continuous == 0 && MPI_T_pvar_start(session_, made.word) != MPI_SUCCESS) return {};
            return made;
        }
        MPIT_MODULE_LOCAL std::vector<long double> read(const handle& variable) const {
            int size = 0;
            if (variable.word == MPI_T_PVAR_HANDLE_NULL || MPI_Type_size(variable.type, &size) != MPI_SUCCESS)
                return {};
            std::vector<char> value(static_cast<std::size_t>(size * variable.count) + sizeof(long double));
            if (MPI_T_pvar_read(session_, variable.word, value.data()) != MPI_SUCCESS) return {};
            return detail::numbers_of(value.data(), variable.count, variable.type);
        }

        MPI_Comm comm_;
        int rank_ = -1;
        MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;
        std::vector<handle> handles_;
        std::vector<int> counts_;
    };
    // Starts to measure. It ends with what is returned, which must not outlive the tool interface.
    MPIT_MODULE_LOCAL measurement measure(const std::vector<chosen>& variables) const { return {comm_, variables}; }

private:
    struct control_handle {
        int answer = MPI_SUCCESS, scope = MPI_T_SCOPE_CONSTANT;
        std::size_t bytes = 0;
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;

        MPIT_MODULE_LOCAL explicit control_handle(const char* name) {
            int registry = -1, verbosity = 0, bind = 0, count = 0, size = 0;
            MPI_Datatype type = MPI_DATATYPE_NULL;
            MPI_T_enum enumeration = MPI_T_ENUM_NULL;
            answer = MPI_T_cvar_get_index(name, &registry);
            if (answer == MPI_SUCCESS)
                answer = MPI_T_cvar_get_info(registry, nullptr, nullptr, &verbosity, &type, &enumeration, nullptr, nullptr,
                                             &bind, &scope);
            if (answer == MPI_SUCCESS) answer = MPI_T_cvar_handle_alloc(registry, nullptr, &handle, &count);
            if (answer == MPI_SUCCESS) answer = MPI_Type_size(type, &size);
            bytes = static_cast<std::size_t>(size) * static_cast<std::size_t>(count);
        }
        control_handle(const control_handle&) = delete;
        MPIT_MODULE_LOCAL ~control_handle() {
            if (handle != MPI_T_CVAR_HANDLE_NULL) MPI_T_cvar_handle_free(&handle);
        }
    };

    // The greatest answer of all, and MPI_T_ERR_INVALID if the fingerprints are not equal. MPI_SUCCESS is the least.
    MPIT_MODULE_LOCAL int worst(int answer, std::uint64_t print) const {
        std::uint64_t all[3] = {static_cast<std::uint64_t>(answer), print, ~print};
        MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_UINT64_T, MPI_MAX, comm_);
        if (all[0] == MPI_SUCCESS && all[1] != ~all[2]) return MPI_T_ERR_INVALID;
        return static_cast<int>(all[0]);
    }

    MPI_Comm comm_;
};

} // namespace mpit

#pragma GCC diagnostic pop

#pragma GCC diagnostic pop
