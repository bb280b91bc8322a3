// A recorder of MPI_T events that writes a trace for chrome://tracing and https://ui.perfetto.dev. It needs an mpi.h,
// or <mpit/mpi_t.hpp> without an MPI, included before it. Copy it.
//
//   trace_recorder recorder;   …   recorder.stop();   recorder.write("trace.json");
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <unistd.h>

class trace_recorder {
public:
    // Registers on every event that belongs to no object. Events beyond the capacity are counted and not kept.
    explicit trace_recorder(std::size_t capacity = 1 << 14) : records_(capacity) {
        look_at_sources();
        int count = 0;
        MPI_T_event_get_num(&count);
        for (int i = 0; i < count; i++) listen(i, nullptr);
    }
    trace_recorder(const trace_recorder&) = delete;
    trace_recorder& operator=(const trace_recorder&) = delete;
    ~trace_recorder() { stop(); }

    // Registers on an event, of an object if it is given: the address of a handle of the type that the event is bound
    // to.
    bool listen(int index, void* object) {
        auto known = std::make_unique<event>();
        const bool is_bound = look_at_event(index, *known);
        if (is_bound != (object != nullptr) || known->size() > largest_payload) return false;
        known->recorder = this;
        if (MPI_T_event_handle_alloc(index, object, MPI_INFO_NULL, &known->registration) != MPI_SUCCESS) return false;
        registered_++;
        MPI_T_event_set_dropped_handler(known->registration, &on_dropped);
        // It does nothing that a signal handler may not do, so it serves wherever the event happens.
        MPI_T_event_register_callback(known->registration, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL,
                                      known.get(), &on_event);
        events_.push_back(std::move(known));
        return true;
    }

    // Returns when no callback is at work any more, in whatever thread. Not to be called by a callback.
    void stop() {
        for (const auto& each : events_)
            if (each->registration != nullptr) MPI_T_event_handle_free(each->registration, this, &on_freed);
        while (registered_ > 0) std::this_thread::yield();
        for (const auto& each : events_) each->registration = nullptr;
        for (std::size_t i = 0; i < recorded(); i++) {
            source& from = sources_[static_cast<std::size_t>(records_[i].source)];
            if (from.start < 0) from.start = records_[i].stamp;
        }
    }

    // The following functions are for a stopped recorder.
    std::size_t event_count() const { return events_.size(); }
    std::size_t recorded() const { return std::min(next_.load(), records_.size()); }
    long long dropped() const { return dropped_; }

    bool write(const char* path, int process = 0) const {
        std::ofstream to{path};
        to << "{\"traceEvents\":[\n";
        for (std::size_t i = 0; i < recorded(); i++) {
            if (i > 0) to << ",\n";
            write(to, records_[i], process);
        }
        to << "\n],\"otherData\":{\"dropped\":" << dropped() << "}}\n";
        return static_cast<bool>(to.flush());
    }

private:
    static constexpr std::size_t largest_payload = 128;

    struct element {
        std::string name;
        MPI_Datatype type;
        std::size_t at;
    };
    struct event {
        trace_recorder* recorder = nullptr;
        std::string name;
        std::vector<element> elements;
        MPI_T_event_registration registration = nullptr;

        std::size_t size() const { return elements.empty() ? 0 : elements.back().at + sizeof(std::uint64_t); }
    };
    // Every source counts in ticks of its own, from a moment of its own.
    struct source {
        MPI_Count ticks_per_second, max_ticks, start;
    };
    struct record {
        const event* of;
        MPI_Count stamp;
        long thread;
        int source;
        std::array<unsigned char, largest_payload> payload;
    };

    // Called by any thread at any moment: it takes an allocated record, fills it, and does not wait.
    static void on_event(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* user_data) {
        const auto* of = static_cast<event*>(user_data);
        trace_recorder& self = *of->recorder;
        const std::size_t number = self.next_++;
        if (number >= self.records_.size()) return void(self.dropped_++);
        thread_local const long this_thread = gettid();
        record& to = self.records_[number];
        to.of = of;
        to.thread = this_thread;
        MPI_T_event_get_source(instance, &to.source);
        MPI_T_event_get_timestamp(instance, &to.stamp);
        MPI_T_event_copy(instance, to.payload.data());
    }
    static void on_dropped(MPI_Count count, MPI_T_event_registration, int, MPI_T_cb_safety, void* user_data) {
        static_cast<event*>(user_data)->recorder->dropped_ += count;
    }
    static void on_freed(MPI_T_event_registration, MPI_T_cb_safety, void* user_data) {
        static_cast<trace_recorder*>(user_data)->registered_--;
    }

    // True for an event that is bound to objects.
    static bool look_at_event(int index, event& to) {
        int name_size = 0, count = 0, bind = MPI_T_BIND_NO_OBJECT;
        MPI_T_enum names = MPI_T_ENUM_NULL;
        MPI_T_event_get_info(index, nullptr, &name_size, nullptr, nullptr, nullptr, &count, &names, nullptr, nullptr,
                             nullptr, &bind);
        std::string name(static_cast<std::size_t>(name_size), '\0');
        std::vector<MPI_Datatype> types(static_cast<std::size_t>(count));
        std::vector<MPI_Aint> displacements(types.size());
        MPI_T_event_get_info(index, name.data(), &name_size, nullptr, types.data(), displacements.data(), &count,
                             nullptr, nullptr, nullptr, nullptr, nullptr);
        to.name = name.c_str();
        for (int i = 0; i < count; i++) {
            const auto at = static_cast<std::size_t>(i);
            char element_name[128] = "";
            int length = sizeof element_name, value = 0;
            if (names != MPI_T_ENUM_NULL) MPI_T_enum_get_item(names, i, &value, element_name, &length);
            to.elements.push_back({names != MPI_T_ENUM_NULL ? element_name : std::to_string(i), types[at],
                                   static_cast<std::size_t>(displacements[at])});
        }
        return bind != MPI_T_BIND_NO_OBJECT;
    }

