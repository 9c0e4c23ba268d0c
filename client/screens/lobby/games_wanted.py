"""The box that filters the list of finished games."""

from collections.abc import Callable
from functools import partial

import attrs

from client.keymap.keys import Action
from client.model.found_games import GamesWanted, read_day
from client.screens.base.boxes import Item, Menu
from client.screens.base.screen import CannotDo, Desk, TextEntry
from protocol.bounds import MAX_SEATS

_NO_DAY = "-"
"""The text to type for "any day"."""


@attrs.define(eq=False)
class GamesWantedBox(Menu):
    """The menu of the filters. Its first item starts the search."""

    find: Callable[[GamesWanted], None]
    """Starts a search with the filters; may raise CannotDo."""
    wanted: GamesWanted

    def __attrs_post_init__(self) -> None:
        self._set()

    def act(self, action: Action, key: str) -> None:
        """
        Move, choose, or close.

        After a choice, the box stays open with the cursor on the next filter.
        """
        if action is Action.CHOOSE:
            # Without closing first, as other menus do: several filters may be set.
            self.items[self._cursor].run()
        else:
            super().act(action, key)

    def _set(self, **changes: object) -> None:
        self.wanted = attrs.evolve(self.wanted, **changes)  # type: ignore[arg-type]  # fields above
        say, wanted = self.desk.say, self.wanted
        any_ = say("games.any")
        self.items = [
            Item(say("games.find"), self._find),
            Item(say("games.scenario", self._title(wanted.scenario)), self._choose_scenario),
            Item(say("games.seats", wanted.seats or any_), self._choose_seats),
            Item(say("games.since", str(wanted.since or any_)), partial(self._ask_day, "since")),
            Item(say("games.until", str(wanted.until or any_)), partial(self._ask_day, "until")),
        ]

    def _title(self, scenario: str) -> str:
        return self.desk.model.title_in_full(scenario) if scenario else self.desk.say("games.any")

    def _find(self) -> None:
        wanted = self.wanted
        if not wanted.has_days:
            raise CannotDo("games.no_days", str(wanted.since), str(wanted.until))
        self.find(wanted)
        self.desk.close()

    def _choose_scenario(self) -> None:
        model = self.desk.model
        known = {line.scenario: model.title_in_list(line) for line in model.lobby.scenarios or ()}
        titles = {"": self._title(""), **known}
        items = [Item(title, partial(self._set, scenario=one)) for one, title in titles.items()]
        self.desk.open(Menu(self.desk, "box.games_scenario", items))

    def _choose_seats(self) -> None:
        items = [
            Item(str(count or self.desk.say("games.any")), partial(self._set, seats=count))
            for count in range(MAX_SEATS + 1)
        ]
        self.desk.open(Menu(self.desk, "box.games_seats", items))

    def _ask_day(self, name: str) -> None:
        def done(typed: str) -> None:
            day = read_day(typed)
            if day is None and typed.strip() != _NO_DAY:
                raise CannotDo("games.no_day", typed.strip()[:20])
            self._set(**{name: day})

        self.desk.entry = TextEntry(f"entry.games.{name}", done, "hint.games_day")


def said_wanted(desk: Desk, wanted: GamesWanted) -> str:
    """Return the filters in words; empty if there are none."""
    values = {
        "scenario": desk.model.title_in_full(wanted.scenario) if wanted.scenario else "",
        "seats": str(wanted.seats or ""),
        "since": str(wanted.since or ""),
        "until": str(wanted.until or ""),
    }
    return "; ".join(desk.say(f"games.{name}", said) for name, said in values.items() if said)
