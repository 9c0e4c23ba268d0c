"""
The configuration file `config.toml`: a player's preferences.

A command reads the file once at its start. Any fault is reported with file, line and key, and the
command does not begin, because a silently ignored setting is hard to find. A change replaces a
single value and leaves everything else in the file as the player wrote it.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import attrs

from client.keymap.key_names import nearest
from client.keymap.key_names import written as key_written
from client.keymap.keys import USUAL, BadKeys, KeyMap
from client.keyring import private_files
from client.settings.preferences import (
    SETTINGS,
    BadValue,
    Keep,
    NotKept,
    Preferences,
    Setting,
    Value,
)
from commands import toml_files, toml_lines
from commands.faults import why_refused
from commands.speaking import SETTINGS_FILE, Says, settings_path
from commands.toml_files import BadConfig
from commands.toml_lines import TomlValue

FILE = SETTINGS_FILE
KEYS = "keys"
"""The TOML table of the keys, by action."""

_SAMPLE_KEYS = ("c", "tab")
_SHOWN = 40
"""The maximum length of a quoted wrong value."""


class NotWritten(BadConfig):
    """The file cannot be written and is unchanged."""


config_path = settings_path


def keeper(path: Path, words: Says) -> Keep:
    """Return a function that stores a setting in a file; a new file gets comments in `words`."""

    def keep(name: str, value: Value) -> None:
        try:
            change(path, (name,), value, words)
        except BadConfig as problem:
            raise NotKept(problem.in_words) from problem

    return keep


# Reading -----------------------------------------------------------------------------------


def read(path: Path) -> Preferences:
    """Return the preferences in a file; the defaults if there is no file. May raise BadConfig."""
    text = toml_files.text_of(path)
    return Preferences() if text is None else parse(text, path)


def parse(text: str, path: Path) -> Preferences:
    """
    Parse the text of a configuration file.

    Args:
        text: the text, in TOML.
        path: the path of the file, for messages.

    Raises:
        BadConfig: the text is malformed, or a setting is invalid.
    """
    prefs = Preferences()
    for name, value in toml_files.tables(text, path).items():
        try:
            if name == KEYS:
                prefs = attrs.evolve(prefs, keys=keys_in(value))
            else:
                prefs = setting(name).with_value(prefs, value)
        except BadKeys as bad:
            where = (KEYS, bad.action) if bad.action else (KEYS,)
            line = toml_lines.line_of(text, where)
            raise BadConfig(path, keys_fault(bad), line) from bad
        except BadValue as bad:
            line = toml_lines.line_of(text, (name,))
            raise BadConfig(path, value_fault(name, value, bad), line) from bad
    return prefs


def setting(name: str) -> Setting:
    """Return the setting with a name. Raise BadValue for an unknown name."""
    for one in SETTINGS:
        if one.name == name:
            return one
    likely = nearest(name, (*(one.name for one in SETTINGS), KEYS))
    if likely is not None:
        raise BadValue("config.meant_setting", name, likely)
    raise BadValue("config.no_setting", name)


def keys_in(table: object) -> Mapping[str, tuple[str, ...]]:
    """
    Return the keys by action in a table of the file.

    Raises:
        BadKeys: the value is no table, or the keys are invalid.
    """
    if not isinstance(table, dict):
        raise BadKeys("", "config.keys_table")
    for action, keys in table.items():
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            raise BadKeys(action, "config.key_list", toml_lines.dumped(_SAMPLE_KEYS))
    wishes = {action: tuple(keys) for action, keys in table.items()}
    KeyMap.with_wishes(wishes)
    return wishes


def keys_fault(bad: BadKeys) -> Callable[[Says], str]:
    """Return a function that describes invalid keys, given the words of a language."""
    name = ".".join([KEYS, bad.action] if bad.action else [KEYS])
    return lambda words: words.say("config.of", name, bad.in_words(words))


def value_fault(name: str, value: object, bad: BadValue) -> Callable[[Says], str]:
    """Return a function that describes an invalid value, given the words of a language."""
    if not bad.is_about_value:
        return bad.in_words
    if isinstance(value, list | dict):
        shown = "[…]" if isinstance(value, list) else "{…}"
    else:
        shown = toml_lines.dumped(value) if isinstance(value, str | bool) else str(value)
    short = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
    return lambda words: words.say("config.value", name, short, bad.in_words(words))


# Writing -----------------------------------------------------------------------------------


def change(path: Path, at: toml_lines.Path, value: TomlValue | None, words: Says) -> None:
    """
    Change one value in a file, or create a file that describes every setting.

    Args:
        path: the file, which need not exist.
        at: the position of the value, such as `("theme",)` or `("keys", "chat")`.
        value: the new value; None to remove the old one.
        words: words for the descriptions.

    Raises:
        BadConfig: the file cannot be read or written, or would become invalid.
    """
    # Removing a setting must not create a file.
    if value is None and toml_files.text_of(path) is None:
        return
    try:
        # Another window may be changing another setting.
        with private_files.locked(path):
            _change(path, at, value, words)
    except OSError as error:
        fault = error
        raise NotWritten(
            path, lambda words: words.say("config.unwritable", why_refused(fault, words.say))
        ) from error


def _change(path: Path, at: toml_lines.Path, value: TomlValue | None, words: Says) -> None:
    old = toml_files.text_of(path)
    text = old if old is not None else template(words)
    # A file that is broken already is reported, and not made worse.
    toml_files.tables(text, path)
    try:
        new = toml_lines.remove(text, at) if value is None else toml_lines.put(text, at, value)
    except toml_lines.CannotEdit as error:
        name = ".".join(at)
        raise BadConfig(path, lambda words: words.say("config.no_line", name)) from error
    # Before writing: the next start must be able to read the file.
    parse(new, path)
    if new == old:
        return
    private_files.replace(path, new.encode("utf-8"))


def template(words: Says) -> str:
    """Return a file that describes every setting, with the defaults commented out."""
    lines = [f"# {words.say('config.head')}"]
    for one in SETTINGS:
        lines += ["", f"# {words.say(f'setting.{one.name}')}"]
        if one.allowed:
            lines.append(f"# {allowed(one.allowed, words)}")
        lines.append(f"#{one.name} = {toml_lines.dumped(one.default)}")
    lines += ["", f"# {words.say('config.head_keys')}", f"[{KEYS}]"]
    for action in USUAL.rebindable:
        usual = [key_written(key) for key in USUAL.keys_for(action)]
        lines += ["", f"# {words.say(f'key.{action.value}')}"]
        lines.append(f"#{action.value} = {toml_lines.dumped(usual)}")
    return "\n".join(lines) + "\n"


def allowed(values: Iterable[Value], words: Says) -> str:
    """Return the values that a setting can have, in words."""
    return words.say("config.one_of", ", ".join(map(toml_lines.dumped, values)))