    // The sources become comparable by what all of them show at one moment: of some rounds the fastest counts. A source
    // without a readable clock starts with its first event.
    void look_at_sources() {
        int count = 0;
        MPI_T_source_get_num(&count);
        sources_.resize(static_cast<std::size_t>(count));
        for (int i = 0; i < count; i++) {
            source& each = sources_[static_cast<std::size_t>(i)];
            MPI_T_source_get_info(i, nullptr, nullptr, nullptr, nullptr, nullptr, &each.ticks_per_second,
                                  &each.max_ticks, nullptr);
        }
        MPI_Count fastest = INT64_MAX;
        for (int round = 0; round < 20 && count > 0; round++) {
            std::vector<source> seen = sources_;
            for (int i = 0; i < count; i++) seen[static_cast<std::size_t>(i)].start = time_of(i);
            const MPI_Count taken = time_of(0) - seen[0].start;
            if (taken >= fastest) continue;
            fastest = taken;
            sources_ = seen;
        }
    }
    static MPI_Count time_of(int source) {
        MPI_Count ticks = -1;
        return MPI_T_source_get_timestamp(source, &ticks) == MPI_SUCCESS ? ticks : -1;
    }

    double microseconds_of(const record& what) const {
        const source& from = sources_[static_cast<std::size_t>(what.source)];
        auto ticks = static_cast<double>(what.stamp - from.start);
        if (ticks < 0) ticks += static_cast<double>(from.max_ticks) + 1; // the clock has begun again
        return ticks * 1e6 / static_cast<double>(from.ticks_per_second);
    }

    // Two events whose names end in _begun and _ended are shown as one bar; any other one is shown as a mark.
    void write(std::ostream& to, const record& what, int process) const {
        std::string_view name = what.of->name, phase = "i\",\"s\":\"t";
        if (name.ends_with("_begun")) phase = "B";
        if (name.ends_with("_ended")) phase = "E";
        if (phase.size() == 1) name.remove_suffix(std::string_view{"_begun"}.size());
        to << "{\"name\":\"" << name << "\",\"ph\":\"" << phase << "\",\"pid\":" << process
           << ",\"tid\":" << what.thread << ",\"ts\":" << std::fixed << std::setprecision(3) << microseconds_of(what)
           << ",\"args\":{";
        const char* separator = "";
        for (std::size_t i = 0; i < what.of->elements.size(); separator = ",") {
            to << separator;
            i = write_element(to, what, i);
        }
        to << "}}";
    }

    // Returns the number of the next element. Characters in a row are a text: name[0], name[1] and so on become name.
    static std::size_t write_element(std::ostream& to, const record& what, std::size_t number) {
        const std::vector<element>& all = what.of->elements;
        const auto name_of = [](const element& each) { return each.name.substr(0, each.name.find('[')); };
        const std::string name = name_of(all[number]);
        if (all[number].type != MPI_CHAR) {
            to << '"' << all[number].name << "\":";
            write_value(to, all[number].type, &what.payload[all[number].at]);
            return number + 1;
        }
        to << '"' << name << "\":\"";
        bool is_over = false;
        for (; number < all.size() && all[number].type == MPI_CHAR && name_of(all[number]) == name; number++) {
            const char c = static_cast<char>(what.payload[all[number].at]);
            is_over = is_over || c == '\0';
            if (is_over) continue;
            if (c == '"' || c == '\\') to << '\\';
            to << (static_cast<unsigned char>(c) < ' ' ? ' ' : c);
        }
        to << '"';
        return number;
    }

    static void write_value(std::ostream& to, MPI_Datatype type, const unsigned char* from) {
        if (type == MPI_INT || type == MPI_INT32_T) return write_number<std::int32_t>(to, from);
        if (type == MPI_UNSIGNED || type == MPI_UINT32_T) return write_number<std::uint32_t>(to, from);
        if (type == MPI_COUNT || type == MPI_INT64_T) return write_number<std::int64_t>(to, from);
        if (type == MPI_DOUBLE) return write_number<double>(to, from);
        write_number<std::uint64_t>(to, from);
    }
    template <class Number> static void write_number(std::ostream& to, const unsigned char* from) {
        Number value;
        std::memcpy(&value, from, sizeof value);
        if constexpr (std::is_floating_point_v<Number>)
            if (!std::isfinite(value)) return void(to << "null");
        char digits[32];
        to.write(digits, std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
    }

    std::vector<source> sources_;
    std::vector<std::unique_ptr<event>> events_;
    std::vector<record> records_;
    std::atomic<std::size_t> next_{0};
    std::atomic<long long> dropped_{0};
    std::atomic<int> registered_{0};
};
