// Info objects of MPI-5.0, chapter 10. Each has a mutex of its own, so several threads may use one at once.
#include "information.hpp"

#include "communicator.hpp"
#include "pool.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mini {
namespace {

struct information {
    using entry = std::pair<std::string, std::string>;

    std::mutex mutex;
    std::vector<entry> entries;

    std::vector<entry>::iterator find(std::string_view key) { return std::ranges::find(entries, key, &entry::first); }
};

using information_pool = pool<information, MPI_Info, 1024>;

constinit information_pool objects;
constinit information environment;

information* find(MPI_Info handle) { return handle == MPI_INFO_ENV ? &environment : objects.find(handle); }

int check(const information* info) { return info != nullptr ? MPI_SUCCESS : MPI_ERR_INFO; }

int check_writable(const information* info) { return info != &environment ? check(info) : MPI_ERR_INFO; }

int check_key(const char* key) {
    const std::size_t length = key != nullptr ? strnlen(key, MPI_MAX_INFO_KEY) : 0;
    return length > 0 && length < MPI_MAX_INFO_KEY ? MPI_SUCCESS : MPI_ERR_INFO_KEY;
}

// Unlike a key, a value may be empty.
int check_value(const char* value) {
    return value != nullptr && strnlen(value, MPI_MAX_INFO_VAL) < MPI_MAX_INFO_VAL ? MPI_SUCCESS : MPI_ERR_INFO_VALUE;
}

int check_length(int length) { return length >= 0 ? MPI_SUCCESS : MPI_ERR_ARG; }

// Copies what fits into a buffer of `size` bytes, the terminating NUL included.
void copy_text(const std::string& from, char* into, std::size_t size) {
    if (size == 0) return;
    const std::size_t length = std::min(from.size(), size - 1);
    std::memcpy(into, from.data(), length);
    into[length] = '\0';
}

// Shows the value of a key to `use`, and tells whether there is one.
template <class Use> int look_up(MPI_Info info, const char* key, int* flag, Use use) {
    information* const where = find(info);
    if (const int wrong = first_error({check(where), check_key(key), check_output(flag)})) return raise_on_self(wrong);
    const std::lock_guard guard{where->mutex};
    const auto known = where->find(key);
    *flag = known != where->entries.end();
    if (*flag != 0) use(known->second);
    return MPI_SUCCESS;
}

} // namespace

MPI_Info new_information() {
    information* const fresh = objects.claim([](information& each) { each.entries.clear(); });
    return fresh != nullptr ? information_pool::handle_of(*fresh) : MPI_INFO_NULL;
}

int check_hints(MPI_Info hints) { return hints == MPI_INFO_NULL ? MPI_SUCCESS : check(find(hints)); }

} // namespace mini

using namespace mini;

int PMPI_Info_create(MPI_Info* info) {
    if (info == nullptr) return raise_on_self(MPI_ERR_ARG);
    *info = new_information();
    return raise_on_self(*info != MPI_INFO_NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM);
}

int PMPI_Info_dup(MPI_Info info, MPI_Info* copy) {
    information* const from = find(info);
    if (const int wrong = first_error({check(from), check_output(copy)})) return raise_on_self(wrong);
    *copy = new_information();
    if (*copy == MPI_INFO_NULL) return raise_on_self(MPI_ERR_NO_MEM);
    const std::lock_guard guard{from->mutex};
    find(*copy)->entries = from->entries;
    return MPI_SUCCESS;
}

