@block@
int count() {
    int number = 0;
    return LCI_T_cvar_get_num(&number) == MPI_SUCCESS ? number : 0;
}
