"""
The command `manse`: loads only the named subcommand, and runs it.

Subcommands are entry points of the group `manse.commands`, so `manse join` imports nothing of the
server.
"""

import difflib
import os
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Final, TypeAlias, cast

from commands.faults import why_refused
from commands.own_folders import NoHome
from commands.speaking import CommandWords, language_for, words_of
from commands.streams import STATUS_BROKEN_PIPE, STATUS_HANGUP, OutputLost, standard_streams
from protocol.common.visible import visible

Command: TypeAlias = Callable[[list[str]], int]
"""Function that takes the arguments after the subcommand's name and returns the exit status."""

GROUP: Final = "manse.commands"

COMMANDS: Final = (
    *("tutorial", "play", "join", "watch", "bot", "replay", "stats", "export", "verify"),
    *("setup", "notify", "config"),
    *("serve", "admin", "store", "solo", "demo", "content"),
)
"""Every subcommand, in the order of `--help`. The help of a subcommand has the catalog key
`manse.<command>`."""

_AUTHORS: Final = "content"
_OWNER_ALONE: Final = 0o077

STATUS_USAGE: Final = 2
STATUS_INTERRUPTED: Final = 130


def main(argv: list[str] | None = None) -> int:
    """
    Run `manse` with the given arguments; by default with the arguments of this process.

    Returns:
        The exit status: the subcommand's own, 2 for an invalid command line, 130 after Ctrl-C. If
        the output cannot be written: 141 if its reader is gone, 129 if its terminal is gone, else
        74.
    """
    arguments = sys.argv[1:] if argv is None else argv
    with standard_streams():
        try:
            try:
                return _dispatch(arguments)
            finally:
                # Inside of the outer `try`, so that a failed write becomes an exit status.
                sys.stdout.flush()
        except KeyboardInterrupt:
            return STATUS_INTERRUPTED
        except NoHome:
            print(f"manse: {_words(arguments).say('manse.no_home')}", file=sys.stderr)
            return STATUS_USAGE
        except OutputLost as lost:
            # Without a reader it ends silently, as commands in pipes do.
            if lost.status != STATUS_BROKEN_PIPE:
                say = _words(arguments).say
                is_hung_up = lost.status == STATUS_HANGUP
                why = say("manse.hung_up") if is_hung_up else why_refused(lost.error, say)
                said = say("manse.output_lost", why)
                print(f"manse: {said}", file=sys.stderr)
            return lost.status


def usage(words: CommandWords) -> str:
    """Return the list of subcommands, without importing any."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {words.say(f'manse.{name}')}" for name in COMMANDS]
    say = words.say
    return "\n".join(
        [
            *(say("manse.usage"), "", say("manse.about"), "", say("manse.commands"), *lines, ""),
            say("manse.more"),
        ]
    )


def _dispatch(arguments: list[str]) -> int:
    match arguments:
        case [] | ["-h" | "--help" | "help"] | ["-h" | "--help", "--language", _]:
            print(usage(_words(arguments)))
            return 0
        case ["help", name]:
            return _run(name, ["--help"])
        case ["-V" | "--version"]:
            # Only now: no other command needs it.
            from commands.release import release_and_commit  # noqa: PLC0415

            print(f"manse {release_and_commit()}")
            return 0
        case [name, *rest]:
            return _run(name, rest)
    raise AssertionError(arguments)


def _run(name: str, rest: list[str]) -> int:
    found = tuple(entry_points(group=GROUP, name=name))
    if not found:
        words, shown = _words(rest), visible(name)
        if shown in COMMANDS:
            # The installed entry points are older than this code.
            said = words.say("manse.not_installed", shown)
        else:
            key = "manse.unknown_option" if shown.startswith("-") else "manse.unknown_command"
            close = difflib.get_close_matches(shown, COMMANDS, n=1, cutoff=0.5)
            hint = words.say("manse.meant", close[0]) if close else words.say("manse.lists")
            said = words.say(key, shown, hint)
        print(f"manse: {said}", file=sys.stderr)
        return STATUS_USAGE
    command = cast("Command", found[0].load())
    # Authors make files for others to read. All other files, and the folders made for them, are for
    # their owner alone.
    if name == _AUTHORS:
        return command(rest)
    before = os.umask(_OWNER_ALONE)
    try:
        return command(rest)
    finally:
        os.umask(before)


def _words(arguments: list[str]) -> CommandWords:
    return words_of("commands", language_for(arguments))


def discard_output() -> None:
    """Redirect standard output to the null device, so that flushing it at exit cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
