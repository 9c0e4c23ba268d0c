"""
The command `manse`: finds the subcommand that was named, loads it alone and runs it.

Subcommands are entry points of the group `manse.commands`, so `manse join` imports nothing of the
server. Of all modules in `protocol` only this one touches the process it runs in.
"""

import difflib
import os
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points, version
from typing import Final, TypeAlias, cast

Command: TypeAlias = Callable[[list[str]], int]
"""Takes the arguments after the subcommand's name, gives the exit status."""

GROUP: Final = "manse.commands"

SUMMARIES: Final[Mapping[str, str]] = {
    "tutorial": "learn to play, in ten minutes",
    "play": "open the lobby: start a table or sit down at one",
    "join": "take the seat that an invitation line offers",
    "watch": "look on at a table that allows spectators",
    "bot": "fill a seat with a bot",
    "replay": "step forward and back through an exported game",
    "export": "write a table's game to a file: all that you may know of it",
    "verify": "check that an exported game is whole and its chance was fair",
    "config": "tell your settings and keys, and change them",
    "serve": "run a server for you and your friends",
    "solo": "play alone on this machine, server included",
    "demo": "let three bots play a game and print the story",
    "content": "check, draw and play packs that you write",
}
"""One line for each subcommand, here so that `--help` need not import any of them."""

STATUS_USAGE: Final = 2
STATUS_INTERRUPTED: Final = 130
STATUS_BROKEN_PIPE: Final = 141


def main(argv: list[str] | None = None) -> int:
    """
    Run `manse` with the arguments of this process, or with those given.

    Returns:
        The exit status: the subcommand's own, 2 for a command line that makes no sense, 130 after
        Ctrl-C, 141 when whoever read our output has gone.
    """
    arguments = sys.argv[1:] if argv is None else argv
    try:
        try:
            return _dispatch(arguments)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return STATUS_INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return STATUS_BROKEN_PIPE


def usage() -> str:
    """Say what `manse` can do, without importing any of it."""
    width = max(map(len, SUMMARIES))
    lines = [f"  {name:<{width}}  {summary}" for name, summary in SUMMARIES.items()]
    return "\n".join(
        [
            "usage: manse COMMAND [ARGUMENT ...]",
            "",
            "Co-operative horror board games on a server of your own.",
            "",
            "commands:",
            *lines,
            "",
            "`manse COMMAND --help` tells more of one; `manse --version` names the release.",
        ]
    )


def _dispatch(arguments: list[str]) -> int:
    match arguments:
        case [] | ["-h" | "--help" | "help"]:
            print(usage())
            return 0
        case ["help", name]:
            return _run(name, ["--help"])
        case ["-V" | "--version"]:
            print(f"manse {version('manse')}")
            return 0
        case [name, *rest]:
            return _run(name, rest)
    raise AssertionError(arguments)


def _run(name: str, rest: list[str]) -> int:
    found = tuple(entry_points(group=GROUP, name=name))
    if not found:
        print(f"manse: {_unknown(name)}", file=sys.stderr)
        return STATUS_USAGE
    return _load(found[0])(rest)


def _load(entry: EntryPoint) -> Command:
    return cast("Command", entry.load())


def _unknown(name: str) -> str:
    kind = "option" if name.startswith("-") else "command"
    close = difflib.get_close_matches(name, SUMMARIES, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else "`manse --help` lists them."
    return f"unknown {kind} {name!r}; {hint}"


def discard_output() -> None:
    """Let what was printed and nobody can read any more go nowhere, quietly, at exit too."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
