"""
The configuration file: every setting of `manse serve` in `serve.toml`.

The tuple `SETTINGS` describes settings. Defaults of the command line, the reader of the file, the
file that `--write-config` writes, and the table of docs/configuration.md come from `SETTINGS`. The
words of a setting are under `setting.<section>.<name>`. The command line overrides the file.
"""

import argparse
import difflib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

from commands import toml_files, toml_lines
from commands.speaking import Says
from commands.toml_files import BadConfig
from protocol.frames import LIMIT_AFTER_LOGIN
from protocol.invitation import DEFAULT_PORT
from server.lobby.requests.pace import Paces
from server.lobby.tables.opening_policy import Opening, OpeningDefaults
from server.mail.settings import MailSettings, Security
from server.net.limits import Limits
from server.process.setting_kinds import (
    Choice,
    FilePath,
    Fingerprints,
    Flag,
    Games,
    Kind,
    Networks,
    Number,
    Paths,
    Text,
    Whole,
    check_host,
    check_mail_address,
    check_mail_host,
    check_name,
    check_public_address,
)

FILE_NAME: Final = "serve.toml"
"""Name of the configuration file in the server's folder, read if no other file is named."""

Values: TypeAlias = Mapping[str, Any]
"""Parsed values, by the path of the setting."""

MAX_QUOTA: Final = 1_000_000
"""Maximum quota, in tables."""
_SHOWN: Final = 40
"""Maximum characters of an invalid value that an error quotes."""


@attrs.frozen
class Setting:
    """Description of one setting."""

    section: str
    """Table of the file that has the setting."""
    name: str
    default: Any
    """Default as a TOML value."""
    kind: Kind
    is_reloaded: bool = True
    """True if a reload changes the setting; otherwise only a restart does."""
    option: str = ""
    """Name of its command-line option in argparse's namespace; empty for none."""

    @property
    def path(self) -> str:
        """Section and name, joined by a dot."""
        return f"{self.section}.{self.name}"


_LEAST: Final[Mapping[str, float]] = {
    # Clients ping every 20 to 30 seconds, and one ping may be late.
    "limits.idle_seconds": 45.0,
    # One message has to fit.
    "limits.unread_bytes": 1024,
    "limits.queue_bytes": 2 * LIMIT_AFTER_LOGIN,
    "limits.queue_bytes_in_all": 2 * LIMIT_AFTER_LOGIN,
}
"""Minimum of the settings whose smallest value would shut everybody out, by path."""


def _kind_of_limit(path: str, default: object) -> Kind:
    if isinstance(default, int):
        return Whole(int(_LEAST.get(path, 1)))
    # A bucket that never holds one token lets nobody do anything.
    usual = 1.0 if path.endswith("at_once") else Number().least
    return Number(_LEAST.get(path, usual))


def _limits(section: str, of: type[Any]) -> Iterator[Setting]:
    """Yield a setting for each field of a class of limits, then for its nested classes."""
    inner = []
    for field in attrs.fields(of):
        if isinstance(field.default, attrs.Factory):  # type: ignore[arg-type]
            inner.append((f"{section}.{field.name}", field.default.factory))
        else:
            kind = _kind_of_limit(f"{section}.{field.name}", field.default)
            yield Setting(section, field.name, field.default, kind)
    for name, each in inner:
        yield from _limits(name, each)


_MAIL_KINDS: Final[Mapping[str, Kind]] = {
    "host": Text(check_mail_host, "allowed.mail_host", ('"mail.example.org"', '""')),
    "port": Whole(1, 65535),
    "security": Choice(tuple(one.value for one in Security)),
    "user": Text(),
    "password_file": FilePath(),
    "sender": Text(check_mail_address, "allowed.mail_address", ('"manse@example.org"', '""')),
    "after_minutes": Whole(1, 525_600),
    "address_day": Whole(1),
    "all_hour": Whole(1),
}


def _mail() -> Iterator[Setting]:
    for name, kind in _MAIL_KINDS.items():
        default = getattr(MailSettings(), name)
        plain = default.value if isinstance(default, Security) else default
        yield Setting("mail", name, "" if plain is None else plain, kind, is_reloaded=False)


