// Names regions by the functions of Caliper, ROCTX and NVTX, and counts steps in each. Its exit status is the number of
// annotations that have reached their libraries, but for NVTX.
#include <mpit/mpit.hpp>

#include <cstdint>

extern "C" {
extern int annotations_seen;
int roctxRangePushA(const char* message);
int roctxRangePop();
void cali_begin_region(const char* region);
void cali_end_region(const char* region);
void cali_begin_phase(const char* region);
void cali_end_phase(const char* region);
void cali_begin_comm_region(const char* region);
void cali_end_comm_region(const char* region);
int nvtxRangePushA(const char* message);
int nvtxRangePushEx(const void* attributes);
int nvtxRangePop();
int nvtxDomainRangePushEx(void* domain, const void* attributes);
int nvtxDomainRangePop(void* domain);
void* nvtxDomainRegisterStringA(void* domain, const char* text);
}

struct work_variables : mpit::category<"work", "What the program does"> {
    mpit::counter<> steps{this, "steps", "Steps done"};
};
inline constexpr auto& work = mpit::registered<work_variables>;

// As nvtxEventAttributes_t.
struct attributes {
    std::uint16_t version = 2, size = 48;
    std::uint32_t category = 0;
    std::int32_t colour_type = 0;
    std::uint32_t colour = 0;
    std::int32_t payload_type = 0, reserved = 0;
    std::uint64_t payload = 0;
    std::int32_t message_type;
    const void* message;
};

int main() {
    cali_begin_phase("caliper");
    cali_begin_region("inner");
    cali_begin_comm_region("halo");
    work.steps += 1;
    cali_end_comm_region("halo");
    cali_end_region("inner");
    work.steps += 2;
    cali_end_phase("caliper");

    roctxRangePushA("roctx");
    if (roctxRangePushA("") != 1) return 100;
    work.steps += 4;
    if (roctxRangePop() != 1) return 101;
    work.steps += 8;
    roctxRangePop();
    roctxRangePop();

    nvtxRangePushA("nvtx");
    const attributes ascii{.message_type = 1, .message = "attributes"}, wide{.message_type = 2, .message = L"wide"};
    const attributes registered{.message_type = 3, .message = nvtxDomainRegisterStringA(nullptr, "registered")};
    nvtxRangePushEx(&ascii);
    work.steps += 16;
    nvtxRangePop();
    nvtxRangePushEx(&wide);
    work.steps += 32;
    nvtxRangePop();
    nvtxDomainRangePushEx(nullptr, &registered);
    work.steps += 64;
    // In another order than they were begun: the end of NVTX ends the region in it.
    roctxRangePushA("crossed");
    nvtxDomainRangePop(nullptr);
    work.steps += 128;
    roctxRangePop();
    nvtxRangePop();
    nvtxRangePop();
    return annotations_seen;
}
