/* SPDX-License-Identifier: BSD-3-Clause */
/* Two predecessors of the MPI tool information interface, as plain C: the draft of January 24th, 2011 (MPIT_, 40
 * functions) and the taxonomy proposal of April 21st, 2010 (MPIT_Taxon_, 5 functions). The header compiles as C99 and
 * as C++. The two documents assign no values to constants, so the values here are mpit's own. The values and the sizes
 * of the types stay the same within a major version. MPIT_ERR_INVALID is mpit's own error code for invalid arguments
 * for which the documents have no error code.
 *
 *   #include <mpit/compat.h>
 *   int n;  MPIT_Init();  MPIT_Perfvar_get_num(&n);
 *
 * Each function returns MPIT_SUCCESS, MPIT_END or an MPIT_ERR_ code. Indices begin at 0. Lengths of texts are in bytes
 * and include the null. Any thread may call each function. MPIT_Perfvar_start, stop, read, write, reset and readreset
 * are async-signal-safe, except a write of more than 32 elements of an unsigned type of 32 bits. No other function is
 * async-signal-safe.
 *
 * If there is an mpi.h, include it before this header, unless the mpi.h itself includes this header, as the draft
 * demands (1.1). Without an mpi.h, the handles of MPI objects are the handles of the MPI-5.0 ABI.
 *
 * A client that follows the document of 2010 literally has to change one call. The document declares the last parameter
 * of MPIT_Taxon_describe_set as `int desclen`, and says that the function sets the parameter. Here, the parameter is
 * `int*`. The call MPIT_Taxon_describe_set(name, desc, sizeof desc) does not compile as C++. A C compiler may only
 * warn, and the call then stores to the size as an address and crashes. The call becomes MPIT_Taxon_describe_set(name,
 * desc, &desclen). */
#ifndef MPIT_COMPAT_MPIT_H
#define MPIT_COMPAT_MPIT_H

#ifndef MPI_VERSION
#include <mpit/mpi_t.h>

/* Handles of MPI objects, as in the ABI of MPI-5.0. */
typedef struct MPI_ABI_Comm* MPI_Comm;
typedef struct MPI_ABI_Errhandler* MPI_Errhandler;
typedef struct MPI_ABI_File* MPI_File;
typedef struct MPI_ABI_Group* MPI_Group;
typedef struct MPI_ABI_Op* MPI_Op;
typedef struct MPI_ABI_Request* MPI_Request;
typedef struct MPI_ABI_Win* MPI_Win;
#endif

/* Return codes (table 1.6). */
enum {
    MPIT_SUCCESS = 0,
    MPIT_END = 1, /* a taxonomy query has no further item */
    MPIT_ERR_MEMORY = 101,
    MPIT_ERR_NOTINITIALIZED,
    MPIT_ERR_CANTINIT,
    MPIT_ERR_PREDEFINED,
    MPIT_ERR_INVALIDTYPE,
    MPIT_ERR_INVALIDITEM,
    MPIT_ERR_INVALIDINDEX,
    MPIT_ERR_INVALIDHANDLE,
    MPIT_ERR_OUTOFHANDLES,
    MPIT_ERR_OUTOFSESSIONS,
    MPIT_ERR_INVALIDSESSION,
    MPIT_ERR_SETNOTNOW,
    MPIT_ERR_SETNEVER,
    MPIT_ERR_INVALIDVAR,
    MPIT_ERR_NOSTARTSTOP,
    MPIT_ERR_NOWRITE,
    MPIT_ERR_PERFVAR_WRITE = MPIT_ERR_NOWRITE, /* the name in the text of 1.2.7 */
    MPIT_ERR_INVALIDCATEGORY,
    MPIT_ERR_INVALID
};