SETTINGS: Final[tuple[Setting, ...]] = (
    Setting("server", "folder", "", FilePath(), is_reloaded=False, option="folder"),
    Setting(
        *("server", "host", "0.0.0.0"),  # noqa: S104 (a server for friends listens to the network)
        *(Text(check_host, "allowed.host"),),
        is_reloaded=False,
        option="host",
    ),
    Setting(*("server", "port", DEFAULT_PORT, Whole(0, 65535)), is_reloaded=False, option="port"),
    Setting("server", "name", "Manse", Text(check_name), option="name"),
    Setting(
        *("server", "public_address", ""),
        Text(check_public_address, "allowed.public_address", ('"host:port"', '""')),
        option="public_address",
    ),
    Setting("server", "certificate", "", FilePath(), option="certificate"),
    Setting("server", "certificate_key", "", FilePath(), option="certificate_key"),
    Setting("server", "proxies", [], Networks(), is_reloaded=False, option="proxy"),
    Setting("server", "games", [], Games()),
    Setting("server", "packs", [], Paths(), is_reloaded=False, option="pack"),
    Setting("server", "disk_low_mb", 256, Whole(0)),
    Setting("logs", "verbose", False, Flag(), option="verbose"),
    Setting("logs", "json", False, Flag(), option="log_json"),
    Setting(*("metrics", "host", "127.0.0.1", Text(check_host, "allowed.host")), is_reloaded=False),
    Setting("metrics", "port", 0, Whole(0, 65535), is_reloaded=False),
    Setting("retention", "finished_days", 0, Whole(0, 36_500)),
    Setting("retention", "abandoned_days", 0, Whole(0, 36_500)),
    Setting("retention", "campaigns", False, Flag()),
    *_mail(),
    Setting("opening", "who", "everybody", Choice(tuple(one.value for one in Opening))),
    Setting("opening", "listed", [], Fingerprints()),
    Setting("opening", "password_file", "", FilePath()),
    Setting("opening", "tables_per_key", OpeningDefaults().tables_per_key, Whole(1, MAX_QUOTA)),
    Setting(
        *("opening", "tables_per_address", OpeningDefaults().tables_per_address),
        Whole(1, MAX_QUOTA),
    ),
    *_limits("pace", Paces),
    *_limits("limits", Limits),
)
BY_PATH: Final[Mapping[str, Setting]] = {one.path: one for one in SETTINGS}
SECTIONS: Final = tuple(dict.fromkeys(one.section for one in SETTINGS))
GONE: Final = ("server.workers",)
"""
Settings of earlier releases, by path. If a file or a command line still gives one, the server
starts with a warning: an upgrade must not leave a club without its server.
"""
OPTIONS: Final[Mapping[str, Setting]] = {one.option: one for one in SETTINGS if one.option}


class BadConfiguration(Exception):
    """The configuration has mistakes. No part of it is used."""

    def __init__(self, *mistakes: BadConfig) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes

    def said(self, words: Says) -> tuple[str, ...]:
        """Return a sentence for each mistake, safe for a terminal."""
        return tuple(mistake.in_words(words) for mistake in self.mistakes)


@attrs.frozen
class Configuration:
    """Settings of file and command line together."""

    values: Values
    """Values of every setting, including given settings from `GONE`."""
    file: Path | None = None
    """The file that was read; None if there is none."""

    def __getitem__(self, path: str) -> Any:
        return self.values[path]

    @property
    def paces(self) -> Paces:
        made: Paces = self._made_of("pace", Paces)
        return made

    @property
    def limits(self) -> Limits:
        made: Limits = self._made_of("limits", Limits)
        return made

    @property
    def mail(self) -> MailSettings:
        """The mail relay, and the limits of mailing."""
        made: MailSettings = self._made_of("mail", MailSettings)
        return made

    @property
    def gone(self) -> tuple[str, ...]:
        """Paths of the given settings that no longer have an effect."""
        return tuple(path for path in GONE if path in self.values)

    def changed_since(self, earlier: "Configuration") -> tuple[Setting, ...]:
        """Return the settings whose value differs from the earlier configuration."""
        return tuple(one for one in SETTINGS if self[one.path] != earlier[one.path])

    def with_unreloaded_of(self, earlier: "Configuration") -> "Configuration":
        """Return a copy with the earlier values of the settings that only a restart changes."""
        kept = {one.path: earlier[one.path] for one in SETTINGS if not one.is_reloaded}
        return attrs.evolve(self, values={**self.values, **kept})

    def _made_of(self, section: str, of: type[Any]) -> Any:
        given = {}
        for field in attrs.fields(of):
            path = f"{section}.{field.name}"
            has_value = path in BY_PATH
            given[field.name] = self[path] if has_value else self._made_of(path, field.type)
        return of(**given)


def configuration(given: Values, file: Path | None, usual_folder: Path) -> Configuration:
    """
    Read the file, and override its values by values of the command line.

    Args:
        given: values of the command line, by path.
        file: the named file; None for the file in the server's folder, if there is one.
        usual_folder: folder of the server if neither file nor command line names one.

    Raises:
        BadConfiguration: the named file is missing or invalid, or its values contradict each other
            or those of the command line.
    """
    path = file or place_of_file(given, usual_folder)
    try:
        text = toml_files.text_of(path)
        if text is None and file is not None:
            raise BadConfiguration(BadConfig(path, lambda words: words.say("fault.missing")))
        read = {} if text is None else parsed(text, path)
    except BadConfig as bad:
        raise BadConfiguration(bad) from bad
    values = {one.path: one.kind.read(one.default, Path()) for one in SETTINGS}
    # The command line overrides the file, and the file overrides the defaults.
    values |= {**read, **given}
    if values["server.folder"] is None:
        values["server.folder"] = usual_folder
    pair = ("server.certificate", "server.certificate_key")
    if len([name for name in pair if values[name] is None]) == 1:
        line = next((_line_of(text or "", name) for name in pair if name in read), None)
        raise BadConfiguration(BadConfig(path, lambda words: words.say("serve.pair", *pair), line))
    if values["mail.host"] and not values["mail.sender"]:
        line = _line_of(text or "", "mail.host")
        raise BadConfiguration(BadConfig(path, lambda words: words.say("serve.no_sender"), line))
    who = values["opening.who"]
    if who == Opening.PASSWORD.value and values["opening.password_file"] is None:
        line = _line_of(text or "", "opening.who")
        needed = BadConfig(path, lambda words: words.say("serve.password_file", who), line)
        raise BadConfiguration(needed)
    return Configuration(values, None if text is None else path)


