# The part of a list that a short run takes, MPIT_SHORT_TESTS=1; it says what it leaves out.
#     for path in short_run.third_of(paths): …

import os


def third_of(files):
    """Every third file in a short run, all of them otherwise."""
    if os.environ.get("MPIT_SHORT_TESTS") != "1":
        return files
    chosen = files[::3]
    print(f"skipped: {len(files) - len(chosen)} of {len(files)} files in a short run")
    return chosen
