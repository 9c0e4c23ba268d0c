"""
The overview of `manse admin`: what fills the terminal, and what keys do there.

Nothing here knows a terminal or a socket: `Overview` is shown what the server told, draws lines for
any number of rows, and says which act a key means. `server.operator.screen` puts it on a terminal.
"""

from collections.abc import Callable, Sequence
from typing import Final

import attrs

from commands.speaking import CommandWords
from protocol.common.visible import visible
from protocol.plain_text import clean
from server.admin.vocabulary import (
    MAX_QUOTA,
    MAX_TEXT,
    SETTINGS,
    Act,
    AgreeToGoBack,
    Allow,
    Announce,
    Ban,
    BeginDrain,
    CloseTable,
    Disallow,
    Kick,
    PauseTable,
    PersonLine,
    ResumeTable,
    Revoke,
    SetOpening,
    SetQuotas,
    State,
    TableLine,
    UseSettings,
)
from server.lobby.tables.opening_policy import Opening
from server.operator.words import people_in_words, state_in_words, tables_in_words

Line = tuple[str, str]
"""A style and a text, which is clipped where it is too long."""

DRAIN_MINUTES: Final = 15
_HEAD: Final = 1
"""Lines above a list."""


@attrs.frozen
class Seen:
    """Reports of the server, taken together."""

    state: State
    tables: Sequence[TableLine]
    people: Sequence[PersonLine]


@attrs.frozen
class Asked:
    """A line that is typed before something is done."""

    label: str
    act: Callable[[str], Act | None]
    """Returns what is done with what was typed; None for nothing."""
    typed: str = ""


