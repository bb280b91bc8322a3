"""The source tree of an MPI that a script changes: `Tree(root).replace(path, old, new)`, and write() when all has been found."""

import pathlib
import sys


class Mistake(Exception):
    """Why the tree is left as it is."""


class Tree:
    """The files as they will be; nothing is written before write()."""

    def __init__(self, root):
        self.root, self.files, self.said, self.leave = root, {}, [], []

    def text(self, path):
        if path not in self.files:
            try:
                self.files[path] = (self.root / path).read_text(encoding="utf-8")
            except OSError as error:
                raise Mistake(f"{path} is not in the tree") from error
        return self.files[path]

    def has(self, path):
        return (self.root / path).exists()

    def replace(self, path, old, new):
        if old not in self.text(path):
            raise Mistake(f"{path} has no {old.strip()!r}")
        self.files[path] = self.text(path).replace(old, new)
        self.said.append(path)

    def put(self, path, text):
        self.files[path] = text
        self.said.append(path)

    def write(self):
        for path in self.leave:
            if not self.has(path):
                raise Mistake(f"{path} is not in the tree")
        for path, text in self.files.items():
            (self.root / path).write_text(text, encoding="utf-8")
        for path in self.leave:
            (self.root / path).unlink()


def run(script, purpose, change):
    """The main function of a script: changes the tree that the command line names, and says what was changed."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(purpose.strip(), file=sys.stderr)
        return 2
    tree = Tree(pathlib.Path(sys.argv[1]))
    try:
        change(tree)
        tree.write()
    except (Mistake, OSError) as mistake:
        print(f"{script}: {mistake}", file=sys.stderr)
        return 1
    for path in dict.fromkeys(tree.said):
        print(f"written  {path}")
    for path in tree.leave:
        print(f"removed  {path}")
    print("Run its autogen script, configure and make as before.")
    return 0
