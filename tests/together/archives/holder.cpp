// The member that holds the tree, and nothing else.
#include "tree.hpp"

template struct mpit::tree_holder<archived_variables>;
