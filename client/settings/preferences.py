"""
A player's preferences: how the client looks and behaves.

Every field has a default that suits most players; the catalogs describe each field under
`setting.<name>`. `SETTINGS` lists all fields except the keys. The file, the command `manse config`,
the settings screen and the documentation are made from this list.
"""

import enum
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import attrs

from client.locale import LANGUAGES
from commands.speaking import Says
from commands.toml_lines import dumped
from protocol.common.events import MAX_NAME
from protocol.plain_text import composed, is_plain, name_fault


class Theme(enum.Enum):
    """The set of colours with which the client draws."""

    DARK = "dark"
    LIGHT = "light"
    CONTRAST = "contrast"
    """Few colours, all strong."""
    PLAIN = "plain"
    """No colours, only bold and reverse."""


class Lines(enum.Enum):
    """The player's wish for line characters."""

    AUTO = "auto"
    """Box characters if the terminal's encoding has them."""
    BOXES = "boxes"
    ASCII = "ascii"


class Charset(enum.Enum):
    """The characters that lines are drawn with."""

    BOXES = "boxes"
    ASCII = "ascii"

    def rule(self) -> str:
        return "-" if self is Charset.ASCII else "─"

    def corners(self) -> str:
        """Return the corners of a box: upper left, upper right, lower left, lower right."""
        return "++++" if self is Charset.ASCII else "┌┐└┘"

    def upright(self) -> str:
        return "|" if self is Charset.ASCII else "│"


class MapSize(enum.Enum):
    """The scale at which maps are drawn."""

    AUTO = "auto"
    """As large as possible without scrolling."""
    FULL = "full"
    COMPACT = "compact"


class BadValue(Exception):
    """An unknown setting, or an invalid value."""

    def __init__(self, key: str, *params: str | int, is_about_value: bool = False) -> None:
        """
        Create the error with words of the catalog.

        Args:
            key: the key of the words.
            params: the parameters of the words.
            is_about_value: whether the words name the valid values only, not the setting.
        """
        super().__init__(key, *params)
        self.key = key
        self.params = params
        self.is_about_value = is_about_value

    def in_words(self, words: Says) -> str:
        return words.say(self.key, *self.params)


def check_name(text: str) -> None:
    """Raise BadValue if the text is not a valid name."""
    if name_fault(composed(text)) is not None:
        raise BadValue("config.name", MAX_NAME, is_about_value=True)


def check_command(text: str) -> None:
    """Raise BadValue if the text is not a command line."""
    import shlex  # noqa: PLC0415 (most players run no command)

    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if not words or not is_plain(text):
        raise BadValue("config.command", dumped("notify-send Manse"), is_about_value=True)


def check_webhook(text: str) -> None:
    """Raise BadValue if the text is not a URL to which HTTP can post."""
    is_fine = text.startswith(("https://", "http://")) and is_plain(text) and " " not in text
    if not is_fine or not text.partition("://")[2].strip("/"):
        raise BadValue("config.webhook", is_about_value=True)


@attrs.frozen
class Preferences:
    """All settings of one player on one machine."""

    name: str = attrs.field(default="", metadata={"allowed": (), "check": check_name})
    """The player's name; empty for the last name used, or the system's name."""
    language: str = attrs.field(default="", metadata={"allowed": ("", *LANGUAGES)})
    """`en` or `fr`; empty for the language of the environment."""
    theme: Theme = Theme.DARK
    lines: Lines = Lines.AUTO
    map: MapSize = MapSize.AUTO
    dice: bool = True
    story: bool = True
    """True to open story text in a box, in addition to the journal."""
    mouse: bool = True
    bell: bool = False
    """True to ring the bell when it is the player's turn."""
    title: bool = True
    """True to show in the terminal's title whose turn it is."""
    clipboard: bool = True
    """True to allow copying invitations to the terminal's clipboard."""
    keep_tables: bool = True
    """True to cache tables on this machine."""
    notify_command: str = attrs.field(default="", metadata={"allowed": (), "check": check_command})
    """
    Command that `manse notify` runs when a table awaits the player, with the text as its last
    argument. The command is split like in a shell, but no shell runs it.
    """
    notify_webhook: str = attrs.field(default="", metadata={"allowed": (), "check": check_webhook})
    """URL to which `manse notify` posts JSON when a table awaits the player."""
    keys: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Keys by action that replace the usual keys: `{"chat": ("c", "tab")}`."""


Value: TypeAlias = str | bool
"""The value of a setting, as in the file."""


@attrs.frozen
class Setting:
    """One of the preferences; `keys`, which maps actions to keys, is none of these."""

    name: str
    default: Value
    allowed: tuple[Value, ...]
    """All valid values; empty for a text."""
    check: Callable[[str], None] | None = None
    """Checks a non-empty text; raises BadValue."""

    def value_in(self, prefs: Preferences) -> Value:
        return _plain(getattr(prefs, self.name))

    def with_value(self, prefs: Preferences, value: object) -> Preferences:
        """
        Return the preferences with this setting changed.

        Raises:
            BadValue: the value is invalid.
        """
        # Compare types: True equals 1, but is not a valid number.
        is_allowed = any(value == one and type(value) is type(one) for one in self.allowed)
        if self.allowed and not is_allowed:
            values = ", ".join(map(dumped, self.allowed))
            raise BadValue("config.one_of", values, is_about_value=True)
        if not self.allowed and not isinstance(value, str):
            raise BadValue("config.text", is_about_value=True)
        # An empty text means that the setting is not used.
        if self.check is not None and value:
            self.check(str(value))
        kind = type(getattr(Preferences(), self.name))
        changed: Mapping[str, Any] = {
            self.name: (kind(value) if issubclass(kind, enum.Enum) else value)
        }
        return attrs.evolve(prefs, **changed)


def _plain(value: object) -> Value:
    kept = value.value if isinstance(value, enum.Enum) else value
    assert isinstance(kept, str | bool)
    return kept


def _setting(field: "attrs.Attribute[object]") -> Setting:
    default = _plain(getattr(Preferences(), field.name))
    if "allowed" in field.metadata:
        return Setting(field.name, default, field.metadata["allowed"], field.metadata.get("check"))
    if isinstance(default, bool):
        return Setting(field.name, default, (True, False))
    kind = type(getattr(Preferences(), field.name))
    return Setting(field.name, default, tuple(_plain(one) for one in kind))


# Made from the fields, so that no list of settings can miss one.
SETTINGS = tuple(_setting(field) for field in attrs.fields(Preferences) if field.name != "keys")
"""All settings, in the order of display."""


class NotKept(Exception):
    """A changed setting is in effect, but could not be stored."""

    def __init__(self, said: Callable[[Says], str]) -> None:
        super().__init__()
        self.said = said


Keep: TypeAlias = Callable[[str, Value], None]
"""Stores a setting. Raises NotKept if this fails."""


def keep_nothing(_name: str, _value: Value) -> None:
    """Store nothing: the setting is in effect for this session only."""
