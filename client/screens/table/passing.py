"""The menu of stops (windows at which the game waits for this seat) and of standing passes."""

import functools

from client.model.off_log import Stops
from client.model.tables import TableView
from client.screens.base.boxes import Item, Menu, TextBox
from client.screens.base.screen import Desk
from protocol.common.text import Text


def passing_menu(desk: Desk, view: TableView) -> Menu:
    """Return the menu, in which each item switches one stop or standing pass on or off."""
    items, kinds = list[Item](), view.table.room.kinds
    if view.table.room.settings.stops:
        # A switch for each kind of window, one for all, and what a stop is.
        stops = desk.model.off_log.stops.get(view.room_id, Stops())
        for kind in kinds:
            then = Stops(tuple(sorted({*stops.kinds} ^ {kind})), stops.is_everywhere)
            text = desk.say("passes.stop", _named(desk, kind))
            items.append(_stop(desk, view, text, kind in stops.kinds, then))
        then = Stops(stops.kinds, is_everywhere=not stops.is_everywhere)
        text = desk.say("passes.everywhere")
        items.append(_stop(desk, view, text, stops.is_everywhere, then))
        about = [("", desk.say("table.stops.about"))]
        box = TextBox(desk, "box.passes", lambda: about)
        items.append(Item(desk.say("passes.about"), functools.partial(desk.open, box)))
    now = view.standing
    for kind in kinds:
        text = _marked(desk.say("passes.standing", _named(desk, kind)), is_on=kind in now)
        switched = tuple(sorted({*now} ^ {kind}))
        items.append(Item(text, functools.partial(desk.port.set_standing, switched)))
    return Menu(desk, "box.passes", items)


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