/* The audience of a variable, and the level of detail (table 1.1). */
enum {
    MPIT_VERBOSITY_USER_BASIC = 1,
    MPIT_VERBOSITY_USER_DETAILED,
    MPIT_VERBOSITY_USER_VERBOSE,
    MPIT_VERBOSITY_TUNER_BASIC,
    MPIT_VERBOSITY_TUNER_DETAILED,
    MPIT_VERBOSITY_TUNER_VERBOSE,
    MPIT_VERBOSITY_MPIDEV_BASIC,
    MPIT_VERBOSITY_MPIDEV_DETAILED,
    MPIT_VERBOSITY_MPIDEV_VERBOSE
};

/* The kind of MPI object that a variable is associated with (table 1.2). */
enum {
    MPIT_MPI_RESOURCE_TYPE_GLOBAL = 1,
    MPIT_MPI_RESOURCE_TYPE_COMMUNICATOR,
    MPIT_MPI_RESOURCE_TYPE_DATATYPE,
    MPIT_MPI_RESOURCE_TYPE_ERRORHANDLER,
    MPIT_MPI_RESOURCE_TYPE_FILE,
    MPIT_MPI_RESOURCE_TYPE_GROUP,
    MPIT_MPI_RESOURCE_TYPE_OPERATOR,
    MPIT_MPI_RESOURCE_TYPE_REQUEST,
    MPIT_MPI_RESOURCE_TYPE_WINDOW
};

/* A reference to an MPI object. The members are not for users. */
typedef struct {
    int mpit_type;
    void* mpit_handle;
} MPIT_MPI_Resource;
/* The resource of variables that are associated with no MPI object. */
#ifdef __cplusplus
#define MPIT_MPI_RESOURCE_GLOBAL (MPIT_MPI_Resource{MPIT_MPI_RESOURCE_TYPE_GLOBAL, nullptr})
#else
#define MPIT_MPI_RESOURCE_GLOBAL ((MPIT_MPI_Resource){MPIT_MPI_RESOURCE_TYPE_GLOBAL, 0})
#endif

/* The datatypes of table 1.3. A variable has the datatype INT, LONG_LONG, CHAR or DOUBLE, or an enumeration whose
 * values are 0 to N-1. */
typedef struct mpit_datatype_of_2011* MPIT_Datatype;
#define MPIT_LOGICAL ((MPIT_Datatype)1)
#define MPIT_BYTE ((MPIT_Datatype)2)
#define MPIT_SHORT ((MPIT_Datatype)3)
#define MPIT_INT ((MPIT_Datatype)4)
#define MPIT_LONG ((MPIT_Datatype)5)
#define MPIT_LONG_LONG ((MPIT_Datatype)6)
#define MPIT_CHAR ((MPIT_Datatype)7)
#define MPIT_FLOAT ((MPIT_Datatype)8)
#define MPIT_DOUBLE ((MPIT_Datatype)9)
/* The class of a datatype: predefined or an enumeration. */
enum { MPIT_TYPECLASS_PREDEFINED = 1, MPIT_TYPECLASS_ENUMERATION = 2 };

/* The scope of changes to a control variable (table 1.5). */
enum { MPIT_SCOPE_READONLY = 1, MPIT_SCOPE_LOCAL, MPIT_SCOPE_GLOBAL };

/* The classes of performance variables (1.2.7). */
enum {
    MPIT_PERFVAR_CLASS_STATE = 1,
    MPIT_PERFVAR_CLASS_RESOURCE_LEVEL,
    MPIT_PERFVAR_CLASS_RESOURCE_PERCENTAGE,
    MPIT_PERFVAR_CLASS_RESOURCE_HIGHWATERMARK,
    MPIT_PERFVAR_CLASS_RESOURCE_LOWWATERMARK,
    MPIT_PERFVAR_CLASS_EVENT_COUNTER,
    MPIT_PERFVAR_CLASS_EVENT_AGGREGATE,
    MPIT_PERFVAR_CLASS_EVENT_TIMER
};

