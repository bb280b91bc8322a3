// Lesson 1: declare variables, use them, and read them as a tool does.
//
// A category is a struct; each variable in it is a member that names its category with `this`. One line makes the tree
// known when the program is loaded. There is no MPI in this process: the last include defines the MPI_T_ functions.

#include <mpit/mpit.hpp>

#include <mpit/mpi_t.hpp>

#include <cstdio>

// An enumeration, with the names that a tool shows for its values.
enum class order { oldest_first, shortest_first };
template <>
inline constexpr auto mpit::enumeration_of<order> =
    mpit::enumerators<order>("order", {{"oldest", order::oldest_first}, {"shortest", order::shortest_first}});

struct kitchen_variables : mpit::category<"kitchen", "A kitchen that cooks what guests order"> {
    // Control variables: the program reads them like plain values, and takes what the environment says.
    mpit::control<int> stoves{this, "KITCHEN_STOVES", "Dishes cooked at once", {.initial = {2, 1, 8}}};
    mpit::control<order> sequence{this, "KITCHEN_ORDER", "What is cooked next", {.initial = order::oldest_first}};

    // Performance variables, in a category inside this one.
    struct : mpit::category<"kitchen_work", "What the kitchen has done"> {
        mpit::counter<> dishes{this, "dishes", "Dishes served"};
        mpit::aggregate<double> butter{this, "butter", "Butter used, in grams"};
        mpit::level<unsigned long> waiting{this, "waiting", "Orders that nobody cooks yet"};
        mpit::high_watermark<unsigned long> most_waiting{this, "waiting", "Most orders waiting", {.of = &waiting}};
    } work{this};
};
inline constexpr auto& kitchen = mpit::registered<kitchen_variables>;

// The program itself: nothing here knows of tools, and each line costs about what a plain variable would cost.
static void serve(int guests) {
    for (int i = 0; i < guests; i++) ++kitchen.work.waiting;
    while (kitchen.work.waiting.get() > 0) {
        for (int stove = 0; stove < kitchen.stoves && kitchen.work.waiting.get() > 0; stove++) {
            --kitchen.work.waiting;
            ++kitchen.work.dishes;
            kitchen.work.butter += kitchen.sequence == order::oldest_first ? 12.5 : 7.5;
        }
    }
}

// The tool's side: everything is found by name, and read through a handle.
static void set_stoves(int stoves) {
    int index = 0, count = 0;
    MPI_T_cvar_handle handle;
    MPI_T_cvar_get_index("KITCHEN_STOVES", &index);
    MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count);
    const int answer = MPI_T_cvar_write(handle, &stoves);
    std::printf("  a tool writes %d stoves: %s; the program sees %d\n", stoves,
                answer == MPI_SUCCESS ? "accepted" : "refused", kitchen.stoves.get());
    MPI_T_cvar_handle_free(&handle);
}

int main() {
    int provided = 0, controls = 0, performances = 0, categories = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_num(&controls);
    MPI_T_pvar_get_num(&performances);
    MPI_T_category_get_num(&categories);
    std::printf("This program has %d control variables, %d performance variables and %d categories.\n", controls,
                performances, categories);

    // A tool counts in a session of its own, from the moment when it starts its handles.
    MPI_T_pvar_session session;
    MPI_T_pvar_handle dishes, butter, most;
    int index = 0, count = 0;
    serve(3); // before the tool looks: it will not see these
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_index("dishes", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &dishes, &count);
    MPI_T_pvar_get_index("butter", MPI_T_PVAR_CLASS_AGGREGATE, &index);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &butter, &count);
    MPI_T_pvar_get_index("waiting", MPI_T_PVAR_CLASS_HIGHWATERMARK, &index);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &most, &count);
    MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES);

    serve(10);

    unsigned long long served = 0;
    unsigned long longest = 0;
    double grams = 0;
    MPI_T_pvar_read(session, dishes, &served);
    MPI_T_pvar_read(session, butter, &grams);
    MPI_T_pvar_read(session, most, &longest);
    std::printf("\nTen guests came while the tool was looking:\n");
    std::printf("  dishes         %6llu\n  butter         %6.1f g\n  most waiting   %6lu\n", served, grams, longest);
    std::printf("The program itself has counted since it was loaded: %llu dishes.\n",
                static_cast<unsigned long long>(kitchen.work.dishes.get()));

    std::printf("\nThe range of a control variable is kept:\n");
    set_stoves(4);
    set_stoves(9);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}
