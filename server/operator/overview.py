"""
The overview of `manse admin`: drawing its lines, handling its keys.

This module uses no terminal and no socket: `Overview` takes reports of the server, draws lines for
any number of rows, and returns the act that a key triggers. `server.operator.screen` shows the
lines on a terminal.
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
"""A style and a text; the terminal clips long texts."""

DRAIN_MINUTES: Final = 15
_HEAD: Final = 1
"""Number of heading lines above a list."""


@attrs.frozen
class Reports:
    """Reports of the server from one poll."""

    state: State
    tables: Sequence[TableLine]
    people: Sequence[PersonLine]


@attrs.frozen
class Prompt:
    """A prompt, and the line typed so far."""

    label: str
    act: Callable[[str], Act | None]
    """Returns the act for the typed line; None to cancel."""
    typed: str = ""


@attrs.define(eq=False)
class Overview:
    """State of the overview: reports, cursor, prompt and message."""

    words: CommandWords
    reports: Reports | None = None
    message: str = ""
    """Result of the last act, or the reason why the server does not answer."""
    load: float = 0.0
    """CPU use between the last two reports; 1 is one whole core."""
    shows_people: bool = False
    prompt: Prompt | None = None
    _cursor: int = 0

    def show(self, reports: Reports, seconds: float) -> None:
        """Replace the reports; `seconds` have passed since the earlier ones."""
        if self.reports is not None and seconds > 0:
            used = reports.state.cpu_ms - self.reports.state.cpu_ms
            self.load = max(0.0, used / 1000 / seconds)
        self.reports = reports
        self._cursor = max(0, min(self._cursor, self._count - 1))

    # Keys

    def press(self, key: str) -> Act | None:
        """
        Handle a key, and return the act that it completes; None for no act.

        Keys are a single character, `up`, `down`, `tab`, `enter`, `escape` and `backspace`.
        """
        if self.prompt is not None:
            return self._type(self.prompt, key)
        match key:
            case "up" | "down":
                step = 1 if key == "down" else -1
                self._cursor = max(0, min(self._cursor + step, self._count - 1))
            case "tab":
                self.shows_people, self._cursor = not self.shows_people, 0
            case _ if key in (prompts := self._prompts()):
                self.message, self.prompt = "", prompts[key]
            case _:
                pass
        return None

    def _prompts(self) -> dict[str, Prompt]:
        """Return the prompts by the letters that open them, for the row under the cursor."""

        def ask(name: str, act: Callable[[str], Act | None], *params: object) -> Prompt:
            return Prompt(self.words.say(f"admin.screen.{name}", *params), act)

        prompts = {
            "a": ask("ask_announce", lambda typed: Announce(typed) if typed else None),
            "d": ask("ask_drain", self._confirmed(BeginDrain(DRAIN_MINUTES)), DRAIN_MINUTES),
            "o": ask("ask_opening", opening_typed),
            "u": ask("ask_quotas", quotas_typed),
        }
        if self.reports is None or not self._count:
            return prompts
        if self.shows_people:
            person = self.reports.people[self._cursor]
            for key, name, act in (
                ("k", "ask_kick", Kick(person.fingerprint)),
                ("b", "ask_ban", Ban(person.fingerprint)),
                ("l", "ask_allow", Allow(person.fingerprint)),
                ("x", "ask_disallow", Disallow(person.fingerprint)),
            ):
                prompts[key] = ask(name, self._confirmed(act), person.name)
            return prompts
        table = self.reports.tables[self._cursor]
        room_id = table.room_id
        pausing = ("ask_resume", ResumeTable) if table.is_paused else ("ask_pause", PauseTable)
        prompts["r"] = ask("ask_revoke", self._confirmed(Revoke(room_id)), room_id)
        prompts["y"] = ask("ask_agree", self._confirmed(AgreeToGoBack(room_id)), room_id)
        for key, name, act_of in (("c", "ask_close", CloseTable), ("p", *pausing)):
            prompts[key] = ask(name, _for_a_reason(act_of, table), room_id)
        return prompts

    def _confirmed(self, act: Act) -> Callable[[str], Act | None]:
        yes = self.words.say("admin.screen.yes")
        return lambda typed: act if typed.casefold() == yes else None

    def _type(self, prompt: Prompt, key: str) -> Act | None:
        match key:
            case "enter":
                self.prompt = None
                act = prompt.act(clean(prompt.typed)[:MAX_TEXT])
                self.message = self.words.say("admin.screen.nothing") if act is None else ""
                return act
            case "escape":
                self.prompt = None
            case "backspace":
                self.prompt = attrs.evolve(prompt, typed=prompt.typed[:-1])
            case _ if len(key) == 1 and key.isprintable():
                self.prompt = attrs.evolve(prompt, typed=prompt.typed + key)
            case _:
                pass
        return None

    @property
    def _count(self) -> int:
        if self.reports is None:
            return 0
        return len(self.reports.people if self.shows_people else self.reports.tables)

    # Drawing

    def draw(self, rows: int) -> list[Line]:
        if self.reports is None:
            return [("", visible(self.message or self.words.say("admin.screen.waiting")))][:rows]
        above = [("", line) for line in state_in_words(self.reports.state, self.words)]
        above.append(("", self.words.say("admin.screen.load", f"{self.load * 100:.0f}")))
        heading = "admin.screen.people" if self.shows_people else "admin.screen.tables"
        above += [("", ""), ("bold", self.words.say(heading))]
        if self.prompt is None:
            own = "admin.screen.people_keys" if self.shows_people else "admin.screen.tables_keys"
            below, keys = [("", self.message)], [own, "admin.screen.general_keys"]
        else:
            # Below the question, which may be as wide as the terminal.
            below = [("", self.prompt.label), ("", f"> {self.prompt.typed}_")]
            keys = ["admin.screen.keys_typing"]
        below += [("reverse", self.words.say(key)) for key in keys]
        room = max(0, rows - len(above) - len(below))
        drawn = [*above, *self._list(room)]
        drawn += [("", "")] * max(0, rows - len(drawn) - len(below))
        # A terminal that is too low loses the top: the question and the keys stay visible.
        return [(style, visible(text)) for style, text in (*drawn, *below)][-rows:]

    def _list(self, rows: int) -> list[Line]:
        assert self.reports is not None
        if self.shows_people:
            told = list(people_in_words(self.reports.people, self.words))
        else:
            told = list(tables_in_words(self.reports.tables, self.words))
        if not self._count:
            return [("", line) for line in told][:rows]
        head, lines = told[:_HEAD], told[_HEAD:]
        # Scroll no further than needed to show the cursor.
        first = max(0, self._cursor - max(0, rows - _HEAD - 1))
        drawn: list[Line] = [("underline", line) for line in head]
        for at, line in enumerate(lines[first:], first):
            drawn.append(("reverse" if at == self._cursor else "", line))
        return drawn[:rows]


def opening_typed(typed: str) -> Act | None:
    """Return the act for a typed policy of opening tables; None for any other word."""
    if typed == SETTINGS:
        return UseSettings()
    known = {one.value: one for one in Opening}
    return SetOpening(known[typed]) if typed in known else None


def quotas_typed(typed: str) -> Act | None:
    """Return the act for two typed quotas, by key and by address; None for other text."""
    numbers = [int(word) for word in typed.split() if word.isascii() and word.isdigit()]
    is_fit = len(numbers) == len(typed.split()) == 2 and max(numbers) <= MAX_QUOTA
    return SetQuotas(*numbers) if is_fit and any(numbers) else None


def _for_a_reason(
    act: type[PauseTable | ResumeTable | CloseTable], table: TableLine
) -> Callable[[str], Act | None]:
    """Return a function from a typed reason to the act on a table; an empty reason cancels."""
    return lambda typed: act(table.room_id, typed) if typed else None
