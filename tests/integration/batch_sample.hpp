// What the tool in batch_tool.cpp reads of the program and of the library in batch_plugin.cpp.
#pragma once

struct batch_sample {
    unsigned long of_program, calls, queued, deepest, computed, messages, bytes;
};
