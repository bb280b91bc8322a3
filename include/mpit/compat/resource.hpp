// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that make references to MPI objects (1.2.2 of the draft of 2011). A reference contains the kind
// and the handle of an MPI object.
//
//   MPIT_MPI_Resource world;   MPIT_MPI_Resource_communicator(MPI_COMM_WORLD, &world);
#pragma once

#include <mpit/compat/library.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL compat {

constexpr int resource_type_of(binding object_kind) {
    return static_cast<int>(object_kind) + MPIT_MPI_RESOURCE_TYPE_GLOBAL;
}

// Stores in `object` the address of the MPI object's handle, or null if the variable is bound to no MPI object. Returns
// false if the variable is bound to MPI objects of another kind than the MPI object in `resource`.
inline bool get_object(const registry::variable_record& record, const MPIT_MPI_Resource& resource,
                       const void*& object) noexcept {
    object = record.binding == binding::none ? nullptr : &resource.mpit_handle;
    return resource.mpit_type == resource_type_of(record.binding);
}

template <class Handle> int make_resource(Handle handle, binding object_kind, MPIT_MPI_Resource* resource) noexcept {
    static_assert(sizeof handle <= sizeof resource->mpit_handle);
    if (!is_initialized()) return MPIT_ERR_NOTINITIALIZED;
    if (resource == nullptr) return MPIT_ERR_INVALID;
    *resource = {resource_type_of(object_kind), nullptr};
    std::memcpy(&resource->mpit_handle, &handle, sizeof handle);
    return MPIT_SUCCESS;
}

} // namespace compat
} // namespace mpit

// MPIT_MPI_RESOURCE_COMMUNICATOR(communicator, resource)
MPIT_C_FUNCTION_NAMED(MPIT_MPI_Resource_communicator, PMPIT_MPI_Resource_communicator,
                      (MPI_Comm comm, MPIT_MPI_Resource* resource)) {
    return mpit::compat::make_resource(comm, mpit::binding::communicator, resource);
}

// MPIT_MPI_RESOURCE_DATATYPE(datatype, resource)
MPIT_C_FUNCTION_NAMED(MPIT_MPI_Resource_datatype, PMPIT_MPI_Resource_datatype,
                      (MPI_Datatype type, MPIT_MPI_Resource* resource)) {
    return mpit::compat::make_resource(type, mpit::binding::datatype, resource);
}

// MPIT_MPI_RESOURCE_ERRORHANDLER(errorhandler, resource)
MPIT_C_FUNCTION_NAMED(MPIT_MPI_Resource_errorhandler, PMPIT_MPI_Resource_errorhandler,
                      (MPI_Errhandler errhandler, MPIT_MPI_Resource* resource)) {
    return mpit::compat::make_resource(errhandler, mpit::binding::error_handler, resource);
}

// MPIT_MPI_RESOURCE_FILE(file, resource)
MPIT_C_FUNCTION_NAMED(MPIT_MPI_Resource_file, PMPIT_MPI_Resource_file, (MPI_File file, MPIT_MPI_Resource* resource)) {
    return mpit::compat::make_resource(file, mpit::binding::file, resource);
}

// MPIT_MPI_RESOURCE_GROUP(group, resource)
MPIT_C_FUNCTION_NAMED(MPIT_MPI_Resource_group, PMPIT_MPI_Resource_group,
                      (MPI_Group group, MPIT_MPI_Resource* resource)) {
    return mpit::compat::make_resource(group, mpit::binding::group, resource);
}

// MPIT_MPI_RESOURCE_OPERATION(operation, resource)
MPIT_C_FUNCTION_NAMED(MPIT_MPI_Resource_operation, PMPIT_MPI_Resource_operation,
                      (MPI_Op op, MPIT_MPI_Resource* resource)) {
    return mpit::compat::make_resource(op, mpit::binding::operation, resource);
}

// MPIT_MPI_RESOURCE_REQUEST(request, resource)
MPIT_C_FUNCTION_NAMED(MPIT_MPI_Resource_request, PMPIT_MPI_Resource_request,
                      (MPI_Request request, MPIT_MPI_Resource* resource)) {
    return mpit::compat::make_resource(request, mpit::binding::request, resource);
}

// MPIT_MPI_RESOURCE_WINDOW(window, resource)
MPIT_C_FUNCTION_NAMED(MPIT_MPI_Resource_window, PMPIT_MPI_Resource_window, (MPI_Win win, MPIT_MPI_Resource* resource)) {
    return mpit::compat::make_resource(win, mpit::binding::window, resource);
}
