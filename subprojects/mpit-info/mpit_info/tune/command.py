"""The command tune: looks at the program, races the candidates, judges the winner, and writes the outputs.

`command.show(options)` returns 0 if a value is better, and 1 if none is.
"""

import contextlib
import signal
import sys

from mpit_info import agents, job_end, screen, signals
from mpit_info.document import clean
from mpit_info.refusal import Refusal
from mpit_info.tune import advantage, evidence, live_trials, metric, picture, progress, race, result, search, setting, sweep
from mpit_info.tune import tables, trial, verdict

# A run may take this many times as long as the first one, and this many seconds more.
TIMES_LONGER, SECONDS_LONGER = 10, 10


class Tuning:
    """The state of one command; the outputs read it."""

    def __init__(self, options):
        self.options, self.sweeps = options, sweep.parse_all(options.sweep)
        self.metric = metric.parse(options.metric, options.over)
        self.scale = advantage.Scale(options.maximise)
        if options.live and not self.metric.needs_agent:
            raise Refusal("--live compares a performance variable: choose one by --metric")
        self.trials = live_trials.LiveTrials(options.program, self.metric, self.directory(), options.live, options.listen) \
            if options.live else trial.Trials(options.program, self.metric, self.directory(), options.limit, options.listen)
        self.metric = self.trials.metric
        self.present, self.base, self.notes, self.document = {}, sweep.AS_IT_IS, [], None
        self.races, self.finding, self.verdict, self.first_seconds = [], None, None, None
        self.status_of_interruption = None

    def directory(self):
        """The directory of the agent; None without one if the metric needs none."""
        try:
            return agents.folder(self.options)
        except Refusal:
            if self.metric.needs_agent:
                raise
            return None

    def look(self):
        """Reads the variables of the program, and finds the way of each sweep."""
        with contextlib.suppress(trial.Failure):
            documents = self.trials.documents()
            self.document = documents[0] if documents else None
        self.trials.ways = {each.name: setting.way_of(each.name, self.document, self.options.program, self.options.like)
                            for each in self.sweeps}
        self.base = tuple((each.name, each.values[0]) for each in self.sweeps
                          if self.trials.ways[each.name].variable is None)
        if self.document:
            self.present = {each.name: setting.value_in(self.document, each.name) for each in self.sweeps
                            if self.trials.ways[each.name].control}
        if self.options.live:
            if not self.document:
                raise Refusal("the program sent no variables after MPI_Init, which --live needs")
            self.trials.check(self.trials.ways, self.present, self.document)

    def try_first(self):
        """A first run without a place in the results: it fills caches, and shows whether the metric can be read."""
        try:
            _, self.first_seconds = self.trials.measure(self.base)
        except trial.Failure as failure:
            raise Refusal(f"the program {failure}{'' if self.options.live else ' with its present values'}") from None
        if self.trials.limit is None:
            self.trials.limit = TIMES_LONGER * self.first_seconds + SECONDS_LONGER

    def check_values(self, told):
        """Starts the program once with each value up to MPI_Init, and leaves out values that it does not take."""
        kept = []
        for each in self.sweeps:
            values = [value for value in each.values if self.is_taken(each.name, value, told)]
            if not values:
                if self.options.live:
                    raise Refusal(self.notes[-1])
                raise Refusal(f"{each.name} stays {self.present[each.name]} with "
                              f"{self.trials.ways[each.name].variable}={each.values[-1]} in the environment; "
                              "--like names the variable of the environment, for instance --like 'MYMPI_*'")
            kept.append(each._replace(values=values))
        if all(self.is_present(((each.name, value),)) for each in kept for value in each.values):
            raise Refusal(self.notes[-1] if self.notes else "there is nothing to compare: all values are the present ones")
        self.sweeps = kept

    def is_taken(self, name, value, told):
        """Whether the program has another value with this setting, or has it anyway."""
        present = self.present.get(name)
        if present is None or self.is_present(((name, value),)):
            return True
        try:
            documents = self.trials.documents((*self.base, (name, value)))
            taken = setting.value_in(documents[0], name) if documents else None
            if self.options.live and taken not in (None, present):
                self.trials.check_value(name, value, taken)
        except trial.Failure as failure:
            self.notes.append(f"{name}={value} is left out: the program {failure}")
            return False
        told()
        if taken is None:
            self.notes.append(f"{name}={value} is left out: the program sent no variables with it")
        elif taken == present:
            self.notes.append(f"{name}={value} is left out: the program keeps {clean(present)} with it")
        elif not setting.is_same(value, taken) and sweep.number(taken) is not None and sweep.number(value) is not None:
            self.notes.append(f"{name}={value} becomes {clean(taken)} in the program")
        return taken is not None and taken != present

    def is_present(self, candidate):
        """Whether a candidate equals the present values."""
        return all(self.present.get(name) is not None and setting.is_same(setting.item(self.document, name, value), self.present[name])
                   for name, value in candidate)

    def run(self, shown):
        """All runs up to the verdict."""
        options = self.options

        def run_race(candidates, title, base=None):
            base = self.base if base is None else base
            shown.expect(title or "runs", len(candidates) * options.repeat)
            made = race.Race(candidates, self.trials.measure, self.scale, options.repeat, options.seed, base,
                             shown.told_of_race)
            made.title, made.base = title, base
            self.races.append(made)
            return made.run()

        arguments = (self.sweeps, self.base, self.is_present, run_race, options.least)
        if options.search == "one":
            self.finding = search.one_at_a_time(*arguments)
        elif options.search == "optimise":
            shown.expect("the optimiser", options.trials * options.repeat)

            def measured(candidate):
                found = self.trials.measure(candidate)
                shown.told(candidate, found[0])
                return found

            self.finding = search.optimise(self.sweeps, self.base, run_race, options.least, measure=measured,
                                           scale=self.scale, repeat=options.repeat, trials=options.trials, seed=options.seed)
        else:
            self.finding = search.grid(*arguments)

        def duel(one, other):
            pairs = max(options.repeat, verdict.LEAST_PAIRS)
            shown.expect("the present values against the next best" if one == self.base else
                         "the winner against the present values", 2 * pairs)
            fought = verdict.Duel(one, other, self.trials.measure, self.scale, options.seed, shown.told).run(pairs)
            if fought.is_open():
                shown.expect("the same again", 2 * pairs)
                fought.run(pairs)
            return fought

        self.verdict = verdict.judge(self.finding, self.base, options.least, duel, self.results())

    def results(self):
        """The results of all runs before the verdict."""
        tried = [result for _, results in self.finding.tried for result in results]
        return tried + [result for made in self.races for each in made.candidates for result in made.results(each)]

    def spread(self):
        """The spread of repeated runs with the same values, as a share: the median over the candidates."""
        found = [evidence.spread(made.results(each)) for made in self.races for each in made.candidates]
        return evidence.median([share for share in found if share is not None])

    def label(self, candidate, base=None):
        """The text for a candidate of a race with these present values."""
        if candidate != (self.base if base is None else base):
            return clean(sweep.label(candidate))
        known = [(each.name, dict(candidate).get(each.name, self.present.get(each.name))) for each in self.sweeps]
        if any(value is None for _, value in known):
            return "as it is" if not candidate else clean(f"{sweep.label(candidate)} (as it is)")
        return clean(f"{sweep.label(tuple(known))} (as it is)")

    def lines(self):
        """Pairs of a place and the words that set the winner there."""
        places = {}
        for name, value in self.verdict.winner if self.verdict else ():
            for place, words in self.trials.ways[name].lines(value, self.trials.ways):
                if words not in places.setdefault(place, []):
                    places[place].append(words)
        if "mpiexec" in places:
            places["mpiexec"] = [" ".join(places["mpiexec"])]
        return [(place, words) for place, lines in places.items() for words in lines]


