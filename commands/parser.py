"""
A command line parser that speaks the player's language.

The code has only names. The words of `<command>.<name>` describe options and values in the help, or
the words of `any.<name>` if several commands share them (`commands.speaking`). argparse takes its
own words through gettext from `usage/<language>/LC_MESSAGES/messages.mo`.
`tests/project/test_usage.py` makes this file from `usage/argparse.<language>.json`.
"""

import argparse
import gettext
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable
from importlib import resources
from typing import Any, Final, NoReturn

from commands.speaking import LANGUAGES, CommandWords
from protocol.common.visible import visible

_MOST_COLUMNS: Final = 100
"""The maximum line width, for legibility."""
_COMMAND_COLUMNS: Final = 34
"""The maximum width of an example. The description of a wider example is below the example."""
# Python refuses to parse numbers with thousands of digits.
_MOST_DIGITS: Final = 12
_MOST_QUOTED: Final = 80
"""The maximum length of a quoted wrong word."""


def parser_for(command: str, words: CommandWords) -> "Parser":
    """
    Return the parser of a command.

    Args:
        command: the name, as typed after `manse`.
        words: the words of the command's package.
    """
    # gettext reads the language from the environment, also in child processes.
    gettext.bindtextdomain("messages", str(resources.files("commands").joinpath("usage")))
    os.environ["LANGUAGE"] = words.language
    return Parser(command, words)


class Parser(argparse.ArgumentParser):
    """The parser of a command such as `manse content`, or of a command's tool such as `check`."""

    def __init__(self, command: str, words: CommandWords, prog: str = "") -> None:
        """
        Prepare the parser; commands call `parser_for` instead.

        Args:
            command: the name as typed after `manse`, with a dot before the name of a tool.
            words: the words of the command's package.
            prog: the typed program, if it is not `manse` and the command.
        """
        self.command = command
        self.words = words
        super().__init__(
            prog=prog or f"manse {command}",
            description=_filled(words.say(f"{command}.about")),
            epilog=self._epilog(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def word(self, name: str, *params: object) -> str:
        """Return the words of a name for this command, else the words shared by all commands."""
        own = f"{self.command}.{name}"
        return self.words.say(own if self.words.has(own) else f"any.{name}", *params)

    def add_argument(self, *names: Any, **how: Any) -> argparse.Action:
        """
        Add an option or a value, like argparse.

        The help comes from the words; `help` may only be SUPPRESS. A `metavar` that differs by
        language is translated by the words of `metavar.<NAME>`.
        """
        action = super().add_argument(*names, **how)
        if action.help != argparse.SUPPRESS and action.dest != "help":
            # By its first long name; for a positional, its dest.
            long = next((name for name in action.option_strings if name.startswith("--")), "")
            name = long.removeprefix("--") or action.dest
            action.help = self.word(name.replace("-", "_"))
        is_shown = action.nargs != 0 and action.choices is None
        if is_shown:
            shown = action.metavar or action.dest.upper().replace("_", "-")
            key = f"metavar.{shown}"
            action.metavar = self.words.say(key) if self.words.has(key) else shown
        return action

    def tell_faulty(self, games: Iterable[tuple[str, str, str]]) -> None:
        """Say which games are left out, each by name, package and fault."""
        for game in games:
            self._print_message(
                f"{self.prog}: {visible(self.word('faulty_game', *game))}\n", sys.stderr
            )

    def count(self, most: int) -> Callable[[str], int]:
        """Return a function with which argparse parses a number from 1 to `most`."""

        def read(text: str) -> int:
            is_number = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
            if is_number and 0 < int(text) <= most:
                return int(text)
            raise argparse.ArgumentTypeError(self.word("bad_count", text[:_MOST_QUOTED], most))

        return read

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Exit with a message, wrapped to the width of the terminal."""
        if message:
            # A quoted argument may contain pasted control characters.
            message = "\n".join(map(visible, message.split("\n")))
        # A program that reads the output gets lines that are not wrapped.
        if message and sys.stderr.isatty():
            message = f"{_filled(message)}\n"
        super().exit(status, message)

    def add_language(self) -> None:
        self.add_argument("--language", choices=LANGUAGES)

    def add_tools(self, metavar: str, **how: Any) -> "Tools":
        """Add a positional argument that names a tool of this command."""
        return Tools(self, metavar, **how)

    def _epilog(self) -> str:
        """Return the text below the options: examples and notes."""
        command, words = self.command, self.words
        parts = []
        examples = words.examples(f"{command}.examples")
        if examples:
            # In two columns.
            lines = [words.say("any.examples")]
            left = min(max(map(len, examples)), _COMMAND_COLUMNS) + 2
            width = max(_columns() - left - 2, 20)
            for typed, does in examples.items():
                text = textwrap.wrap(does, width, break_long_words=False, break_on_hyphens=False)
                rest = typed
                if len(typed) > left - 2:
                    lines.append(f"  {typed}")
                    rest = ""
                for line in text:
                    lines.append(f"  {rest:<{left}}{line}")
                    rest = ""
            parts.append("\n".join(lines))
        if words.has(f"{command}.notes"):
            parts.append(_filled(words.say(f"{command}.notes")))
        return "\n\n".join(parts)


class Tools:
    """The tools of a command, such as `manse content check`."""

    def __init__(self, parser: Parser, metavar: str, **how: Any) -> None:
        """Make a parser accept tools; `metavar` stands for a tool in the help."""
        key = f"metavar.{metavar}"
        self._parser = parser
        self._tools = parser.add_subparsers(
            metavar=parser.words.say(key) if parser.words.has(key) else metavar,
            title=parser.word("tools"),
            **how,
        )

    def add(self, name: str) -> Parser:
        parent = self._parser
        tool: Parser = self._tools.add_parser(
            name,
            help=parent.words.say(f"{parent.command}.{name}.about"),
            command=f"{parent.command}.{name}",
            words=parent.words,
        )
        return tool


def _columns() -> int:
    """Return the width that argparse uses for its help."""
    return min(max(shutil.get_terminal_size().columns - 2, 40), _MOST_COLUMNS)


def _filled(text: str) -> str:
    """Wrap a text to the width of the help."""
    columns = _columns()
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        textwrap.fill(each, columns, break_long_words=False, break_on_hyphens=False)
        for each in paragraphs
    )
