/* Declarations as MPICH writes them, of a library that is none. */
/*
=== BEGIN_MPI_T_CVAR_INFO_BLOCK ===

categories:
    - name        : LAB
      description : messages of the "lab"
    - name        : TOOLS
      description : of nobody else

cvars:
    - name        : MPIR_CVAR_LAB_EAGER_LIMIT
      category    : LAB
      alt-env     : MPIR_CVAR_LAB_OLD_LIMIT
      type        : int
      default     : 65536
      class       : none
      verbosity   : MPI_T_VERBOSITY_TUNER_BASIC
      scope       : MPI_T_SCOPE_LOCAL
      description : >-
        Largest message that is sent at once,
        in bytes
    - name        : MPIR_CVAR_LAB_CHECKS
      category    : LAB
      type        : boolean
      default     : true
      class       : device
      verbosity   : MPI_T_VERBOSITY_USER_BASIC
      scope       : MPI_T_SCOPE_READONLY
      description : Whether arguments are checked
    - name        : MPIR_CVAR_LAB_FACTOR
      category    : LAB
      type        : double
      default     : 0.5
      class       : none
      verbosity   : MPI_T_VERBOSITY_MPIDEV_ALL
      scope       : MPI_T_SCOPE_ALL_EQ
      description : A part of the whole
    - name        : MPIR_CVAR_LAB_NETWORK
      category    : TOOLS
      type        : string
      default     : NULL
      class       : none
      verbosity   : MPI_T_VERBOSITY_USER_BASIC
      scope       : MPI_T_SCOPE_LOCAL
      description : Which network; none by default
    - name        : MPIR_CVAR_LAB_HOST
      category    : TOOLS
      type        : string
      default     : here
      class       : none
      verbosity   : MPI_T_VERBOSITY_USER_BASIC
      scope       : MPI_T_SCOPE_LOCAL
      description : Which host
    - name        : MPIR_CVAR_LAB_RULES
      category    : TOOLS
      type        : string
      default     : ""
      class       : none
      verbosity   : MPI_T_VERBOSITY_USER_BASIC
      scope       : MPI_T_SCOPE_LOCAL
      description : An empty text, which is not NULL
    - name        : MPIR_CVAR_LAB_PORTS
      category    : TOOLS
      type        : range
      default     : "1024:2048"
      class       : none
      verbosity   : MPI_T_VERBOSITY_USER_BASIC
      scope       : MPI_T_SCOPE_LOCAL
      description : First and last port
    - name        : MPIR_CVAR_LAB_ALGORITHM
      category    : LAB
      type        : enum
      default     : auto
      class       : none
      verbosity   : MPI_T_VERBOSITY_USER_BASIC
      scope       : MPI_T_SCOPE_LOCAL
      description : |-
        How to reduce
        auto - the library decides
        ring - in a ring
        tree - in a tree

=== END_MPI_T_CVAR_INFO_BLOCK ===
*/

#define REGISTERED(name) MPIR_T_PVAR_COUNTER_REGISTER_STATIC(LAB, name)

int lab_init(void) {
    MPIR_T_PVAR_COUNTER_REGISTER_STATIC(LAB, MPI_UNSIGNED_LONG_LONG, lab_sent, MPI_T_VERBOSITY_USER_DETAIL,
                                        MPI_T_BIND_NO_OBJECT, (MPIR_T_PVAR_FLAG_READONLY | MPIR_T_PVAR_FLAG_CONTINUOUS),
                                        "LAB", /* category name */
                                        "Messages sent, "
                                        "in all");
    MPIR_T_PVAR_LEVEL_REGISTER_STATIC(LAB, MPI_UNSIGNED, lab_queued, 0, /* init value */
                                      MPI_T_VERBOSITY_USER_BASIC, MPI_T_BIND_NO_OBJECT, MPIR_T_PVAR_FLAG_CONTINUOUS,
                                      "LAB", "Messages (that wait)");
    MPIR_T_PVAR_TIMER_REGISTER_STATIC(LAB, MPI_DOUBLE, lab_waiting, MPI_T_VERBOSITY_USER_BASIC, MPI_T_BIND_NO_OBJECT,
                                      MPIR_T_PVAR_FLAG_READONLY, "LAB", "Time spent waiting");
    MPIR_T_PVAR_STATE_REGISTER_DYNAMIC(LAB, MPI_INT, lab_state, &state, 1, 0);
    return 0;
}
