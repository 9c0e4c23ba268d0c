"""The command `manse config`: prints all settings, and changes one in the file."""

# ruff: noqa: T201 (a command's output is what it prints)

import argparse
import json
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs

from client.commands.options import STATUS_USAGE, locale_of, parser_for
from client.keymap.key_names import written as key_written
from client.keymap.keys import USUAL, Action, BadKeys, KeyMap
from client.keyring.identity import IdentityProblem, home_folder, load_player_key
from client.locale import Locale
from client.settings import config
from client.settings.preferences import SETTINGS, BadValue, Preferences, Value
from client.terminal.console import tell
from client.text.printable import printable
from commands import toml_lines
from commands.parser import Parser
from commands.toml_files import BadConfig
from commands.toml_lines import TomlValue
from protocol.keys import fingerprint, fingerprint_text

STATUS_FAILED = 1
_YES = ("true", "on", "yes")
_NO = ("false", "off", "no")
_ENVIRONMENT = ("NO_COLOR", "MANSE_ASCII", "MANSE_LANGUAGE")
"""Environment variables that override the file."""


def main(argv: list[str]) -> int:
    """Print the settings, or change one. Returns 0, 1 if writing failed, 2 for invalid input."""
    parser = _parser(argv)
    options = parser.parse_args(argv)
    path, words = config.config_path(), _words(options)
    if options.path:
        print(path)
        return 0
    try:
        if options.fingerprint:
            key = load_player_key(home_folder(), secrets.token_bytes, words.say)
            print(fingerprint_text(fingerprint(key.public)))
            return 0
        if options.tool is None:
            return _tell(path, options)
        return _change(path, options)
    except BadConfig as problem:
        tell(f"{parser.prog}: {problem.said(words)}", sys.stderr)
        return STATUS_FAILED if isinstance(problem, config.NotWritten) else STATUS_USAGE
    except IdentityProblem as problem:
        tell(f"{parser.prog}: {problem}", sys.stderr)
        return STATUS_FAILED
    except BadKeys as bad:
        said = config.keys_fault(bad)(words)
    except BadValue as bad:
        said = config.value_fault(options.name, " ".join(getattr(options, "value", ())), bad)(words)
    tell(f"{parser.prog}: {said}", sys.stderr)
    return STATUS_USAGE


def _parser(argv: list[str]) -> Parser:
    parser = parser_for("config", argv)
    parser.add_argument("--path", action="store_true")
    parser.add_argument("--fingerprint", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_language()
    tools = parser.add_tools("set|unset", dest="tool")
    putting = tools.add("set")
    putting.add_argument("name", metavar="NAME")
    putting.add_argument("value", metavar="VALUE", nargs="+")
    taking = tools.add("unset")
    taking.add_argument("name", metavar="NAME")
    return parser


def _words(options: argparse.Namespace) -> Locale:
    """Return the words for when the file cannot be read."""
    return locale_of(options, Preferences())


# Telling -----------------------------------------------------------------------------------


@attrs.frozen
class _SettingEntry:
    """A setting with its current value."""

    name: str
    value: TomlValue
    default: TomlValue
    allowed: tuple[Value, ...]
    about: str

    def as_json(self) -> object:
        """Return it for a script."""
        return {**attrs.asdict(self), "allowed": list(self.allowed) or None}


def _entries(prefs: Preferences, locale: Locale) -> Iterator[_SettingEntry]:
    for one in SETTINGS:
        about = locale.say(f"setting.{one.name}")
        yield _SettingEntry(one.name, one.of(prefs), one.default, one.allowed, about)
    keys = KeyMap.of(prefs.keys)
    for action in keys.rebindable:
        about = locale.say(f"key.{action.value}")
        have, usual = (_written(keymap, action) for keymap in (keys, USUAL))
        yield _SettingEntry(f"{config.KEYS}.{action.value}", have, usual, (), about)


def _written(keys: KeyMap, action: Action) -> tuple[str, ...]:
    return tuple(key_written(key) for key in keys.keys_for(action))


def _tell(path: Path, options: argparse.Namespace) -> int:
    """Print all settings."""
    prefs = config.read(path)
    locale = locale_of(options, prefs)
    outdoing = [name for name in _ENVIRONMENT if os.environ.get(name)]
    entries = list(_entries(prefs, locale))
    if options.json:
        found = {"file": str(path), "exists": path.exists(), "environment": outdoing}
        print(json.dumps({**found, "settings": [one.as_json() for one in entries]}))
        return 0
    tell(str(path) if path.exists() else locale.say("config.none_yet", str(path)))
    for name in outdoing:
        tell(locale.say(f"config.env.{name.lower()}"))
    for one in entries:
        # As in the file, then what it means.
        tell(f"\n{printable(f'{one.name} = {toml_lines.dumped(one.value)}')}", indent=6)
        default = locale.say("config.default", toml_lines.dumped(one.default))
        told = [one.about, *([config.allowed(one.allowed, locale)] if one.allowed else []), default]
        tell("\n".join(f"    {sentence}" for sentence in told), indent=6)
    return 0


# Changing ----------------------------------------------------------------------------------


def _change(path: Path, options: argparse.Namespace) -> int:
    """Write or remove a setting."""
    action = _action_of(options.name)
    if action is None:
        config.setting(options.name)
    at = (options.name,) if action is None else (config.KEYS, action.value)
    value: TomlValue | None = None
    if options.tool == "set":
        wished = options.value
        value = _read(at[0], wished) if action is None else _read_keys(path, action, wished)
    config.change(path, at, value, _words(options))
    if options.json:
        print(json.dumps({"file": str(path), "name": options.name, "value": value}))
    elif value is None:
        words = locale_of(options, config.read(path))
        tell(words.say("config.unset", str(path), options.name))
    else:
        tell(f"{path}: {options.name} = {toml_lines.dumped(value)}")
    return 0


def _action_of(name: str) -> Action | None:
    """Return the action of a name such as `keys.chat`; None for other names. May raise BadKeys."""
    table, dot, action = name.partition(".")
    if table != config.KEYS or not dot:
        return None
    usual = next((USUAL.keys_for(one) for one in USUAL.rebindable if one.value == action), ())
    # Raises BadKeys for an unknown action.
    KeyMap.of({action: tuple(map(key_written, usual))})
    return USUAL.named(action)


def _read(name: str, wished: list[str]) -> Value:
    """Return typed words as the value of a setting. May raise BadValue."""
    one, text = config.setting(name), " ".join(wished)
    value: Value = text
    if isinstance(one.default, bool) and text.lower() in {*_YES, *_NO}:
        value = text.lower() in _YES
    one.put(Preferences(), value)
    return value


def _read_keys(path: Path, action: Action, wished: list[str]) -> tuple[str, ...]:
    """Return typed words as keys of an action. BadKeys if they clash with the others."""
    try:
        others = config.read(path).keys
    except BadConfig:
        # The fault may be in the very line that is replaced; `change` reports any other.
        others = {}
    KeyMap.of({**others, action.value: wished})
    return tuple(wished)
