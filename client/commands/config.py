"""The command `manse config`: prints all settings, and changes a setting in the player's file."""

# ruff: noqa: T201 (a command's output is what it prints)

import argparse
import json
import os
import secrets
import sys
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
from commands.toml_files import BadConfig
from commands.toml_lines import TomlValue
from protocol.keys import fingerprint, fingerprint_text

STATUS_FAILED = 1
_YES = ("true", "on", "yes")
_NO = ("false", "off", "no")
_ENVIRONMENT = ("NO_COLOR", "MANSE_ASCII", "MANSE_LANGUAGE")
"""Environment variables that override the file."""


def main(argv: list[str]) -> int:
    """
    Print all settings, or change a setting.

    Returns:
        0; 1 if writing failed; 2 for invalid input.
    """
    parser = parser_for("config", argv)
    parser.add_argument("--path", action="store_true")
    parser.add_argument("--fingerprint", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_language()
    tools = parser.add_tools("set|unset", dest="tool")
    putting = tools.add("set")
    putting.add_argument("name", metavar="NAME")
    putting.add_argument("value", metavar="VALUE", nargs="+")
    tools.add("unset").add_argument("name", metavar="NAME")
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
        tell(f"{parser.prog}: {problem.in_words(words)}", sys.stderr)
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


def _words(options: argparse.Namespace) -> Locale:
    """Return words for error messages, without reading the player's file."""
    return locale_of(options, Preferences())


# Telling -----------------------------------------------------------------------------------


@attrs.frozen
class _SettingEntry:
    name: str
    value: TomlValue
    default: TomlValue
    allowed: tuple[Value, ...]
    about: str

    def as_json(self) -> object:
        return {**attrs.asdict(self), "allowed": list(self.allowed) or None}


def _tell(path: Path, options: argparse.Namespace) -> int:
    prefs = config.read(path)
    locale = locale_of(options, prefs)
    outdoing = [name for name in _ENVIRONMENT if os.environ.get(name)]
    entries = [
        _SettingEntry(
            one.name,
            one.value_in(prefs),
            one.default,
            one.allowed,
            locale.say(f"setting.{one.name}"),
        )
        for one in SETTINGS
    ]
    keys = KeyMap.with_wishes(prefs.keys)
    for action in keys.rebindable:
        have, usual = (
            tuple(key_written(key) for key in keymap.keys_for(action)) for keymap in (keys, USUAL)
        )
        about = locale.say(f"key.{action.value}")
        entries.append(_SettingEntry(f"{config.KEYS}.{action.value}", have, usual, (), about))
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
    action = _action_of(options.name)
    at = (options.name,) if action is None else (config.KEYS, action.value)
    value: TomlValue | None = None
    if action is None:
        # Even to remove a setting, its name must be known.
        setting = config.setting(options.name)
        if options.tool == "set":
            text = " ".join(options.value)
            is_switch = isinstance(setting.default, bool) and text.lower() in {*_YES, *_NO}
            typed: Value = text.lower() in _YES if is_switch else text
            # Only to raise BadValue for an invalid value.
            setting.with_value(Preferences(), typed)
            value = typed
    elif options.tool == "set":
        try:
            others = config.read(path).keys
        except BadConfig:
            # The fault may be in the very line that is replaced; `change` reports any other.
            others = {}
        # Raises BadKeys if they clash with the others.
        KeyMap.with_wishes({**others, action.value: options.value})
        value = tuple(options.value)
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
    """
    Return the action of a setting such as `keys.chat`; None if the setting is not for keys.

    Raises:
        BadKeys: no action has this name, or its keys are fixed.
    """
    table, dot, action = name.partition(".")
    if table != config.KEYS or not dot:
        return None
    usual = next((USUAL.keys_for(one) for one in USUAL.rebindable if one.value == action), ())
    # Raises BadKeys for an unknown action.
    KeyMap.with_wishes({action: tuple(map(key_written, usual))})
    return USUAL.named(action)
