"""Completion of the words of a command line: `mpit-info completion bash` prints a script for the shell.

The scripts are made from the parsers of the commands, and need no package. Behind `--` the shell completes a program.
"""

from mpit_info import command_line

SHELLS_WITH_BASH_SCRIPT = {"bash": "", "zsh": "autoload -U +X compinit bashcompinit && compinit -u && bashcompinit\n"}
BASH = """_mpit_info() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=list number
    COMPREPLY=()
    for ((number = 1; number < COMP_CWORD; number++)); do
        if [[ ${COMP_WORDS[number]} == -- ]]; then
            if ((number + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -f -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
            return
        fi
    done
    case ${COMP_WORDS[1]} in @commands@) command=${COMP_WORDS[1]} ;; esac
    case $command:$before in
@choices@
    esac
    case $command in
@options@
    esac
    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options -- " -- "$word"))
    elif ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W "@names@" -- "$word"))
    else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _mpit_info mpit-info
"""


def actions_of(command):
    """The options and words of a command, as argparse holds them."""
    return command_line.parser_of(command)._actions  # argparse has no public list


def bash(shell):
    """The script for bash, and for zsh, which reads it after bashcompinit."""
    names = [name for name in command_line.COMMAND_NAMES if name != "list"]
    choices, options = [], []
    for command in command_line.COMMAND_NAMES:
        actions = actions_of(command)
        for action in actions:
            if action.choices:
                places = [f"{command}:{option}" for option in action.option_strings] or [f"{command}:{command}"]
                choices.append(f"        {'|'.join(places)}) COMPREPLY=($(compgen -W \"{' '.join(map(str, action.choices))}\" "
                               "-- \"$word\")); return ;;")
        words = " ".join(option for action in actions for option in action.option_strings)
        options.append(f"        {command}) local options=\"{words}\" ;;")
    text = BASH.replace("@commands@", "|".join(names)).replace("@names@", " ".join(names))
    return SHELLS_WITH_BASH_SCRIPT[shell] + text.replace("@choices@", "\n".join(choices)).replace("@options@", "\n".join(options))


def quoted(text):
    """A text for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish():
    """The script for fish, with the helps of the options."""
    names = [name for name in command_line.COMMAND_NAMES if name != "list"]
    lines = [f"complete -c mpit-info -n __fish_use_subcommand -a {quoted(' '.join(names))}"]
    for command in command_line.COMMAND_NAMES:
        condition = (f"not __fish_seen_subcommand_from {' '.join(names)}" if command == "list"
                     else f"__fish_seen_subcommand_from {command}")
        for action in actions_of(command):
            words = [f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}" for option in action.option_strings]
            if not words and not action.choices:
                continue
            if action.choices:
                words.append(f"-x -a {quoted(' '.join(map(str, action.choices)))}")
            elif action.nargs != 0:
                words.append("-r")
            help_ = quoted((action.help or "").split(";")[0].replace("%%", "%"))
            lines.append(f"complete -c mpit-info -n {quoted(condition)} {' '.join(words)} -d {help_}")
    return "\n".join(lines) + "\n"


def show(options):
    """Prints the script for a shell; returns the exit status."""
    print(fish() if options.shell == "fish" else bash(options.shell), end="")
    return 0
