"""What the tool hands to the collectors of a job, in one variable of the environment: `Settings.from_environment()`."""

import collections
import json
import os

from mpit_info.refusal import Refusal

VARIABLE = "MPIT_INFO_NODES"
# Seconds of an interval, ranks at each end of a distribution, links of a collector.
PERIOD, WORST, FAN_IN = 1.0, 5, 8
DEFAULTS = {"root": "", "socket": "", "period": PERIOD, "worst": WORST, "files": None, "openmetrics": None, "name": None}

Settings = collections.namedtuple("Settings", DEFAULTS)


def text(settings):
    """The value of the variable."""
    return json.dumps({name: value for name, value in settings._asdict().items() if value is not None}, separators=(",", ":"))


def from_environment():
    """The settings of this job."""
    try:
        told = json.loads(os.environ.get(VARIABLE, ""))
        return Settings(**{**DEFAULTS, **{name: value for name, value in told.items() if name in DEFAULTS}})
    except (ValueError, AttributeError):
        raise Refusal(f"there is no {VARIABLE} in the environment; a collector runs inside of a job of `mpit-info watch --nodes`") from None