/* Further attributes of a control variable, for MPIT_Controlvar_attr_get_scope. The members are not for users. */
typedef struct {
    int mpit_scope;
} MPIT_Controlvar_attributes;
/* Further attributes of a performance variable, for the MPIT_Perfvar_attr_ functions. The members are not for users. */
typedef struct {
    int mpit_readonly, mpit_continuous;
} MPIT_Perfvar_attributes;

/* Handles of variables and sessions, and constants of the handle types. */
typedef struct mpit_control_handle_of_2011* MPIT_Controlvar_handle;
typedef struct mpit_session_of_2011* MPIT_Perfvar_session;
typedef struct mpit_performance_handle_of_2011* MPIT_Perfvar_handle;
#define MPIT_CONTROLVAR_HANDLE_NULL ((MPIT_Controlvar_handle)0)
#define MPIT_PERFVAR_SESSION_NULL ((MPIT_Perfvar_session)0)
#define MPIT_PERFVAR_HANDLE_NULL ((MPIT_Perfvar_handle)0)
#define MPIT_PERFVAR_ALL_HANDLES ((MPIT_Perfvar_handle)1)

/* The sets of the taxonomy are the categories of the registry. Names and descriptions end in a null, which is not
 * counted in the length. A description that is longer than MPIT_MAX_SET_DESC-1 characters is cut. */
typedef long long MPIT_Taxonquery_iterator;
#define MPIT_TAXONQUERY_START ((MPIT_Taxonquery_iterator)0)
#define MPIT_TAXONQUERY_END ((MPIT_Taxonquery_iterator) - 1)
#define MPIT_ROOT_SETS "MPIT_ROOT_SETS"
#define MPIT_MAX_SET_NAME 288
#define MPIT_MAX_SET_DESC 4096
/* The kinds of variables in a set. */
enum { MPIT_TYPE_CONFIG = 1, MPIT_TYPE_PERFORMANCE = 2 };

