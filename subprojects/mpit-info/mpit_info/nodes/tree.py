"""The places of the nodes in the tree, at the root: `place = tree.join("node7", address)`, `tree.lose("node3")`.

Each node gets the first parent with room, the root first, so that the tree is as low as its fan-in allows. If a node is lost, those below
it join again; one that does not in time is lost too.
"""

# Seconds in which a node below a lost one has to join again.
PATIENCE = 10.0


class Node:
    """One node: `parent` is None below the root."""

    def __init__(self, name):
        self.name, self.address, self.parent, self.ranks, self.processes = name, None, None, 0, 0
        self.is_there, self.has_ended, self.orphan_since, self.children = False, False, None, set()

    def is_lost(self):
        """Whether it has gone before its end."""
        return not self.is_there and not self.has_ended and self.orphan_since is None


class Tree:
    """All nodes that have ever joined, by their names."""

    def __init__(self, fan_in, clock):
        self.fan_in, self.clock, self.nodes, self.below_root = fan_in, clock, {}, set()
        self.is_over = False  # whether no node is waited for any more

    def join(self, name, address, refused=None):
        """The address of the parent of a node that joins, None for the root."""
        node = self.nodes.setdefault(name, Node(name))
        self.leave_parent(node)
        node.address, node.is_there, node.has_ended, node.orphan_since = address, True, False, None
        # A node that did not reach its parent is taken by the root: a firewall may stand between them.
        node.parent = None if refused else self.parent_of()
        (self.below_root if node.parent is None else node.parent.children).add(name)
        return node.parent.address if node.parent else None

    def leave_parent(self, node):
        """Takes a node from its place."""
        (self.below_root if node.parent is None else node.parent.children).discard(node.name)
        node.parent = None

    def parent_of(self):
        """The first node with room on the highest level, None for the root. The node has no place now, so that none below it is found."""
        level, room = self.below_root, self.fan_in
        if len(level) < room:
            return None
        while level:
            inner = [self.nodes[name] for name in sorted(level)]
            for node in inner:
                if node.is_there and not node.has_ended and node.address and len(node.children) < room:
                    return node
            level = [name for node in inner for name in node.children]
        return None

    def update(self, message):
        """Takes what a node says about itself."""
        node = self.nodes.setdefault(message["node"], Node(message["node"]))
        node.ranks, node.processes = message.get("ranks", node.ranks), message.get("processes", node.processes)
        node.has_ended = message.get("has_ended", node.has_ended)
        node.is_there, node.orphan_since = True, None

    def lose(self, name):
        """The link of a node was closed before its end."""
        node = self.nodes.get(name)
        if node is None or node.has_ended or not node.is_there:
            return
        self.leave_parent(node)
        node.is_there = False
        for below in list(node.children):
            self.nodes[below].orphan_since = self.clock()

    def expire(self):
        """Loses the nodes below lost ones that have not joined again."""
        for node in self.nodes.values():
            if node.orphan_since is not None and self.clock() - node.orphan_since > PATIENCE:
                node.orphan_since = None
                self.lose(node.name)

    def lost(self):
        """The nodes that are lost, with their ranks."""
        return [[node.name, node.ranks] for node in self.nodes.values() if node.is_lost()]

    def unfinished(self):
        """The nodes that have not said at the end that they have sent everything, with their ranks: they were stopped, or are too slow."""
        return [[node.name, node.ranks] for node in self.nodes.values() if self.is_over and not node.has_ended and not node.is_lost()]

    def told(self):
        """The state as a message."""
        unfinished = self.unfinished()
        return {"message": "nodes", "nodes": len(self.nodes), "ranks": sum(node.ranks for node in self.nodes.values()),
                "processes": max((node.processes for node in self.nodes.values()), default=0), "missing": self.lost(),
                **({"unfinished": unfinished} if unfinished else {})}

    def depth(self):
        """The number of links between the root and the farthest node."""
        level, count = self.below_root, 0
        while level:
            count, level = count + 1, [name for each in level for name in self.nodes[each].children]
        return count