def given_by(options: argparse.Namespace) -> Values:
    """Return the values given on a command line, by path: its options that are not None."""
    found = {setting.path: getattr(options, name) for name, setting in OPTIONS.items()}
    found |= {path: getattr(options, path.rpartition(".")[2], None) for path in GONE}
    return {
        path: tuple(value) if isinstance(value, list) else value
        for path, value in found.items()
        if value is not None
    }


def place_of_file(given: Values, usual_folder: Path) -> Path:
    """Return the path of the file that is read if none is named."""
    folder: Path = given.get("server.folder") or usual_folder
    return folder / FILE_NAME


def parsed(text: str, path: Path) -> Values:
    """
    Parse the text of a configuration file.

    Args:
        text: TOML.
        path: the file, for relative paths and error messages.

    Raises:
        BadConfiguration: settings are unknown or have values that are not allowed; it lists all of
            them.
        BadConfig: the text is no TOML.
    """
    values, mistakes = {}, []
    for at, value in _leaves(toml_files.tables(text, path)):
        if at in GONE:
            values[at] = value
            continue
        setting = BY_PATH.get(at)
        if setting is None:
            mistakes.append(BadConfig(path, _unknown(at), _line_of(text, at)))
            continue
        try:
            values[at] = setting.kind.read(value, path.parent)
        except ValueError:
            what = _not_allowed(setting, value, path.parent)
            mistakes.append(BadConfig(path, what, _line_of(text, at)))
    if mistakes:
        raise BadConfiguration(*sorted(mistakes, key=lambda mistake: mistake.line or 0))
    return values


def _leaves(tables: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, object]]:
    """Yield all values by path. A table that is no section of settings counts as a value."""
    for name, value in tables.items():
        path = f"{above}{name}"
        if isinstance(value, dict) and path in SECTIONS:
            yield from _leaves(value, f"{path}.")
        else:
            yield path, value


def _line_of(text: str, path: str) -> int | None:
    section, _, name = path.rpartition(".")
    at = (*section.split("."), name) if section else (name,)
    return toml_lines.line_of(text, at)


def _unknown(path: str) -> Callable[[Says], str]:
    likely = difflib.get_close_matches(path, (*BY_PATH, *SECTIONS), n=1, cutoff=0.6)
    # A right name under a wrong section is a likely mistake.
    by_name = [one.path for one in SETTINGS if one.name == path.rpartition(".")[2]]
    for meant in (*by_name, *likely):
        return lambda words: words.say("serve.meant_setting", path, meant)
    return lambda words: words.say("serve.no_setting", path)


def _not_allowed(setting: Setting, value: object, folder: Path) -> Callable[[Says], str]:
    if isinstance(value, list):
        # The first item that is wrong on its own says more than the list.
        value = next((item for item in value if not _can_read(setting, [item], folder)), value)
    if isinstance(value, list | dict):
        shown = "[…]" if isinstance(value, list) else "{…}"
    else:
        shown = json.dumps(value, ensure_ascii=False, default=str)
    short = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    key, params = setting.kind.allowed
    return lambda words: words.say(
        "serve.bad_setting", setting.path, short, words.say(key, *params)
    )


def _can_read(setting: Setting, value: object, folder: Path) -> bool:
    try:
        setting.kind.read(value, folder)
    except ValueError:
        return False
    return True


def template(words: Says) -> str:
    """Return a file that describes every setting, with its default in a comment."""
    lines = [f"# {words.say('serve.config_head')}"]
    for section in SECTIONS:
        lines += ["", f"# {words.say(f'section.{section}')}", f"[{section}]"]
        for one in SETTINGS:
            if one.section == section:
                lines += ["", *_described(one, words), f"#{one.name} = {shown_default(one)}"]
    return "\n".join(lines) + "\n"


def shown_default(setting: Setting) -> str:
    """Return the default of a setting as TOML."""
    return json.dumps(setting.default, ensure_ascii=False)


def _described(setting: Setting, words: Says) -> Iterator[str]:
    key, params = setting.kind.allowed
    yield f"# {words.say(f'setting.{setting.path}')}"
    yield f"# {words.say(key, *params)}"
    if not setting.is_reloaded:
        yield f"# {words.say('serve.needs_restart')}"
