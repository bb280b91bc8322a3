/*
 * Copyright (C) by nobody
 *     See LICENSE of the lab
 */

/*
=== BEGIN_MPI_T_CVAR_INFO_BLOCK ===

categories:
    - name        : LAB
      description : messages

cvars:
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

    - name        : MPIR_CVAR_LAB_LIMIT
      category    : NOWHERE
      alt-env     : MPIR_CVAR_LAB_OLD_LIMIT
      type        : int
      default     : 5
      class       : none
      verbosity   : MPI_T_VERBOSITY_USER_BASIC
      scope       : MPI_T_SCOPE_LOCAL
      description : >-
        A description that does not fit into one line of seventy-five characters,
        and so takes two
    - name        : MPIR_CVAR_LAB_LIMIT
      category    : NOWHERE
      alt-env     : MPIR_CVAR_LAB_OLD_LIMIT
      type        : int
      default     : 5
      class       : none
      verbosity   : MPI_T_VERBOSITY_USER_BASIC
      scope       : MPI_T_SCOPE_LOCAL
      description : The same again

=== END_MPI_T_CVAR_INFO_BLOCK ===
*/
