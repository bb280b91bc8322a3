// A file of a project in C++17, whose other file has the variables.
static_assert(__cplusplus == 201703L, "nothing changes the language of this file");

void count_call();

int main() { count_call(); }
