// The member that holds the tree, and nothing else.
#include "tree.hpp"

#ifdef SHARED_TREE
constinit mpit::shared_tree<archived_variables> archived_tree;
#else
template struct mpit::tree_holder<archived_variables>;
#endif
