"""
Preferences: how one player wants the client to look and behave.

Every field has a default that suits most; the catalogs describe each under `setting.<name>`. All
but the keys are `SETTINGS`, from which the file, the command `manse config`, the settings screen
and the documentation are made.
"""

import enum
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import attrs

from client.locale import LANGUAGES
from commands.speaking import Says
from commands.toml_lines import dumped
from protocol.common.events import MAX_NAME
from protocol.plain_text import is_plain, name_fault


class Theme(enum.Enum):
    """What colours are for."""

    DARK = "dark"
    """On a dark ground."""
    LIGHT = "light"
    """On a light ground."""
    CONTRAST = "contrast"
    """Few colours, all strong."""
    PLAIN = "plain"
    """None: weight and reversal alone."""


class Lines(enum.Enum):
    """What lines are drawn with."""

    AUTO = "auto"
    """Box characters where the terminal's encoding has them."""
    BOXES = "boxes"
    ASCII = "ascii"


class Charset(enum.Enum):
    """Which characters lines are drawn with."""

    BOXES = "boxes"
    ASCII = "ascii"

    def rule(self) -> str:
        """Return the character of a level rule."""
        return "-" if self is Charset.ASCII else "─"

    def corners(self) -> str:
        """Return the corners of a box: upper left, upper right, lower left, lower right."""
        return "++++" if self is Charset.ASCII else "┌┐└┘"

    def upright(self) -> str:
        """Return the character of an upright rule."""
        return "|" if self is Charset.ASCII else "│"


class MapSize(enum.Enum):
    """How large the board is drawn."""

    AUTO = "auto"
    """As large as it fits, smaller where it would have to be scrolled."""
    FULL = "full"
    COMPACT = "compact"


class BadValue(Exception):
    """A setting that there is not, or a value that it cannot have."""

    def __init__(self, key: str, *params: str | int, is_about_value: bool = False) -> None:
        """
        Say what is wrong.

        Args:
            key: of the catalog's words.
            params: of these words.
            is_about_value: whether they say only what would be right.
        """
        super().__init__(key, *params)
        self.key = key
        self.params = params
        self.is_about_value = is_about_value

    def said(self, words: Says) -> str:
        """Return it in words."""
        return words.say(self.key, *self.params)


def check_name(text: str) -> None:
    """BadValue for what nobody can be called."""
    if name_fault(text) is not None:
        raise BadValue("config.name", MAX_NAME, is_about_value=True)


def check_command(text: str) -> None:
    """BadValue for what is no command line."""
    import shlex  # noqa: PLC0415 (most players run no command)

    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if not words or not is_plain(text):
        raise BadValue("config.command", dumped("notify-send Manse"), is_about_value=True)


def check_webhook(text: str) -> None:
    """BadValue for what nothing can be posted to."""
    is_fine = text.startswith(("https://", "http://")) and is_plain(text) and " " not in text
    if not is_fine or not text.partition("://")[2].strip("/"):
        raise BadValue("config.webhook", is_about_value=True)


@attrs.frozen
class Preferences:
    """All settings of one player on one machine."""

    name: str = attrs.field(default="", metadata={"allowed": (), "check": check_name})
    """What the player is called; empty for the last name, or the system's."""
    language: str = attrs.field(default="", metadata={"allowed": ("", *LANGUAGES)})
    """`en` or `fr`; empty for the environment's."""
    theme: Theme = Theme.DARK
    lines: Lines = Lines.AUTO
    map: MapSize = MapSize.AUTO
    dice: bool = True
    """Whether dice are seen to fall."""
    story: bool = True
    """Whether story text opens in a box of its own, besides the journal."""
    mouse: bool = True
    bell: bool = False
    """Whether the terminal's bell rings when it is the player's turn."""
    title: bool = True
    """Whether the terminal's title says whose turn it is."""
    clipboard: bool = True
    """Whether an invitation may be put into the terminal's clipboard."""
    keep_tables: bool = True
    """Whether what tables have shown is kept on this machine."""
    notify_command: str = attrs.field(default="", metadata={"allowed": (), "check": check_command})
    """What `manse notify` runs when a table waits, with the text as one more argument. Split into
    words as a shell does, and never given to one."""
    notify_webhook: str = attrs.field(default="", metadata={"allowed": (), "check": check_webhook})
    """Where `manse notify` posts JSON when a table waits."""
    keys: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Keys by action, in place of the usual ones: `{"chat": ("c", "tab")}`."""


Value: TypeAlias = str | bool
"""What a setting has, as the file says it."""


@attrs.frozen
class Setting:
    """One of the preferences besides the keys."""

    name: str
    default: Value
    allowed: tuple[Value, ...]
    """All values that it can have; empty for a text that is checked otherwise."""
    check: Callable[[str], None] | None = None
    """Checks such a text, unless it is empty: raises BadValue."""

    def of(self, prefs: Preferences) -> Value:
        """Return its value."""
        return _plain(getattr(prefs, self.name))

    def put(self, prefs: Preferences, value: object) -> Preferences:
        """
        Return the preferences with this setting changed.

        Raises:
            BadValue: it cannot have this one.
        """
        changed: Mapping[str, Any] = {self.name: self._checked(value)}
        return attrs.evolve(prefs, **changed)

    def _checked(self, value: object) -> object:
        # True and 1 are equal, but not the same wish.
        is_allowed = any(value == one and type(value) is type(one) for one in self.allowed)
        if self.allowed and not is_allowed:
            values = ", ".join(map(dumped, self.allowed))
            raise BadValue("config.one_of", values, is_about_value=True)
        if not self.allowed and not isinstance(value, str):
            raise BadValue("config.text", is_about_value=True)
        if self.check is not None and value:
            self.check(str(value))
        kind = type(getattr(Preferences(), self.name))
        return kind(value) if issubclass(kind, enum.Enum) else value


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


SETTINGS = tuple(_setting(field) for field in attrs.fields(Preferences) if field.name != "keys")
"""All of them, in the order in which they are shown."""


class NotKept(Exception):
    """A setting that holds, but could not be written down."""

    def __init__(self, said: Callable[[Says], str]) -> None:
        """Keep what puts the reason into words."""
        super().__init__()
        self.said = said


Keep: TypeAlias = Callable[[str, Value], None]
"""Writes a setting down for the next time. NotKept where that cannot be done."""


def keep_nothing(_name: str, _value: Value) -> None:
    """Let it hold for this time alone."""
