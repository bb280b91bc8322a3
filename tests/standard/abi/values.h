/* The constants of the tool information interface with their values in the binary interface of MPI-5.0 (chapter 20),
 * for tests that hold a header against them: X is given a name, and the number that it must have as an int, or as an
 * address. */
#ifndef TESTS_STANDARD_ABI_VALUES_H
#define TESTS_STANDARD_ABI_VALUES_H

#define EVERY_NUMBER(X)                                                                                                \
    X(MPI_SUCCESS, 0)                                                                                                  \
    X(MPI_T_ERR_CANNOT_INIT, 1001)                                                                                     \
    X(MPI_T_ERR_NOT_ACCESSIBLE, 1002)                                                                                  \
    X(MPI_T_ERR_NOT_INITIALIZED, 1003)                                                                                 \
    X(MPI_T_ERR_NOT_SUPPORTED, 1004)                                                                                   \
    X(MPI_T_ERR_MEMORY, 1005)                                                                                          \
    X(MPI_T_ERR_INVALID, 1006)                                                                                         \
    X(MPI_T_ERR_INVALID_INDEX, 1007)                                                                                   \
    X(MPI_T_ERR_INVALID_ITEM, 1008)                                                                                    \
    X(MPI_T_ERR_INVALID_SESSION, 1009)                                                                                 \
    X(MPI_T_ERR_INVALID_HANDLE, 1010)                                                                                  \
    X(MPI_T_ERR_INVALID_NAME, 1011)                                                                                    \
    X(MPI_T_ERR_OUT_OF_HANDLES, 1012)                                                                                  \
    X(MPI_T_ERR_OUT_OF_SESSIONS, 1013)                                                                                 \
    X(MPI_T_ERR_CVAR_SET_NOT_NOW, 1014)                                                                                \
    X(MPI_T_ERR_CVAR_SET_NEVER, 1015)                                                                                  \
    X(MPI_T_ERR_PVAR_NO_WRITE, 1016)                                                                                   \
    X(MPI_T_ERR_PVAR_NO_STARTSTOP, 1017)                                                                               \
    X(MPI_T_ERR_PVAR_NO_ATOMIC, 1018)                                                                                  \
    X(MPI_ERR_LASTCODE, 16383)                                                                                         \
    X(MPI_ERR_ARG, 13)                                                                                                 \
    X(MPI_ERR_INFO_KEY, 31)                                                                                            \
    X(MPI_ERR_INFO_NOKEY, 32)                                                                                          \
    X(MPI_ERR_INFO_VALUE, 33)                                                                                          \
    X(MPI_ERR_INFO, 34)                                                                                                \
    X(MPI_ERR_NO_MEM, 39)                                                                                              \
    X(MPI_MAX_INFO_KEY, 256)                                                                                           \
    X(MPI_MAX_INFO_VAL, 1024)                                                                                          \
    X(MPI_THREAD_SINGLE, 0)                                                                                            \
    X(MPI_THREAD_FUNNELED, 1024)                                                                                       \
    X(MPI_THREAD_SERIALIZED, 2048)                                                                                     \
    X(MPI_THREAD_MULTIPLE, 4096)                                                                                       \
    X(MPI_T_VERBOSITY_USER_BASIC, 0x09)                                                                                \
    X(MPI_T_VERBOSITY_USER_DETAIL, 0x0a)                                                                               \
    X(MPI_T_VERBOSITY_USER_ALL, 0x0c)                                                                                  \
    X(MPI_T_VERBOSITY_TUNER_BASIC, 0x11)                                                                               \
    X(MPI_T_VERBOSITY_TUNER_DETAIL, 0x12)                                                                              \
    X(MPI_T_VERBOSITY_TUNER_ALL, 0x14)                                                                                 \
    X(MPI_T_VERBOSITY_MPIDEV_BASIC, 0x21)                                                                              \
    X(MPI_T_VERBOSITY_MPIDEV_DETAIL, 0x22)                                                                             \
    X(MPI_T_VERBOSITY_MPIDEV_ALL, 0x24)                                                                                \
    X(MPI_T_BIND_NO_OBJECT, 1)                                                                                         \
    X(MPI_T_BIND_MPI_COMM, 2)                                                                                          \
    X(MPI_T_BIND_MPI_DATATYPE, 3)                                                                                      \
    X(MPI_T_BIND_MPI_ERRHANDLER, 4)                                                                                    \
    X(MPI_T_BIND_MPI_FILE, 5)                                                                                          \
    X(MPI_T_BIND_MPI_GROUP, 6)                                                                                         \
    X(MPI_T_BIND_MPI_OP, 7)                                                                                            \
    X(MPI_T_BIND_MPI_REQUEST, 8)                                                                                       \
    X(MPI_T_BIND_MPI_WIN, 9)                                                                                           \
    X(MPI_T_BIND_MPI_MESSAGE, 10)                                                                                      \
    X(MPI_T_BIND_MPI_INFO, 11)                                                                                         \
    X(MPI_T_BIND_MPI_SESSION, 12)                                                                                      \
    X(MPI_T_SCOPE_CONSTANT, 1)                                                                                         \
    X(MPI_T_SCOPE_READONLY, 2)                                                                                         \
    X(MPI_T_SCOPE_LOCAL, 3)                                                                                            \
    X(MPI_T_SCOPE_GROUP, 4)                                                                                            \
    X(MPI_T_SCOPE_GROUP_EQ, 5)                                                                                         \
    X(MPI_T_SCOPE_ALL, 6)                                                                                              \
    X(MPI_T_SCOPE_ALL_EQ, 7)                                                                                           \
    X(MPI_T_PVAR_CLASS_STATE, 1)                                                                                       \
    X(MPI_T_PVAR_CLASS_LEVEL, 2)                                                                                       \
    X(MPI_T_PVAR_CLASS_SIZE, 3)                                                                                        \
    X(MPI_T_PVAR_CLASS_PERCENTAGE, 4)                                                                                  \
    X(MPI_T_PVAR_CLASS_HIGHWATERMARK, 5)                                                                               \
    X(MPI_T_PVAR_CLASS_LOWWATERMARK, 6)                                                                                \
    X(MPI_T_PVAR_CLASS_COUNTER, 7)                                                                                     \
    X(MPI_T_PVAR_CLASS_AGGREGATE, 8)                                                                                   \
    X(MPI_T_PVAR_CLASS_TIMER, 9)                                                                                       \
    X(MPI_T_PVAR_CLASS_GENERIC, 10)                                                                                    \
    X(MPI_T_CB_REQUIRE_NONE, 0x00)                                                                                     \
    X(MPI_T_CB_REQUIRE_MPI_RESTRICTED, 0x03)                                                                           \
    X(MPI_T_CB_REQUIRE_THREAD_SAFE, 0x0F)                                                                              \
    X(MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, 0x3F)                                                                        \
    X(MPI_T_SOURCE_ORDERED, 1)                                                                                         \
    X(MPI_T_SOURCE_UNORDERED, 2)

