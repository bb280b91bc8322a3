/* The program of all checks: `suite CVAR_02` runs one check, and prints `result 0`, 1 or 77 as the last line.
 *
 *     suite --list     prints the names of the checks that the version of the MPI's header allows
 *     suite --about    prints the version of the MPI, the standard of the header, and the numbers of the error codes
 */
#include "checks.h"

static struct {
    const char* name;
    int (*check)(void);
} checks[1024];
static int check_count;

void add_check(const char* name, int (*check)(void)) {
    checks[check_count].name = name;
    checks[check_count++].check = check;
}

/* MPIT_INFO_CHECK_WITHOUT has lines such as "performance variable 17", of what has ended an earlier check. */
int is_left_out(const char* kind, int index) {
    const char* list = getenv("MPIT_INFO_CHECK_WITHOUT");
    char line[64];
    snprintf(line, sizeof line, "\n%s %d\n", kind, index);
    return list != NULL && strstr(list, line) != NULL;
}

static void print_about(void) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    printf("library %.*s\n", (int)strcspn(version, "\n"), version);
    printf("standard %d.%d\n", MPI_VERSION, MPI_SUBVERSION);
#define CODE(name) printf("code %d %s\n", name, #name)
    CODE(MPI_SUCCESS), CODE(MPI_T_ERR_MEMORY), CODE(MPI_T_ERR_NOT_INITIALIZED), CODE(MPI_T_ERR_CANNOT_INIT);
    CODE(MPI_T_ERR_INVALID_INDEX), CODE(MPI_T_ERR_INVALID_ITEM), CODE(MPI_T_ERR_INVALID_HANDLE);
    CODE(MPI_T_ERR_OUT_OF_HANDLES), CODE(MPI_T_ERR_OUT_OF_SESSIONS), CODE(MPI_T_ERR_INVALID_SESSION);
    CODE(MPI_T_ERR_CVAR_SET_NOT_NOW), CODE(MPI_T_ERR_CVAR_SET_NEVER), CODE(MPI_T_ERR_PVAR_NO_STARTSTOP);
    CODE(MPI_T_ERR_PVAR_NO_WRITE), CODE(MPI_T_ERR_PVAR_NO_ATOMIC), CODE(MPI_T_ERR_INVALID_NAME),
        CODE(MPI_T_ERR_INVALID);
#if HAS_CODES_OF_MPI_4
    CODE(MPI_T_ERR_NOT_SUPPORTED), CODE(MPI_T_ERR_NOT_ACCESSIBLE);
#endif
    CODE(MPI_ERR_ARG), CODE(MPI_ERR_INTERN), CODE(MPI_ERR_OTHER), CODE(MPI_ERR_UNKNOWN),
        CODE(MPI_ERR_UNSUPPORTED_OPERATION);
}

static int run(int (*check)(void)) {
    int is_initialized = 0, is_finalized = 0;
    const int result = check();
    printf("result %d\n", result);
    fflush(stdout);
    /* Launchers call a process wrong that ends without MPI_Finalize. */
    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    if (is_initialized && !is_finalized) MPI_Finalize();
    return 0;
}

int main(int argc, char** argv) {
    if (argc != 2) return fprintf(stderr, "usage: suite NAME, --list or --about\n"), 2;
    if (strcmp(argv[1], "--about") == 0) return print_about(), 0;
    for (int i = 0; i < check_count; i++) {
        if (strcmp(argv[1], "--list") == 0) puts(checks[i].name);
        else if (strcmp(argv[1], checks[i].name) == 0) return run(checks[i].check);
    }
    return strcmp(argv[1], "--list") != 0;
}