@attrs.define(eq=False)
class Overview:
    """Content of the overview, and its cursor."""

    words: CommandWords
    seen: Seen | None = None
    message: str = ""
    """Result of the last act, or the reason why the server does not answer."""
    load: float = 0.0
    """CPU use between the last two reports; 1 is one whole core."""
    shows_people: bool = False
    asked: Asked | None = None
    _cursor: int = 0

    def show(self, seen: Seen, seconds: float) -> None:
        """Take what the server told, so many seconds after the last time."""
        if self.seen is not None and seconds > 0:
            used = seen.state.cpu_ms - self.seen.state.cpu_ms
            self.load = max(0.0, used / 1000 / seconds)
        self.seen = seen
        self._cursor = max(0, min(self._cursor, self._count - 1))

    # Keys

    def press(self, key: str) -> Act | None:
        """Do what a key means: a letter, `up`, `down`, `tab`, `enter`, `escape`, `backspace`."""
        if self.asked is not None:
            return self._type(self.asked, key)
        match key:
            case "up" | "down":
                step = 1 if key == "down" else -1
                self._cursor = max(0, min(self._cursor + step, self._count - 1))
            case "tab":
                self.shows_people, self._cursor = not self.shows_people, 0
            case _:
                self._begin(key)
        return None

    def _begin(self, key: str) -> None:
        """Ask for what has to be typed before something is done; no other key means anything."""
        if key == "a":
            self._ask("ask_announce", lambda typed: Announce(typed) if typed else None)
        elif key == "d":
            self._ask("ask_drain", self._confirmed(BeginDrain(DRAIN_MINUTES)), DRAIN_MINUTES)
        elif key == "o":
            self._ask("ask_opening", opening_typed)
        elif key == "u":
            self._ask("ask_quotas", quotas_typed)
        elif (person := self._person) is not None:
            self._begin_on_person(key, person)
        elif (table := self._table) is not None:
            self._begin_on_table(key, table)

    def _begin_on_person(self, key: str, person: PersonLine) -> None:
        if key == "k":
            self._ask("ask_kick", self._confirmed(Kick(person.fingerprint)), person.name)
        elif key == "b":
            self._ask("ask_ban", self._confirmed(Ban(person.fingerprint)), person.name)
        elif key == "l":
            self._ask("ask_allow", self._confirmed(Allow(person.fingerprint)), person.name)
        elif key == "x":
            self._ask("ask_disallow", self._confirmed(Disallow(person.fingerprint)), person.name)

    def _begin_on_table(self, key: str, table: TableLine) -> None:
        room_id = table.room_id
        if key == "r":
            self._ask("ask_revoke", self._confirmed(Revoke(room_id)), room_id)
        elif key == "y":
            self._ask("ask_agree", self._confirmed(AgreeToGoBack(room_id)), room_id)
        elif key == "c":
            self._ask("ask_close", _for_a_reason(CloseTable, table), room_id)
        elif key == "p" and table.is_paused:
            self._ask("ask_resume", _for_a_reason(ResumeTable, table), room_id)
        elif key == "p":
            self._ask("ask_pause", _for_a_reason(PauseTable, table), room_id)

    def _ask(self, what: str, act: Callable[[str], Act | None], *params: object) -> None:
        self.message = ""
        self.asked = Asked(self.words.say(f"admin.screen.{what}", *params), act)

    def _confirmed(self, act: Act) -> Callable[[str], Act | None]:
        yes = self.words.say("admin.screen.yes")
        return lambda typed: act if typed.casefold() == yes else None

    def _type(self, asked: Asked, key: str) -> Act | None:
        match key:
            case "enter":
                self.asked = None
                act = asked.act(clean(asked.typed)[:MAX_TEXT])
                self.message = self.words.say("admin.screen.nothing") if act is None else ""
                return act
            case "escape":
                self.asked = None
            case "backspace":
                self.asked = attrs.evolve(asked, typed=asked.typed[:-1])
            case _ if len(key) == 1 and key.isprintable():
                self.asked = attrs.evolve(asked, typed=asked.typed + key)
            case _:
                pass
        return None

    @property
    def _count(self) -> int:
        if self.seen is None:
            return 0
        return len(self.seen.people if self.shows_people else self.seen.tables)

    @property
    def _person(self) -> PersonLine | None:
        is_one = self.seen is not None and self.shows_people and self._count
        return self.seen.people[self._cursor] if is_one and self.seen is not None else None

    @property
    def _table(self) -> TableLine | None:
        is_one = self.seen is not None and not self.shows_people and self._count
        return self.seen.tables[self._cursor] if is_one and self.seen is not None else None

    # Drawing

    def draw(self, rows: int) -> list[Line]:
        """Return as many lines as the terminal has, or fewer."""
        if self.seen is None:
            return [("", visible(self.message or self.words.say("admin.screen.waiting")))][:rows]
        above = [("", line) for line in state_in_words(self.seen.state, self.words)]
        above.append(("", self.words.say("admin.screen.load", f"{self.load * 100:.0f}")))
        above += [("", ""), ("bold", self.words.say(self._title()))]
        below = [("", line) for line in self._bottom()]
        below += [("reverse", self.words.say(hint)) for hint in self._hints()]
        room = max(0, rows - len(above) - len(below))
        drawn = [*above, *self._list(room)]
        drawn += [("", "")] * max(0, rows - len(drawn) - len(below))
        return [(style, visible(text)) for style, text in (*drawn, *below)][-rows:]

    def _title(self) -> str:
        return "admin.screen.people" if self.shows_people else "admin.screen.tables"

    def _hints(self) -> tuple[str, ...]:
        if self.asked is not None:
            return ("admin.screen.keys_typing",)
        own = "admin.screen.people_keys" if self.shows_people else "admin.screen.tables_keys"
        return own, "admin.screen.general_keys"

    def _bottom(self) -> tuple[str, ...]:
        if self.asked is None:
            return (self.message,)
        # Below the question, which may be as wide as the terminal.
        return self.asked.label, f"> {self.asked.typed}_"

    def _list(self, rows: int) -> list[Line]:
        assert self.seen is not None
        if self.shows_people:
            told = list(people_in_words(self.seen.people, self.words))
        else:
            told = list(tables_in_words(self.seen.tables, self.words))
        if not self._count:
            return [("", line) for line in told][:rows]
        head, lines = told[:_HEAD], told[_HEAD:]
        first = max(0, self._cursor - max(0, rows - _HEAD - 1))
        drawn: list[Line] = [("underline", line) for line in head]
        for at, line in enumerate(lines[first:], first):
            drawn.append(("reverse" if at == self._cursor else "", line))
        return drawn[:rows]


def opening_typed(typed: str) -> Act | None:
    """Return what is meant by a word for who may open tables; None for any other."""
    if typed == SETTINGS:
        return UseSettings()
    known = {one.value: one for one in Opening}
    return SetOpening(known[typed]) if typed in known else None


def quotas_typed(typed: str) -> Act | None:
    """Return what two numbers mean, of a key and of an address, 0 for as it is; None for others."""
    numbers = [int(word) for word in typed.split() if word.isascii() and word.isdigit()]
    is_fit = len(numbers) == len(typed.split()) == 2 and max(numbers) <= MAX_QUOTA
    return SetQuotas(*numbers) if is_fit and any(numbers) else None


def _for_a_reason(
    act: type[PauseTable | ResumeTable | CloseTable], table: TableLine
) -> Callable[[str], Act | None]:
    """Return what does something to a table for the reason that is typed; nothing for none."""
    return lambda typed: act(table.room_id, typed) if typed else None
