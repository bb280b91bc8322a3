// Control variables that adopt a variable which a library already has, so that an existing source tree moves one variable
// at a time. The library goes on using its own name for it (MPI-5.0, 15.3.6).
//
//   int eager_limit = 65536;
//   mpit::control_ref<int> limit{this, "EAGER_LIMIT", "Largest message sent at once, in bytes", {.storage = &eager_limit}};
#pragma once

#include <mpit/declare/control.hpp>

namespace mpit::inline v0_1 {
namespace declare {

// The cell of a variable that somebody else keeps.
template <class T> class adopted_cell {
public:
    constexpr explicit adopted_cell(T* storage) noexcept : storage_{storage} {}
    T get() const noexcept {
        T value;
        __atomic_load(storage_, &value, __ATOMIC_RELAXED);
        return value;
    }
    void operator=(T value) noexcept { __atomic_store(storage_, &value, __ATOMIC_RELEASE); }

private:
    T* storage_;
};

// T, where it can be adopted.
template <class T> struct adopted {
    static_assert(base::number<T>, "an adopted variable is int, unsigned, unsigned long, unsigned long long, double, long, "
                                   "mpit::count or mpit::exact<...>");
    using type = T;
};

// The range in which the value is kept; the value itself is in the storage.
template <class T> struct adopted_range : base::bounded<T> {
    using arithmetic = typename base::bounded<T>::arithmetic;
    constexpr adopted_range() noexcept {}
    constexpr adopted_range(arithmetic low, arithmetic high) noexcept : base::bounded<T>{low, low, high} {}
};

} // namespace declare

// Settings of an adopted variable. The range is {minimum, maximum}.
template <class T> struct adopted_settings {
    T* storage = nullptr;
    declare::adopted_range<T> range{};
    base::text environment{};
    const char* renamed_from = nullptr;
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool (*valid)(const T&) = nullptr;
    reply (*on_write)(const T&) = nullptr;
    declare::not_bound locate{};
};

// A control variable whose value is in `storage`, an object of static storage duration. A tool's write is one atomic store,
// with the answers of mpit::control; the library may go on reading its own name, or use get(), which is an atomic load.
template <class T>
class control_ref : public declare::single_control<typename declare::adopted<T>::type, declare::adopted_cell<T>, void, T*> {
    using base_type = declare::single_control<T, declare::adopted_cell<T>, void, T*>;

public:
    constexpr control_ref(describe::category* in_category, base::text called, base::text meaning,
                          const adopted_settings<T>& chosen = {})
        : base_type{in_category, called, meaning, chosen, declare::admission<T>{chosen.range},
                    chosen.storage} {
        this->has_one_name = false; // its initial value is kept when it arrives
        if (chosen.storage == nullptr) error::an_adopted_variable_needs_its_storage();
    }
    T get() const noexcept { return this->store_.cell.get(); }
};

} // namespace mpit
