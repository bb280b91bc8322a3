// An MPI whose tool interface a test holds in its hands: it has what the test puts into it, answers errors where it is
// told to, leaves outputs unset then, and counts what would have crashed a real one.
//
//   mock_host::the_host().controls.push_back({.name = "LIMIT", .value = 5});   mock_host::raise(0, {payload}, …);
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mock_host {

struct enumeration {
    std::string name;
    std::vector<std::string> items; // the value of an item is its index
};
struct control {
    std::string name, description = "A control variable of the host";
    int value = 0;
    bool is_hole = false; // get_info answers an error
    bool cannot_be_read = false;
    int bind = MPI_T_BIND_NO_OBJECT;
    const enumeration* items = nullptr;
};
struct performance {
    std::string name, description = "A performance variable of the host";
    int in = MPI_T_PVAR_CLASS_COUNTER;
    unsigned long long value = 0;
    bool is_hole = false;
    int bind = MPI_T_BIND_NO_OBJECT;
};
struct source {
    std::string name, description = "A source of the host";
    MPI_T_source_order ordering = MPI_T_SOURCE_ORDERED;
    MPI_Count ticks_per_second = 1000;
    MPI_Count now = 0;
    bool is_hole = false;
};
struct element {
    MPI_Datatype type;
    MPI_Aint displacement;
    std::size_t size;
};
struct event {
    std::string name, description = "An event of the host";
    std::vector<element> elements = {};
    std::size_t size = 0;
    bool is_hole = false;
    int bind = MPI_T_BIND_NO_OBJECT;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
};
struct category {
    std::string name, description = "A category of the host";
    std::vector<int> controls = {}, performances = {}, events = {}, categories = {};
};

struct callback {
    MPI_T_event_cb_function* function = nullptr;
    void* data = nullptr;
};
struct registration {
    int event = 0;
    void* object = nullptr;
    std::map<int, callback> callbacks;
    MPI_T_event_dropped_cb_function* dropped = nullptr;
    std::map<std::string, std::string> hints;
    std::function<void()> end; // called when it is freed and the last callback is over
    ~registration() {
        if (end) end();
    }
};

struct host {
    std::recursive_mutex busy;
    std::deque<enumeration> enumerations;
    std::deque<control> controls;
    std::deque<performance> performances;
    std::deque<event> events;
    std::deque<source> sources;
    std::deque<category> categories;
    int update_number = 0;
    int epochs = 0;
    std::string version = "odd"; // what MPI_Get_library_version says
    bool has_ended = false;

    bool fails_to_make_handles = false; // handles, sessions and registrations
    bool fails_to_register = false;
    bool fails_to_read = false;
    bool gives_no_info = false;
    bool looks_behind_objects = false; // as Open MPI 6.0.0rc2 for the flags of a communicator
    bool ends_registrations_later = false;
    bool fails_to_initialize = false;
    std::function<void()> asked_for_controls; // called in each cvar_get_num
    std::function<void()> opens_a_plugin;     // called in init_thread, before it is initialized
    std::function<void()> makes_a_handle;     // called in pvar_handle_alloc, before it uses the session

    std::map<const void*, int> control_handles;     // to the number of the variable
    std::map<const void*, int> performance_handles; // likewise
    std::map<const void*, int> sessions;
    std::map<const void*, std::shared_ptr<registration>> registrations;
    std::map<const void*, std::map<std::string, std::string>> infos;
    std::vector<std::function<void()>> ends;

    int started = 0;   // calls of start, of one handle or of all
    int questions = 0; // calls of get_info of control variables and of categories

    // What a real one would not survive: an index that does not exist, a handle that it has not given, a null output.
    int crashes = 0;
};

host& the_host();

// Takes back every order to fail.
void be_kind();

// Calls back for an event; how many callbacks were called. The object is that of bound registrations.
int raise(int event, const void* payload, int source, MPI_Count stamp, MPI_T_cb_safety level,
          const void* object = nullptr);
// Tells the handlers of an event that instances were lost.
void lose(int event, MPI_Count count, int source, MPI_T_cb_safety level);
// Ends the registrations that were freed, where that was to happen later.
void end_registrations();

} // namespace mock_host
