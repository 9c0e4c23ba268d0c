"""Arguments and settings that the player's commands share."""

import argparse
import os
import sys
from collections.abc import Sequence

import attrs

from client.keymap.keys import KeyMap
from client.locale import Locale, language_of, load
from client.settings.appearance import Wishes, appearance_of
from client.settings.preferences import Lines, Preferences, Theme
from commands.parser import Parser
from commands.parser import parser_for as parser_in
from commands.speaking import language_for, words_of
from commands.toml_files import BadConfig
from protocol.plugs import set_aside_faulty

STATUS_USAGE = 2
"""Exit status for an invalid command line or configuration file."""


def parser_for(command: str, argv: Sequence[str]) -> Parser:
    """Return the parser of `manse COMMAND`, with texts in the language that `argv` asks for."""
    parser = parser_in(command, words_of("client", language_for(argv)))
    parser.tell_faulty(set_aside_faulty("protocol", "client"))
    return parser


def add_look(parser: Parser) -> None:
    parser.add_argument("--theme", choices=[theme.value for theme in Theme])
    parser.add_argument("--ascii", action="store_true")


def locale_of(options: argparse.Namespace, prefs: Preferences) -> Locale:
    """Return the words in the wanted language, with the player's keys."""
    language = options.language or language_of(os.environ, prefs.language)
    return load(language, KeyMap.with_wishes(prefs.keys))


def wishes_of(parser: Parser, options: argparse.Namespace) -> Wishes:
    """
    Return the player's settings; options of the command line override the file.

    If the file is invalid, print the fault and exit with status 2.
    """
    from client.settings import config  # noqa: PLC0415 (so that --help is quick)

    path = config.config_path()
    try:
        prefs = config.read(path)
    except BadConfig as problem:
        words = locale_of(options, Preferences())
        parser.exit(STATUS_USAGE, f"{parser.prog}: {problem.in_words(words)}\n")
    theme = getattr(options, "theme", None)
    if theme is not None:
        prefs = attrs.evolve(prefs, theme=Theme(theme))
    if getattr(options, "ascii", False):
        prefs = attrs.evolve(prefs, lines=Lines.ASCII)
    appearance = appearance_of(os.environ, sys.stdout.encoding, is_theme_named=theme is not None)
    return Wishes(appearance, prefs, config.keeper(path, locale_of(options, prefs)))
