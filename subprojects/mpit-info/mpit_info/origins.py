"""Where an MPI that does not tell it has its values from: `origins.complete(document, command, environment)`.

The agent names the environment variable that sets a control variable. This module adds the settings of Open MPI's
files, separates what the launcher set from what the user's environment has, and names settings that set nothing.
"""

import os
import re

from mpit_info import words
from mpit_info.document import clean
from mpit_info.job_input import is_launcher

# The control variables with the names of Open MPI's files, those that win first, and what separates the names.
FILES = (("mca_base_override_param_file", ":"), ("mca_base_param_files", ","))
OPEN_MPI = "OMPI_MCA_"
LAUNCHER = ", set by the launcher"
# Variables by which launchers tell their processes where they are: those of Open MPI without their beginning, and that of Hydra.
OWN = re.compile(r"orte_\w+|ess|ess_\w+|pmix|mpi_oversubscribe|initial_wdir|shmem_RUNTIME_QUERY_hint|PREFIXES|cpu_type|num_procs|"
                 r"num_restarts|MPIR_CVAR_CH3_INTERFACE_HOSTNAME")
# The parts of Open MPI's launcher, of whose variables it knows more than its processes.
OF_LAUNCHER = re.compile(r"(dfs|errmgr|ess|filem|grpcomm|hwloc|iof|odls|oob|orte|plm|pmix|prrte|ras|regx|rmaps|rml|routed|rtc|schizo|snapc|sstore|state)(_\w+)?")
# What the variables of the environment that set the control variables of MPICH begin with.
MPICH, OTHERS_OF_MPICH = "MPIR_CVAR_", ("MPIR_PARAM_", "MPICH_")
# How like a control variable a setting must be to be taken for a misspelt one: that of another component of Open MPI is less.
LIKE = 0.9
# The beginnings of environment variables that set control variables, or that a launcher sets for its processes.
SETTINGS = (OPEN_MPI, "PMIX_", "PMI_", "PRTE_", "MPIR_", "MPICH_", "I_MPI_", "MV2_", "HYDRA_", "HYDI_")


def complete(document, command, environment):
    """The document with the origins that are known here; `environment` is that of the tool."""
    files = settings_of_files(document)
    controls = []
    for control in document["control_variables"]:
        if control["origin"] == "environment" and control["place"]:
            control = of_environment(control, command, environment)
        found = files.get(control["name"])
        if found and (control["origin"] is None or found[1]):
            control = {**control, "origin": "configuration", "place": found[0]}
        controls.append(control)
    return {**document, "control_variables": controls}


def of_environment(control, command, environment):
    """The same control variable; one that the environment of the tool does not set was set by the launcher."""
    name = control["place"]
    if name in environment:
        return control
    if any(word in (control["name"], name) or word.startswith(name + "=") for word in command):
        return {**control, "origin": "command_line", "place": None}
    return {**control, "place": name + LAUNCHER + ("" if is_launcher(command) else " or a script")}


def is_launchers(control):
    """Whether a control variable has what the launcher tells its processes, which no user has set."""
    return LAUNCHER in (control["place"] or "") and OWN.fullmatch(control["name"]) is not None


def folded(controls):
    """A sentence about those of the launcher among the control variables; empty without any."""
    names = [clean(control["name"]) for control in controls if is_launchers(control)]
    return f"{words.plural(len(names), 'control variable')} of the launcher's own: {', '.join(names)}." if names else ""


def control_of(setting, names):
    """The name of the control variable of this MPI that a variable of the environment is meant to set; None for other MPIs."""
    if setting.startswith(OPEN_MPI):
        return setting[len(OPEN_MPI):] if "mca_base_param_files" in names else None
    beginning = next((each for each in (MPICH, *OTHERS_OF_MPICH) if setting.startswith(each)), None)
    return MPICH + setting[len(beginning):] if beginning and any(name.startswith(MPICH) for name in names) else None


def unknown(settings, document, command):
    """Sentences about the settings, names of variables of the environment of a process, that set no control variable of its MPI."""
    names, told = {control["name"] for control in document["control_variables"]}, []
    for setting in settings:
        name = control_of(setting, names)
        if name is None or name in names or OWN.fullmatch(name):
            continue
        near = words.perhaps(name, names, least=LIKE)
        # Compilers and launchers have variables with these beginnings, too.
        if near or not (setting.startswith(OTHERS_OF_MPICH) or OF_LAUNCHER.fullmatch(name)):
            told.append(f"{clean(name if name in command else setting)} sets no control variable of this MPI{near}")
    return words.first_few(told, lambda more: f"{more} more settings set no control variable of this MPI")


def settings_of_files(document):
    """The settings of Open MPI's files by their names: the place, and whether it wins over the environment."""
    values = {control["name"]: control["value"] for control in document["control_variables"]}
    found = {}
    for (name, separator) in FILES:
        for path in str(values.get(name) or "").split(separator):
            for setting, line in settings_of_file(path).items():
                found.setdefault(setting, (f"{path}:{line}", name == FILES[0][0]))
    return found


def settings_of_file(path):
    """The names that a file of Open MPI sets, with the number of the last line for each; nothing if it is unreadable."""
    found = {}
    try:
        with open(os.path.expanduser(path), encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                name, sign, _ = line.partition("#")[0].partition("=")
                if sign and name.strip():
                    found[name.strip()] = number
    except OSError:
        pass
    return found


def without_settings(environment):
    """An environment in which an MPI has its own defaults, also of Open MPI's files."""
    kept = {name: value for name, value in environment.items() if not name.startswith(SETTINGS)}
    return {**kept, OPEN_MPI + "mca_base_param_files": "none"}


def with_defaults(document, plain):
    """The document with the values of a process without settings as its defaults.

    Open MPI computes many values anew in each process; its defaults are added only where the origin is known.
    """
    all_of_them = not (document["mpi"]["library"] or "").startswith("Open MPI")
    values = {control["name"]: control["value"] for control in plain["control_variables"]}
    return {**document, "control_variables": [
        {**control, "default": values.get(control["name"])}
        if control["default"] is None and (all_of_them or control["origin"]) else control
        for control in document["control_variables"]]}