#define EVERY_ADDRESS(X)                                                                                               \
    X(MPI_T_ENUM_NULL, 0)                                                                                              \
    X(MPI_T_CVAR_HANDLE_NULL, 0)                                                                                       \
    X(MPI_T_PVAR_SESSION_NULL, 0)                                                                                      \
    X(MPI_T_PVAR_HANDLE_NULL, 0)                                                                                       \
    X(MPI_T_PVAR_ALL_HANDLES, 1)                                                                                       \
    X(MPI_INFO_NULL, 0x130)                                                                                            \
    X(MPI_INFO_ENV, 0x131)                                                                                             \
    X(MPI_COUNT, 0x202)                                                                                                \
    X(MPI_INT, 0x209)                                                                                                  \
    X(MPI_UNSIGNED, 0x20d)                                                                                             \
    X(MPI_UNSIGNED_LONG, 0x20e)                                                                                        \
    X(MPI_UNSIGNED_LONG_LONG, 0x20f)                                                                                   \
    X(MPI_DOUBLE, 0x214)                                                                                               \
    X(MPI_CHAR, 0x243)                                                                                                 \
    X(MPI_INT32_T, 0x250)                                                                                              \
    X(MPI_UINT32_T, 0x251)                                                                                             \
    X(MPI_INT64_T, 0x258)                                                                                              \
    X(MPI_UINT64_T, 0x259)

/* An array of negative size where a number differs; addresses are not constant expressions in C. */
#define EXPECT_NUMBER(name, value) typedef char name##_has_its_value[(name) == (value) ? 1 : -1];
#define COUNT_WRONG_ADDRESS(name, value) wrong += (uintptr_t)(name) != (uintptr_t)(value);

#endif
