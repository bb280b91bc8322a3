"""The regions of one process: `regions.accept(message["regions"])`, then `regions.totals(label)`.

A process reports each region without the regions below it, as a sum over its threads.
"""

import collections

from mpit_info import figures

# The most regions of a process that are stored, and the most of them in each other; an agent tells of no deeper ones.
MOST_REGIONS, MOST_DEPTH = 1 << 12, 64
# The name of what is in no region.
OUTSIDE = "outside of regions"

# With the regions below; `own` is the time without them.
Total = collections.namedtuple("Total", "visits seconds own values")
Level = collections.namedtuple("Level", "sum count")
NOTHING = Total(0, 0.0, 0.0, {})


class Regions:
    """The regions of one process, and the values of levels in the samples that were taken in each."""

    def __init__(self):
        self.told, self.levels, self.depths, self.left_out = {}, {}, {}, set()

    def accept(self, told):
        """Stores the regions of one message. The region around another one has a lower number."""
        for each in told:
            above, number = each["above"], each["number"]
            is_known = number == 0 if above is None else above < number and above in self.told
            depth = 0 if above is None else self.depths.get(above, 0) + 1
            if is_known and depth <= MOST_DEPTH and (number in self.told or len(self.told) < MOST_REGIONS):
                self.told[number], self.depths[number] = each, depth
            else:
                self.left_out.add(number)

    def add_levels(self, number, columns, row, averaged):
        """Adds the values of levels that were sampled while the main thread was in a region."""
        of_region = self.levels.setdefault(number, {}) if number in self.levels or len(self.levels) < MOST_REGIONS else {}
        for column, value in zip(columns, row):
            if column.class_ in averaged and value is not None:
                before = of_region.get(column, Level(0, 0))
                of_region[column] = Level(before.sum + value, before.count + 1)

    def frozen(self):
        """A copy that later messages do not change."""
        kept = Regions()
        kept.depths, kept.left_out = dict(self.depths), set(self.left_out)
        kept.told, kept.levels = dict(self.told), {number: dict(levels) for number, levels in self.levels.items()}
        return kept

    def path(self, number):
        """The names from the outermost region to this one; empty for what is outside."""
        names = []
        while number:
            names.append(self.told[number]["name"])
            number = self.told[number]["above"]
        return tuple(reversed(names))

    def totals(self, label):
        """For each path its Total, with the regions below; levels are means, of the region alone."""
        found = {}
        for number in sorted(self.told, reverse=True):
            each = self.told[number]
            visits, seconds, own, values = found.pop(number, NOTHING)
            values = dict(values)
            for name, value in each.get("values", {}).items():
                values[name] = values.get(name, 0) + (figures.number(value) or 0)
            total = Total(visits + each["visits"], seconds + each["seconds"], each["seconds"], values)
            found[number] = total
            # The sum for what is outside excludes all regions.
            if each["above"]:
                around = found.get(each["above"], NOTHING)
                merged = collections.Counter(around.values)
                merged.update(total.values)
                found[each["above"]] = Total(0, around.seconds + total.seconds, 0.0, merged)
        for number, levels in self.levels.items():
            for column, level in levels.items() if number in found else ():
                found[number].values[label(column)] = level.sum / level.count
        return {self.path(number): total for number, total in sorted(found.items())}