int PMPI_Info_free(MPI_Info* info) {
    information* const ended = info != nullptr ? find(*info) : nullptr;
    if (const int wrong = check_writable(ended)) return raise_on_self(wrong);
    objects.release(*ended);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

int PMPI_Info_set(MPI_Info info, const char* key, const char* value) {
    information* const where = find(info);
    if (const int wrong = first_error({check_writable(where), check_key(key), check_value(value)}))
        return raise_on_self(wrong);
    const std::lock_guard guard{where->mutex};
    const auto known = where->find(key);
    if (known != where->entries.end()) known->second = value;
    else where->entries.emplace_back(key, value);
    return MPI_SUCCESS;
}

int PMPI_Info_delete(MPI_Info info, const char* key) {
    information* const where = find(info);
    if (const int wrong = first_error({check_writable(where), check_key(key)})) return raise_on_self(wrong);
    const std::lock_guard guard{where->mutex};
    const auto known = where->find(key);
    if (known == where->entries.end()) return raise_on_self(MPI_ERR_INFO_NOKEY);
    where->entries.erase(known);
    return MPI_SUCCESS;
}

// In the two deprecated functions a length does not count the terminating NUL; in MPI_Info_get_string it does.
int PMPI_Info_get(MPI_Info info, const char* key, int value_length, char* value, int* flag) {
    if (const int wrong = first_error({check_length(value_length), check_output(value)})) return raise_on_self(wrong);
    return look_up(info, key, flag, [&](const std::string& found) {
        copy_text(found, value, static_cast<std::size_t>(value_length) + 1);
    });
}

int PMPI_Info_get_valuelen(MPI_Info info, const char* key, int* length, int* flag) {
    if (const int wrong = check_output(length)) return raise_on_self(wrong);
    return look_up(info, key, flag, [&](const std::string& found) { *length = static_cast<int>(found.size()); });
}

int PMPI_Info_get_string(MPI_Info info, const char* key, int* size, char* value, int* flag) {
    if (size == nullptr || *size < 0) return raise_on_self(MPI_ERR_ARG);
    if (*size > 0 && value == nullptr) return raise_on_self(MPI_ERR_ARG);
    return look_up(info, key, flag, [&](const std::string& found) {
        copy_text(found, value, static_cast<std::size_t>(*size));
        *size = static_cast<int>(found.size()) + 1;
    });
}

int PMPI_Info_get_nkeys(MPI_Info info, int* count) {
    information* const where = find(info);
    if (const int wrong = first_error({check(where), check_output(count)})) return raise_on_self(wrong);
    const std::lock_guard guard{where->mutex};
    *count = static_cast<int>(where->entries.size());
    return MPI_SUCCESS;
}

int PMPI_Info_get_nthkey(MPI_Info info, int number, char* key) {
    information* const where = find(info);
    if (const int wrong = first_error({check(where), check_output(key)})) return raise_on_self(wrong);
    const std::lock_guard guard{where->mutex};
    if (number < 0 || static_cast<std::size_t>(number) >= where->entries.size()) return raise_on_self(MPI_ERR_ARG);
    copy_text(where->entries[static_cast<std::size_t>(number)].first, key, MPI_MAX_INFO_KEY);
    return MPI_SUCCESS;
}

extern "C" {
[[gnu::weak, gnu::alias("PMPI_Info_create")]] decltype(PMPI_Info_create) MPI_Info_create;
[[gnu::weak, gnu::alias("PMPI_Info_dup")]] decltype(PMPI_Info_dup) MPI_Info_dup;
[[gnu::weak, gnu::alias("PMPI_Info_free")]] decltype(PMPI_Info_free) MPI_Info_free;
[[gnu::weak, gnu::alias("PMPI_Info_set")]] decltype(PMPI_Info_set) MPI_Info_set;
[[gnu::weak, gnu::alias("PMPI_Info_delete")]] decltype(PMPI_Info_delete) MPI_Info_delete;
[[gnu::weak, gnu::alias("PMPI_Info_get")]] decltype(PMPI_Info_get) MPI_Info_get;
[[gnu::weak, gnu::alias("PMPI_Info_get_string")]] decltype(PMPI_Info_get_string) MPI_Info_get_string;
[[gnu::weak, gnu::alias("PMPI_Info_get_valuelen")]] decltype(PMPI_Info_get_valuelen) MPI_Info_get_valuelen;
[[gnu::weak, gnu::alias("PMPI_Info_get_nkeys")]] decltype(PMPI_Info_get_nkeys) MPI_Info_get_nkeys;
[[gnu::weak, gnu::alias("PMPI_Info_get_nthkey")]] decltype(PMPI_Info_get_nthkey) MPI_Info_get_nthkey;
}