def show(options):
    """Tunes a program; 0 if a value is better, 1 if none is, 128 and the number of the signal after an interruption."""
    if options.picture:
        picture.check(options.picture)
    if options.search == "optimise":
        search.check_optimiser()
    tuning = Tuning(options)
    job_end.adopt()
    for number in signals.handed_on(signals.ENDS):
        signal.signal(number, signals.interrupt)
    with contextlib.closing(tuning.trials), progress.Progress(sys.stderr, options.quiet) as shown:
        try:
            shown.expect("reading the variables of the program", 1)
            tuning.look()
            shown.expect("a first run", 1)
            tuning.try_first()
            shown.expect("checking the values", sum(len(each.values) for each in tuning.sweeps))
            tuning.check_values(shown.step)
            tuning.run(shown)
        except KeyboardInterrupt as interruption:
            tuning.status_of_interruption = signals.status_of(interruption)
            if not any(each.rounds for each in tuning.races):
                raise
    if options.picture:
        picture.write(options.picture, tuning)
    if options.json:
        with screen.output(options) as stream:
            stream.write(result.text(tuning))
    else:
        screen.show(options, tables.parts(tuning, screen.width(options)))
    return tuning.status_of_interruption or (0 if tuning.verdict.kind == verdict.BETTER else 1)
