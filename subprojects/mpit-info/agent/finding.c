/* Finds the functions of the MPIs of a process, and distinguishes the MPIs by their binary interface. All of it runs
 * in the thread that starts or ends an MPI; nothing is changed for the program: no library becomes visible to
 * others, and none stays loaded longer.
 *
 *   any_function next = next_function("MPI_Init", __builtin_return_address(0)); */
#include "any_libc.h"

#include "preload.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ISO C has no conversion between the addresses of functions and others. */
static any_function as_function(void* symbol) {
    any_function function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static const void* base_of(const void* address) {
    Dl_info object;
    return address != NULL && dladdr(address, &object) != 0 ? object.dli_fbase : NULL;
}

/* A reference to the shared object that holds an address; null for the program itself. */
static void* object_of(const void* address) {
    Dl_info object;
    if (address == NULL || dladdr(address, &object) == 0 || object.dli_fname == NULL) return NULL;
    return dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/* The objects of a process in the order in which they were loaded: the position of the one with this address. */
struct position {
    uintptr_t address;
    int number;
    int found;
};
static int count_object(struct dl_phdr_info* object, size_t size, void* argument) {
    struct position* const wanted = argument;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type == PT_LOAD && wanted->address - begin < object->dlpi_phdr[i].p_memsz)
            wanted->found = wanted->number;
    }
    wanted->number++;
    return wanted->found >= 0;
}
static int position_of(const void* address) {
    struct position wanted = {(uintptr_t)address, 0, -1};
    dl_iterate_phdr(count_object, &wanted);
    return wanted.found;
}

/* Libraries loaded at the start of the program see each other, in any order. */
static int count_at_start;
__attribute__((constructor)) static void count_objects(void) {
    struct position all = {0, 0, -1};
    dl_iterate_phdr(count_object, &all);
    count_at_start = all.number;
}

/* The name of the object at a position. */
struct name_at {
    int left;
    char name[4096];
};
static int copy_name(struct dl_phdr_info* object, size_t size, void* argument) {
    struct name_at* const wanted = argument;
    (void)size;
    if (wanted->left-- > 0) return 0;
    strncpy(wanted->name, object->dlpi_name, sizeof wanted->name - 1);
    return 1;
}

/* A library may use an MPI that it is not linked with, if the library that opened it is. */
static void* symbol_anywhere(const char* name) {
    void* symbol = NULL;
    for (int i = 0; symbol == NULL; i++) {
        struct name_at at = {i, ""};
        if (dl_iterate_phdr(copy_name, &at) == 0) break;
        void* const object = at.name[0] != '\0' ? dlopen(at.name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (object == NULL) continue;
        symbol = dlsym(object, name);
        dlclose(object);
    }
    return symbol;
}

/* What stands in the scope of all comes first. What has come into it after the caller was loaded does not: the
 * caller was bound to what it is linked with. */
static void* next_symbol(const char* name, const void* caller) {
    void* const global = dlsym(RTLD_NEXT, name);
    const int of_global = global != NULL ? position_of(global) : 0;
    if (global != NULL && (of_global < count_at_start || of_global <= position_of(caller))) return global;
    void* const plugin = object_of(caller);
    void* const own = plugin != NULL ? dlsym(plugin, name) : NULL;
    if (plugin != NULL) dlclose(plugin);
    if (own != NULL) return own;
    return global != NULL ? global : symbol_anywhere(name);
}

any_function next_function(const char* name, const void* caller) {
    void* const symbol = next_symbol(name, caller);
    dlerror(); /* clears dlerror(), which belongs to the program */
    return as_function(symbol);
}

any_function function_for_all(const char* name) {
    void* const symbol = dlsym(RTLD_NEXT, name);
    dlerror();
    return symbol != NULL && position_of(symbol) < count_at_start ? as_function(symbol) : NULL;
}

int find_mpi(const void* caller, struct mpi* found) {
    void* init = next_symbol("PMPI_Init", caller);
    const char* name = "PMPI_Init";
    if (init == NULL) init = next_symbol(name = "MPI_Init", caller);
    *found = (struct mpi){base_of(init), RTLD_DEFAULT, NULL};
    if (found->base != NULL) {
        found->library = object_of(init);
        if (dlsym(RTLD_NEXT, name) != init) {
            found->handle = object_of(caller);
            if (found->handle == NULL || dlsym(found->handle, name) != init) {
                if (found->handle != NULL) dlclose(found->handle);
                found->handle = object_of(init);
            }
        }
    }
    dlerror();
    return found->base != NULL;
}

void give_back(struct mpi* of) {
    if (of->handle != RTLD_DEFAULT) dlclose(of->handle);
    if (of->library != NULL) dlclose(of->library);
    of->handle = RTLD_DEFAULT;
    of->library = NULL;
}

any_function function_in(const struct mpi* of, const char* name) {
    void* const symbol = dlsym(of->handle, name);
    if (symbol == NULL) dlerror();
    return as_function(symbol);
}

/* The name of a library is what its maker likes; many names are of others. A library with the binary interface of
 * MPI-5.0 says so itself, or is called so by those who link with it. Of Open MPI the handles are objects that it
 * exports, and a program that was compiled for it needs them. */
const char* agent_for(const struct mpi* of) {
    int (*const abi_version)(int*, int*) = (int (*)(int*, int*))function_in(of, "MPI_Abi_get_version");
    int (*const library_version)(char*, int*) = (int (*)(char*, int*))function_in(of, "MPI_Get_library_version");
    char text[8192 + 1] = "";
    int major = -1, minor = -1, length = 0;
    Dl_info library;
    if (abi_version != NULL && abi_version(&major, &minor) == 0 && major >= 1) return "abi";
    if (dladdr(of->base, &library) != 0 && library.dli_fname != NULL &&
        strstr(library.dli_fname, "libmpi_abi.") != NULL)
        return "abi";
    if (function_in(of, "ompi_mpi_comm_world") != NULL) return "openmpi";
    if (library_version != NULL) library_version(text, &length);
    if (strstr(text, "MPICH") != NULL || strstr(text, "MVAPICH") != NULL || strncmp(text, "Intel(R) MPI", 12) == 0)
        return "mpich";
    return NULL;
}

/* Each object that embeds mpit has an ELF note (include/mpit/module/discovery.hpp). */
static int has_note(struct dl_phdr_info* object, size_t size, void* nothing) {
    (void)size, (void)nothing;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr)* const segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE || segment->p_align > 4) continue;
        const char* at = (const char*)(object->dlpi_addr + segment->p_vaddr);
        const char* const end = at + segment->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            ElfW(Nhdr) header;
            memcpy(&header, at, sizeof header);
            if (header.n_namesz == 5 && header.n_descsz == 8 && memcmp(at + sizeof header, "mpit", 5) == 0) return 1;
            at += sizeof header + ((header.n_namesz + 3u) & ~3u) + ((header.n_descsz + 3u) & ~3u);
        }
    }
    return 0;
}

int embeds_mpit(void) { return dl_iterate_phdr(has_note, NULL); }

static int has_note_at(struct dl_phdr_info* object, size_t size, void* address) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)address - begin < object->dlpi_phdr[i].p_memsz)
            return has_note(object, size, NULL);
    }
    return 0;
}
int embeds_mpit_at(const void* address) { return dl_iterate_phdr(has_note_at, (void*)(uintptr_t)address); }

int is_mpi_loaded(void) {
    const int is_there = dlsym(RTLD_NEXT, "MPI_Init") != NULL || symbol_anywhere("MPI_Init") != NULL;
    dlerror();
    return is_there;
}
