"""Merges the summaries of several links, interval by interval: `merger.add(link, summary)`, `for summary in merger.complete(now): ...`.

An interval is complete when every link has sent it. A link that is late by more than PATIENCE intervals no longer holds up the others; its
last summary counts for as long as that. What a link has sent last counts on if it has ended well, and not at all if it was lost.
"""

from mpit_info.nodes.summaries import Summary

PATIENCE = 2


class Source:  # pylint: disable=too-few-public-methods
    """What one link has sent: the summaries that are not merged yet, by intervals, and the last one."""

    def __init__(self):
        self.waiting, self.last = {}, None


class Merger:
    """`worst` ranks are kept at each end of a distribution."""

    def __init__(self, worst):
        self.worst, self.sources, self.ended, self.done = worst, {}, None, None

    def add(self, link, summary):
        """Takes a summary of a link; one that is too late counts for the next interval."""
        source = self.sources.setdefault(link, Source())
        source.last = summary
        source.waiting[summary.interval if self.done is None else max(summary.interval, self.done + 1)] = summary

    def end(self, link):
        """The link has ended well: its ranks have sent everything."""
        source = self.sources.pop(link, None)
        if source is not None and source.last is not None:
            self.ended = source.last if self.ended is None else Summary.merged([self.ended, source.last], self.worst)
            # Intervals that it has sent are not lost if nothing else is there to complete them.
            self.sources[object()] = rest = Source()
            rest.waiting = {number: Summary(number, nodes=0) for number in source.waiting}

    def lose(self, link):
        """The link was lost, with all ranks behind it."""
        self.sources.pop(link, None)

    def complete(self, now):
        """Yields the merged summaries of the intervals that are complete, `now` being the number of the present one."""
        while True:
            number = min((min(source.waiting) for source in self.sources.values() if source.waiting), default=None)
            if number is None or number >= now - PATIENCE and any(
                    source.last is not None and source.last.interval < number for source in self.sources.values()):
                return
            parts = [] if self.ended is None else [self.ended]
            for link, source in list(self.sources.items()):
                found = source.waiting.pop(number, None)
                if found is None and source.last is not None and number - PATIENCE <= source.last.interval:
                    found = source.last
                if found is not None:
                    parts.append(found)
                elif source.last is None and not source.waiting:
                    del self.sources[link]
            self.done = number
            yield Summary.merged(parts, self.worst, number)
