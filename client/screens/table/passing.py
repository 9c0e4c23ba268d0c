"""The menu of stops (ask this seat) and of standing passes (pass every time)."""

import functools

from client.model.off_log import Stops
from client.model.tables import TableView
from client.screens.base.boxes import Item, Menu, TextBox
from client.screens.base.screen import Desk
from protocol.common.text import Text


def passing_menu(desk: Desk, view: TableView) -> Menu:
    """Return the menu: stops, if the table has any, and standing passes."""
    stops = _stops(desk, view) if view.table.room.settings.stops else []
    now = view.standing
    passes = [
        Item(
            _marked(desk.say("passes.standing", _named(desk, kind)), is_on=kind in now),
            functools.partial(desk.port.set_standing, tuple(sorted({*now} ^ {kind}))),
        )
        for kind in view.table.room.kinds
    ]
    return Menu(desk, "box.passes", [*stops, *passes])


def _stops(desk: Desk, view: TableView) -> list[Item]:
    """Return a switch for each kind of window, one for all, and the explanation."""
    now = desk.model.off_log.stops.get(view.room_id, Stops())
    items = [
        _stop(
            *(desk, view, desk.say("passes.stop", _named(desk, kind)), kind in now.kinds),
            Stops(tuple(sorted({*now.kinds} ^ {kind})), now.is_everywhere),
        )
        for kind in view.table.room.kinds
    ]
    everywhere = Stops(now.kinds, is_everywhere=not now.is_everywhere)
    items.append(_stop(desk, view, desk.say("passes.everywhere"), now.is_everywhere, everywhere))
    about = [("", desk.say("table.stops.about"))]
    box = TextBox(desk, "box.passes", lambda: about)
    return [*items, Item(desk.say("passes.about"), functools.partial(desk.open, box))]


def _stop(desk: Desk, view: TableView, text: str, is_on: bool, then: Stops) -> Item:  # noqa: FBT001 (which mark)
    def switch() -> None:
        desk.port.set_stops(then)
        # A player who switches one thing often switches another; the mark confirms it.
        desk.open(passing_menu(desk, view))

    return Item(_marked(text, is_on=is_on), switch)


def _marked(text: str, *, is_on: bool) -> str:
    return f"[{'x' if is_on else ' '}] {text}"


def _named(desk: Desk, kind: str) -> str:
    return desk.speaker.text(Text(kind, (), "name"))
