/* The functions by which a program names its regions: those of the header mpit-info/regions.h, and MPI_Pcontrol, in
 * C and Fortran, in front of that of the MPI. They call the function that the caller would have called without
 * mpit-info (../finding.c). Like those of ../entries.c they have a version that dlsym() does not find.
 *
 *   MPI_Pcontrol(1, "solve");   …   MPI_Pcontrol(-1, "solve"); */
#include "../any_libc.h"

#include "../regions.h"
#include "in_front.h"
#include "regions_in_thread.h"

#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

__attribute__((visibility("default"))) void mpit_region_enter(const char* name);
__attribute__((visibility("default"))) void mpit_region_leave(const char* name);
void mpit_region_enter(const char* name) { enter_region(name, by_program); }
void mpit_region_leave(const char* name) { leave_region(name); }

/* A level from here on is the number of a region. The standard and mpiP have meanings for smaller ones. */
enum { least_number = 10 };

/* Whether an address is in a part of a loaded object that nobody writes, as literals are. */
struct place {
    uintptr_t address;
    int is_constant;
};
static int look_in(struct dl_phdr_info* object, size_t size, void* argument) {
    struct place* const wanted = argument;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr)* const segment = &object->dlpi_phdr[i];
        const uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (segment->p_flags & (PF_R | PF_W)) == PF_R &&
            wanted->address - begin < segment->p_filesz)
            wanted->is_constant = 1;
    }
    return wanted->is_constant;
}

/* Whether this is the name of a region: some letters and a null. */
static int is_name(const char* text, size_t room) {
    size_t length = 0;
    while (length < room && ((unsigned char)text[length] >= ' ' && text[length] != 0x7f)) length++;
    return length > 0 && length < room && text[length] == '\0';
}

/* The text at an address that may be none: MPI_Pcontrol(1) has one argument, and the place of the second one holds
 * anything. Null for no name. A literal is looked at once, other texts are copied by the kernel. */
static const char* name_at(const char* text, char* room, size_t size) {
    static _Atomic(const char*) literals[256];
    _Atomic(const char*)* const known = &literals[((uintptr_t)text * 0x9e3779b97f4a7c15u) >> 56];
    if (text == NULL) return NULL;
    if (*known == text) return text;
    const int kept = errno;
    struct iovec here = {room, size}, there = {(void*)(uintptr_t)text, size};
    ssize_t read = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    const size_t left = 4096 - (uintptr_t)text % 4096;
    if (read < 0 && left < size) {
        /* The next page is another one, and may not be there. */
        here.iov_len = there.iov_len = left;
        read = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    }
    errno = kept;
    if (read <= 0 || !is_name(room, (size_t)read)) return NULL;
    struct place place = {(uintptr_t)text, 0};
    dl_iterate_phdr(look_in, &place);
    if (place.is_constant) *known = text;
    return room;
}

/* The convention of IPM: 1 and -1 with a name begin and end a region. Without a name the level is its number. */
static void control(int level, const char* second, size_t least_letters) {
    char room[longest_region_name + 64];
    if (level == 1 || level == -1) {
        const char* const name = name_at(second, room, sizeof room);
        if (name == NULL || strnlen(name, least_letters) < least_letters) return;
        if (level == 1) enter_region(name, by_program);
        else leave_region(name);
    } else if (level >= least_number || -least_number >= level) {
        snprintf(room, sizeof room, "region %u", level < 0 ? 0u - (unsigned)level : (unsigned)level);
        if (level > 0) enter_region(room, by_program);
        else leave_region(room);
    }
}

/* How many functions for Fortran this thread is in: they call that for C, with one argument. */
static __thread int in_fortran IN_FIRST_BLOCK;

typedef uintptr_t word;
/* Arguments are passed on in the same registers: six, none of them a floating-point number. */
IN_FRONT(MPI_Pcontrol) int front_MPI_Pcontrol(int level, word a, word b, word c, word d, word e);
int front_MPI_Pcontrol(int level, word a, word b, word c, word d, word e) {
    NEXT("MPI_Pcontrol")
    if (in_fortran == 0) control(level, (const char*)a, 1);
    return next != NULL ? ((int (*)(int, word, word, word, word, word))next)(level, a, b, c, d, e) : 16;
}

/* mpif.h lets a program give a name with char(0) in the place of the error, whose number is no text of two letters. */
#define PCONTROL_IN_FORTRAN(name)                                                                                      \
    IN_FRONT(name) void front_##name(const int* level, word a, word b);                                                \
    void front_##name(const int* level, word a, word b) {                                                              \
        NEXT(#name)                                                                                                    \
        if (in_fortran++ == 0) control(*level, (const char*)a, 2);                                                     \
        if (next != NULL) ((void (*)(const int*, word, word))next)(level, a, b);                                       \
        in_fortran--;                                                                                                  \
    }
PCONTROL_IN_FORTRAN(mpi_pcontrol_)
PCONTROL_IN_FORTRAN(mpi_pcontrol__)
PCONTROL_IN_FORTRAN(mpi_pcontrol)
PCONTROL_IN_FORTRAN(MPI_PCONTROL)
PCONTROL_IN_FORTRAN(mpi_pcontrol_f08_)
PCONTROL_IN_FORTRAN(MPI_Pcontrol_f08)