#ifdef __cplusplus
extern "C" {
#endif

/* 1.2.4 Initialization and finalization: all other functions may be called between the first MPIT_Init and the last
 * MPIT_Finalize. */
int MPIT_Init(void);
int MPIT_Finalize(void);

/* 1.2.2 References to MPI objects: each function makes a reference from a handle. */
int MPIT_MPI_Resource_communicator(MPI_Comm communicator, MPIT_MPI_Resource* resource);
int MPIT_MPI_Resource_datatype(MPI_Datatype datatype, MPIT_MPI_Resource* resource);
int MPIT_MPI_Resource_errorhandler(MPI_Errhandler errorhandler, MPIT_MPI_Resource* resource);
int MPIT_MPI_Resource_file(MPI_File file, MPIT_MPI_Resource* resource);
int MPIT_MPI_Resource_group(MPI_Group group, MPIT_MPI_Resource* resource);
int MPIT_MPI_Resource_operation(MPI_Op operation, MPIT_MPI_Resource* resource);
int MPIT_MPI_Resource_request(MPI_Request request, MPIT_MPI_Resource* resource);
int MPIT_MPI_Resource_window(MPI_Win window, MPIT_MPI_Resource* resource);

/* 1.2.5 Datatypes: the class and the size in bytes of a datatype, and the items of an enumeration. */
int MPIT_Type_get_class(MPIT_Datatype datatype, int* typeclass);
int MPIT_Type_get_size(MPIT_Datatype datatype, int* size);
int MPIT_Type_enum_get_info(MPIT_Datatype datatype, int* num, char* name, int* name_len);
int MPIT_Type_enum_get_item(MPIT_Datatype datatype, int item, char* name, int* name_len);

/* 1.2.6 Control variables: the number and the attributes of the variables, and handles to read and write values. */
int MPIT_Controlvar_get_num(int* num);
int MPIT_Controlvar_get_info(int index, char* name, int* name_len, int* verbosity, MPIT_Datatype* datatype, int* count,
                             char* desc, int* desc_len, int* assoc, MPIT_Controlvar_attributes* attributes);
int MPIT_Controlvar_attr_get_scope(MPIT_Controlvar_attributes* attributes, int* scope);
int MPIT_Controlvar_handle_allocate(int index, MPIT_MPI_Resource resource, MPIT_Controlvar_handle* handle);
int MPIT_Controlvar_handle_free(MPIT_Controlvar_handle* handle);
int MPIT_Controlvar_read(MPIT_Controlvar_handle handle, void* buf);
int MPIT_Controlvar_write(MPIT_Controlvar_handle handle, void* buf);

/* 1.2.7 Performance variables: attributes, sessions, and handles to start, stop, read, write and reset a variable. */
int MPIT_Perfvar_get_num(int* num);
int MPIT_Perfvar_get_info(int index, char* name, int* name_len, int* verbosity, int* varclass, MPIT_Datatype* datatype,
                          int* count, char* desc, int* desc_len, int* assoc, MPIT_Perfvar_attributes* attributes);
int MPIT_Perfvar_attr_get_readonly(MPIT_Perfvar_attributes* attributes, int* readonly);
int MPIT_Perfvar_attr_get_continuous(MPIT_Perfvar_attributes* attributes, int* continuous);
int MPIT_Perfvar_session_create(MPIT_Perfvar_session* session);
int MPIT_Perfvar_session_free(MPIT_Perfvar_session* session);
int MPIT_Perfvar_handle_allocate(MPIT_Perfvar_session session, int index, MPIT_MPI_Resource resource,
                                 MPIT_Perfvar_handle* handle);
int MPIT_Perfvar_handle_free(MPIT_Perfvar_session session, MPIT_Perfvar_handle* handle);
int MPIT_Perfvar_start(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle);
int MPIT_Perfvar_stop(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle);
int MPIT_Perfvar_read(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf);
int MPIT_Perfvar_write(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf);
int MPIT_Perfvar_reset(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle);
int MPIT_Perfvar_readreset(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf);

/* 1.2.8 Categories: attributes of categories and members of categories. */
int MPIT_Category_get_num(int* num);
int MPIT_Category_get_info(int index, char* name, int* name_len, char* desc, int* desc_len, int* num_controlvars,
                           int* num_perfvars, int* num_categories);
int MPIT_Category_get_controlvars(int cat_index, int len, int indices[]);
int MPIT_Category_get_perfvars(int cat_index, int len, int indices[]);
int MPIT_Category_get_categories(int cat_index, int len, int indices[]);

/* The queries of the taxonomy of 2010, which iterate over the sets in a set, over the sets that contain a variable, and
 * over the variables in a set. */
int MPIT_Taxon_query_set_sets(MPIT_Taxonquery_iterator* iterator, const char* setname, char* name, int* namelen,
                              int* type);
int MPIT_Taxon_query_variable_sets(MPIT_Taxonquery_iterator* iterator, const char* varname, char* name, int* namelen,
                                   int* type);
int MPIT_Taxon_query_set_variables(MPIT_Taxonquery_iterator* iterator, const char* setname, char* name, int* namelen,
                                   int* type);
int MPIT_Taxon_changed(int* flag);
int MPIT_Taxon_describe_set(const char* name, char* desc, int* desclen);

/* The same functions under the names of the profiling interface (1.2.10). */
int PMPIT_Init(void);
int PMPIT_Finalize(void);
int PMPIT_MPI_Resource_communicator(MPI_Comm communicator, MPIT_MPI_Resource* resource);
int PMPIT_MPI_Resource_datatype(MPI_Datatype datatype, MPIT_MPI_Resource* resource);
int PMPIT_MPI_Resource_errorhandler(MPI_Errhandler errorhandler, MPIT_MPI_Resource* resource);
int PMPIT_MPI_Resource_file(MPI_File file, MPIT_MPI_Resource* resource);
int PMPIT_MPI_Resource_group(MPI_Group group, MPIT_MPI_Resource* resource);
int PMPIT_MPI_Resource_operation(MPI_Op operation, MPIT_MPI_Resource* resource);
int PMPIT_MPI_Resource_request(MPI_Request request, MPIT_MPI_Resource* resource);
int PMPIT_MPI_Resource_window(MPI_Win window, MPIT_MPI_Resource* resource);
int PMPIT_Type_get_class(MPIT_Datatype datatype, int* typeclass);
int PMPIT_Type_get_size(MPIT_Datatype datatype, int* size);
int PMPIT_Type_enum_get_info(MPIT_Datatype datatype, int* num, char* name, int* name_len);
int PMPIT_Type_enum_get_item(MPIT_Datatype datatype, int item, char* name, int* name_len);
int PMPIT_Controlvar_get_num(int* num);
int PMPIT_Controlvar_get_info(int index, char* name, int* name_len, int* verbosity, MPIT_Datatype* datatype, int* count,
                              char* desc, int* desc_len, int* assoc, MPIT_Controlvar_attributes* attributes);
int PMPIT_Controlvar_attr_get_scope(MPIT_Controlvar_attributes* attributes, int* scope);
int PMPIT_Controlvar_handle_allocate(int index, MPIT_MPI_Resource resource, MPIT_Controlvar_handle* handle);
int PMPIT_Controlvar_handle_free(MPIT_Controlvar_handle* handle);
int PMPIT_Controlvar_read(MPIT_Controlvar_handle handle, void* buf);
int PMPIT_Controlvar_write(MPIT_Controlvar_handle handle, void* buf);
int PMPIT_Perfvar_get_num(int* num);
int PMPIT_Perfvar_get_info(int index, char* name, int* name_len, int* verbosity, int* varclass, MPIT_Datatype* datatype,
                           int* count, char* desc, int* desc_len, int* assoc, MPIT_Perfvar_attributes* attributes);
int PMPIT_Perfvar_attr_get_readonly(MPIT_Perfvar_attributes* attributes, int* readonly);
int PMPIT_Perfvar_attr_get_continuous(MPIT_Perfvar_attributes* attributes, int* continuous);
int PMPIT_Perfvar_session_create(MPIT_Perfvar_session* session);
int PMPIT_Perfvar_session_free(MPIT_Perfvar_session* session);
int PMPIT_Perfvar_handle_allocate(MPIT_Perfvar_session session, int index, MPIT_MPI_Resource resource,
                                  MPIT_Perfvar_handle* handle);
int PMPIT_Perfvar_handle_free(MPIT_Perfvar_session session, MPIT_Perfvar_handle* handle);
int PMPIT_Perfvar_start(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle);
int PMPIT_Perfvar_stop(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle);
int PMPIT_Perfvar_read(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf);
int PMPIT_Perfvar_write(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf);
int PMPIT_Perfvar_reset(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle);
int PMPIT_Perfvar_readreset(MPIT_Perfvar_session session, MPIT_Perfvar_handle handle, void* buf);
int PMPIT_Category_get_num(int* num);
int PMPIT_Category_get_info(int index, char* name, int* name_len, char* desc, int* desc_len, int* num_controlvars,
                            int* num_perfvars, int* num_categories);
int PMPIT_Category_get_controlvars(int cat_index, int len, int indices[]);
int PMPIT_Category_get_perfvars(int cat_index, int len, int indices[]);
int PMPIT_Category_get_categories(int cat_index, int len, int indices[]);
int PMPIT_Taxon_query_set_sets(MPIT_Taxonquery_iterator* iterator, const char* setname, char* name, int* namelen,
                               int* type);
int PMPIT_Taxon_query_variable_sets(MPIT_Taxonquery_iterator* iterator, const char* varname, char* name, int* namelen,
                                    int* type);
int PMPIT_Taxon_query_set_variables(MPIT_Taxonquery_iterator* iterator, const char* setname, char* name, int* namelen,
                                    int* type);
int PMPIT_Taxon_changed(int* flag);
int PMPIT_Taxon_describe_set(const char* name, char* desc, int* desclen);

#ifdef __cplusplus
}
#endif

#endif
