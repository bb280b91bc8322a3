// Names of objects (MPI-5.0, 7.8). The text is kept inside the object, and the mutex beside it keeps it whole: a thread
// that asks for a name while another replaces it gets the old one or the new one.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <mutex>
#include <string_view>

namespace mini {

// Fills a caller's buffer of MPI_MAX_OBJECT_NAME characters and returns the length, which the NUL is no part of.
inline int copy_name(std::string_view from, char* into) {
    into[from.copy(into, MPI_MAX_OBJECT_NAME - 1)] = '\0';
    return static_cast<int>(from.size());
}

class object_name {
public:
    constexpr object_name() noexcept {}
    constexpr explicit object_name(std::string_view predefined) noexcept
        : length_{predefined.copy(characters_, MPI_MAX_OBJECT_NAME - 1)} {}

    // What does not fit is cut off. Blanks at the end are no part of a name.
    void set(std::string_view name) {
        name = name.substr(0, MPI_MAX_OBJECT_NAME - 1);
        name = name.substr(0, name.find_last_not_of(' ') + 1);
        const std::lock_guard guard{mutex_};
        length_ = name.copy(characters_, MPI_MAX_OBJECT_NAME);
    }

    int copy_to(char* into) const {
        const std::lock_guard guard{mutex_};
        return copy_name({characters_, length_}, into);
    }

private:
    mutable std::mutex mutex_;
    char characters_[MPI_MAX_OBJECT_NAME]{};
    std::size_t length_ = 0;
};

} // namespace mini
